import CoordinateTesting
import PostgreSQLCluster
import Testing

/// The proxy of `config/haproxy.cfg` in front of two servers. It repeats only safe requests.
@Suite(
    .serialized, .enabled(if: Proxy.isAvailable, Comment(rawValue: Proxy.hint)))
struct ProxyTests {
    /// Runs the body with a proxy in front of two servers on one store. The body can pause PostgreSQL.
    private nonisolated(nonsending) func withProxy(
        _ body: nonisolated(nonsending) (SessionClient, PostgreSQLCluster) async throws -> Void
    ) async throws {
        let cluster = try await PostgreSQLCluster()
        let journal = try await cluster.makeAddress()
        try await serve(journal) { one in
            try await serve(journal) { other in
                try await Proxy.run(before: [one, other]) { try await body(SessionClient(url: $0), cluster) }
            }
        }
    }

    private nonisolated(nonsending) func serve(
        _ journal: String, _ body: nonisolated(nonsending) (_ url: String) async throws -> Void
    ) async throws {
        try await Program.run(["serve", "--port", "0", "--journal", journal]) { try await body(try await $0.url()) }
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

    @Test func anEventWithAKeyIsRepeatedAndExecutedOnce() async throws {
        try await withProxy { client, cluster in
            try await client.emit("splash.didFinish")
            let before = try await client.session().version
            for number in 1...10 {
                let key = ["Idempotency-Key": "key-\(number)"]
                let event: JSON = ["event": "teams.setFavorite", "payload": ["team": "ferrari"]]
                if number == 5 { try await cluster.pause() }
                var answer = try await client.post("/events", json: event, headers: key)
                if number == 5 { try await cluster.resume() }
                while answer.status != 200 { answer = try await client.post("/events", json: event, headers: key) }
                #expect(try answer.json["version"] == .int(before + number))
            }
        }
    }
}
