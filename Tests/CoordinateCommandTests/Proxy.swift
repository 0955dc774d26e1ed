import CoordinateTesting
import Foundation
import PostgreSQLCluster
import SessionFixtures

/// The proxy of `config/haproxy.cfg` in front of servers. It repeats only safe requests.
enum Proxy {
    private static let program = "/usr/sbin/haproxy"

    /// Whether haproxy is on this machine, and PostgreSQL for the servers' store.
    static var isAvailable: Bool {
        PostgreSQLCluster.isAvailable && FileManager.default.isExecutableFile(atPath: program)
    }

    /// The explanation if they are not.
    static let hint: String = "Needs PostgreSQL and haproxy: apt-get install haproxy"

    /// Runs the body with a proxy before the servers at some addresses, once it answers.
    static nonisolated(nonsending) func run<Result>(
        before servers: [String], _ body: nonisolated(nonsending) (_ url: String) async throws -> Result
    ) async throws -> Result {
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
        return try await withFolder(["haproxy.cfg": lines.joined(separator: "\n") + "\n"]) { folder in
            try await Program.run(["-f", folder.appending(path: "haproxy.cfg").path], of: program) { _ in
                let url = "http://127.0.0.1:\(port)"
                let client = SessionClient(url: url)
                while (try? await client.get("/livez").status) != 200 { await Task.yield() }
                return try await body(url)
            }
        }
    }
}
