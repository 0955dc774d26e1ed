import CoordinateTesting
import Foundation
import PostgreSQLCluster
import SessionFixtures
import Testing

private let proxy = "/usr/sbin/haproxy"

/// The proxy of `config/haproxy.cfg` in front of two servers. It repeats only safe requests.
@Suite(
    .enabled(
        if: PostgreSQLCluster.isAvailable && FileManager.default.isExecutableFile(atPath: proxy),
        "Needs PostgreSQL and haproxy: apt-get install haproxy"))
struct ProxyTests {
    /// Runs the body with a proxy in front of two servers on one store. The body can pause PostgreSQL.
    private nonisolated(nonsending) func withProxy(
        _ body: nonisolated(nonsending) (SessionClient, PostgreSQLCluster) async throws -> Void
    ) async throws {
        let cluster = try await PostgreSQLCluster()
        let journal = try await cluster.makeAddress()
        try await serve(journal) { one in
            try await serve(journal) { other in
                try await runProxy(before: [one, other]) { try await body(SessionClient(url: $0), cluster) }
            }
        }
    }

    private nonisolated(nonsending) func serve(
        _ journal: String, _ body: nonisolated(nonsending) (_ url: String) async throws -> Void
    ) async throws {
        try await Program.run(["serve", "--port", "0", "--journal", journal]) { try await body(try await $0.url()) }
    }

    /// Runs the body with a proxy before the servers at some addresses, once it answers.
    private nonisolated(nonsending) func runProxy(
        before servers: [String], _ body: nonisolated(nonsending) (_ url: String) async throws -> Void
    ) async throws {
        let port = try PostgreSQLCluster.freePort()
        let file = Program.shipped.appending(path: "config/haproxy.cfg")
        var lines = try String(contentsOf: file, encoding: .utf8)
            .replacing("bind :8080", with: "bind 127.0.0.1:\(port)")
            .split(separator: "\n", omittingEmptySubsequences: false)
        // Known servers replace those that a name stands for.
        lines.removeAll { $0.contains("server-template") }
        lines = lines.prefix { !$0.hasPrefix("resolvers") } + lines.drop { !$0.hasPrefix("frontend") }
        for (number, url) in servers.enumerated() {
            lines.append("    server s\(number) \(url.dropFirst("http://".count)) check inter 500ms")
        }
        try await withFolder(["haproxy.cfg": lines.joined(separator: "\n") + "\n"]) { folder in
            try await Program.run(["-f", folder.appending(path: "haproxy.cfg").path], of: proxy) { _ in
                let url = "http://127.0.0.1:\(port)"
                let client = SessionClient(url: url)
                while (try? await client.get("/livez").status) != 200 { await Task.yield() }
                try await body(url)
            }
        }
    }

    /// PostgreSQL is paused when the event arrives, and executes what it was sent when it continues.
    @Test func anEventWhoseAnswerIsLostIsExecutedOnce() async throws {
        try await withProxy { client, cluster in
            try await client.emit("splash.didFinish")
            let before = try await client.session().version
            try await cluster.pause()
            let lost = try await client.post(
                "/events", json: ["event": "teams.setFavorite", "payload": ["team": "ferrari"]])
            try await cluster.resume()
            #expect([503, 504].contains(lost.status), "\(lost.text)")
            if lost.status == 504 { #expect(try lost.json["taken"] == .null) }
            while try await client.get("/readyz").status != 200 { await Task.yield() }
            // In any case the event happened at most once, also later.
            for _ in 0..<20 { #expect(try await client.session().version <= before + 1) }
        }
    }
}
