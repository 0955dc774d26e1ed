import CoordinateServer
import CoordinateSessions
import CoordinateTesting
import Racing
import SessionFixtures
import Testing

/// `GET /sessions`: its content, and its access rules.
struct SessionListTests {
    private func page(
        _ client: SessionClient, _ query: String = "", headers: [String: String] = [:]
    ) async throws -> Document.SessionPage {
        let answer = try await client.get("/sessions\(query)", headers: headers)
        #expect(answer.status == 200)
        return try answer.decode(Document.SessionPage.self)
    }

    // MARK: Content

    @Test(.racing(time: .manual)) func sessionsAreListedLastUsedFirst() async throws {
        let clients = (0..<3).map { _ in server.client() }
        for client in clients {
            try await client.showTeam()
            manualClock.advance(by: 1)
        }
        _ = try await clients[0].route()
        manualClock.advance(by: 1)
        let fork = try await clients[1].fork(at: 1)
        manualClock.advance(by: 1)
        _ = try await clients[1].route()
        let page = try await page(server.client())
        #expect(page.next == nil)
        #expect(page.sessions.map(\.id) == [clients[1], fork, clients[0], clients[2]].map(\.sessionID))
        #expect(page.sessions.map(\.state) == ["live", "passive", "live", "live"])
        #expect(page.sessions[1].parent?.session == clients[1].sessionID)
        let own = try await clients[1].session()
        #expect(page.sessions[0] == own)
        let answer = try await server.client().get("/sessions")
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        #expect(answer.header("Set-Cookie") == nil)
    }

    @Test func sessionsCanBeListedByPathAndState() async throws {
        let journal = MemoryJournal()
        let passive = try await withRacing(journal: journal) { server in
            let client = server.client()
            try await client.showTeam()
            return try #require(client.sessionID)
        }
        try await withClient(of: RacingApp.make(), journal: journal) { client in
            try await client.start()
            let live = try #require(client.sessionID)
            for (query, sessions) in [
                ("?state=live", [live]), ("?state=passive", [passive]), ("?state=quarantined", []),
                ("?path=/main/teams", [live, passive]), ("?path=/main/teams/team", [passive]),
                ("?path=%2Fmain%2Fteams%2Fteam", [passive]), ("?path=/main/teams&state=live", [live]),
                ("?path=/main/teams/team&state=live", []), ("?path=/", [live, passive]), ("?path=/%F0%9F%8F%BB", []),
            ] {
                #expect(Set(try await page(client, query).sessions.map(\.id)) == Set(sessions), "\(query)")
            }
            #expect(try await client.gauges() == [1, 1])
        }
    }

    // MARK: Access

    @Test(arguments: [
        ("127.0.0.1", "", 200), ("127.0.0.2", "", 200), ("localhost", "", 200), ("0.0.0.0", "", 403),
        ("127.0.0.1", "key", 401), ("0.0.0.0", "key", 401),
    ])
    func theListNeedsTheKeyOrALoopbackServer(host: String, key: String, status: Int) async throws {
        var configuration = ServerConfiguration.make(apiKey: key)
        configuration.host = host
        try await withRacing(configuration: configuration) { server in
            let answer = try await server.client().get("/sessions")
            #expect(answer.status == status)
            #expect(status != 403 || answer.text.contains("API key"))
            guard !key.isEmpty else { return }
            let proxied = ["Authorization": "Bearer \(key)", "X-Forwarded-For": "192.0.2.1", "Via": "1.1 proxy"]
            #expect(try await server.client().get("/sessions", headers: proxied).status == 200)
        }
    }

    @Test(.racing) func withoutAKeyTheListIsRefusedThroughAProxy() async throws {
        for header in [
            "Forwarded", "forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via",
        ] {
            for value in ["192.0.2.1", ""] {
                let answer = try await client.get("/sessions", headers: [header: value])
                #expect(answer.isProblem("operator-only", 403), "\(header)")
                #expect(try answer.problem.detail.lowercased().contains(header.lowercased()))
            }
        }
        #expect(try await client.get("/catalog", headers: ["Via": "192.0.2.1"]).status == 200)
    }
}
