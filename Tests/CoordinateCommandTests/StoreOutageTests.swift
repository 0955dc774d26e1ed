import Glibc
import PostgreSQLCluster
import Testing

@testable import CoordinateTesting

/// PostgreSQL becomes unavailable and returns: clients get errors soon, and the servers recover without a restart.
@Suite(
    .serialized, .timeLimit(.minutes(3)),
    .enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
struct StoreOutageTests {
    enum Outage: CaseIterable {
        /// Its processes are killed.
        case killed
        /// Its processes are stopped, and do not answer.
        case paused

        func begin(_ cluster: PostgreSQLCluster) async throws {
            switch self {
            case .killed: try await cluster.kill()
            case .paused: try await cluster.pause()
            }
        }

        func end(_ cluster: PostgreSQLCluster) async throws {
            switch self {
            case .killed: try await cluster.start()
            case .paused: try await cluster.resume()
            }
        }
    }

    @Test(arguments: Outage.allCases) func anOutageIsReportedAndTheServerRecovers(outage: Outage) async throws {
        let cluster = try await PostgreSQLCluster()
        let journal = try await cluster.makeAddress()
        try await Program.run(["serve", "--port", "0", "--journal", journal]) { program in
            let url = try await program.url()
            let client = SessionClient(url: url, headers: [:])
            let other = try await client.post("/sessions").decode(Document.Session.self).id
            try await client.emit("splash.didFinish")
            let stream = try await client.follow()
            #expect(await stream.next()?.id == 1)
            let known = ["Idempotency-Key": "once"]
            let event: JSON = ["event": "teams.didSelect", "payload": ["team": "ferrari"]]

            try await outage.begin(cluster)
            // In the first round the server does not know of the outage, in the second it does.
            for round in 1...2 {
                try await withThrowingTaskGroup { group in
                    for (method, path, headers, json) in [
                        ("POST", "/sessions/\(client.sessionID ?? "")/events", known, event),
                        ("GET", "/sessions/\(client.sessionID ?? "")/route", [:], nil),
                        ("PUT", "/sessions/\(other)/route", [:], ["path": "/main/teams"]),
                        ("POST", "/sessions/\(other)/forks", [:], ["version": 0]), ("POST", "/sessions", [:], nil),
                        ("GET", "/sessions", [:], nil), ("GET", "/readyz", [:], nil),
                    ] as [(String, String, [String: String], JSON?)] {
                        group.addTask {
                            let client = SessionClient(url: url, headers: ["Content-Type": "application/json"])
                            let body = json?.encoded ?? (method == "POST" ? [] : nil)
                            let answer = try await client.request(method, path, headers: headers, body: body)
                            // A request that was sent but not answered may have been executed.
                            let isUnknown =
                                answer.status == 504 && method != "GET"
                                && answer.text.contains("/problems/outcome-unknown")
                            let isRefused =
                                answer.status == 503 && answer.text.contains("/problems/journal-unavailable")
                            #expect(isUnknown || isRefused, "\(round): \(method) \(path): \(answer.text)")
                            #expect(answer.header("Retry-After") != nil)
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await SessionClient(url: url).get("/livez").status == 200)
            }

            try await outage.end(cluster)
            while try await client.get("/readyz").status == 503 { await Task.yield() }
            // An unacknowledged event happened once or not at all, and happens once now.
            let outcome = try await answer { try await client.post("/events", json: event, headers: known) }
            #expect(try outcome.decode(Document.Outcome.self).version == 2)
            #expect(await stream.next()?.id == 2)
            let journal = try await answer { try await client.get("/events?after=0&limit=1000") }
                .decode(Document.Journal.self, status: 200)
            #expect(journal.events.map(\.event) == ["splash.didFinish", "teams.didSelect"])
            #expect(try await answer { try await client.get("/sessions/\(other)/route") }.status == 200)
        }
    }

    /// The final answer. The connections of a server find the recovered store one after the other.
    private func answer(_ ask: () async throws -> ServerAnswer) async throws -> ServerAnswer {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let answer = try await ask()
            guard [503, 504].contains(answer.status), ContinuousClock.now < deadline else { return answer }
            await Task.yield()
        }
    }
}
