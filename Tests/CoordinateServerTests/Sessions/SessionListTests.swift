import CoordinateServer
import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing

/// `GET /sessions`: its content, and its access rules.
struct SessionListTests {
    private static let key = "key"
    private let clock = ManualClock()

    private func page(
        _ client: SessionClient, _ query: String = "", headers: [String: String] = [:]
    ) async throws -> Document.SessionPage {
        let answer = try await client.get("/sessions\(query)", headers: headers)
        #expect(answer.status == 200)
        return try answer.decode(Document.SessionPage.self)
    }

    private nonisolated(nonsending) func withHost(
        _ host: String, apiKey: String = "", _ body: nonisolated(nonsending) (TestServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration.make(apiKey: apiKey)
        configuration.host = host
        try await withRacing(configuration: configuration, body)
    }

    // MARK: Content

    @Test func sessionsAreListedLastUsedFirst() async throws {
        try await withRacing(clock: clock.clock) { server in
            let clients = (0..<3).map { _ in server.client() }
            for client in clients {
                try await client.showTeam()
                clock.advance(by: 1)
            }
            _ = try await clients[0].route()
            clock.advance(by: 1)
            let fork = try await clients[1].fork(at: 1)
            clock.advance(by: 1)
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
    }

    @Test(.racing) func listingCreatesNoSession() async throws {
        for headers in [[:], ["Session": "unknown"]] {
            let page = try await page(client, headers: headers)
            #expect(page.sessions.isEmpty)
        }
        #expect(client.cookies.isEmpty)
        #expect(try await client.gauges() == [0, 0])
    }

    @Test func sessionsCanBeListedByPathAndState() async throws {
        let journal = MemoryJournal()
        let passive = try await withRacing(journal: journal) { server in
            let client = server.client()
            try await client.showTeam()
            return try #require(client.sessionID)
        }
        try await withRacingClient(journal: journal) { client in
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

    @Test(arguments: ["127.0.0.1", "127.0.0.2", "localhost"])
    func withoutAKeyALoopbackServerListsSessions(host: String) async throws {
        try await withHost(host) { server in
            let page = try await page(server.client())
            #expect(page.sessions.isEmpty)
        }
    }

    @Test func withoutAKeyANetworkServerRefusesTheList() async throws {
        try await withHost("0.0.0.0") { server in
            let client = server.client()
            for query in ["", "?limit=1", "?limit=0", "?state=live"] {
                let answer = try await client.get("/sessions\(query)")
                #expect(answer.isProblem("operator-only", 403))
                #expect(try answer.problem.detail.contains("API key"))
            }
            #expect(try await client.post("/sessions").status == 201)
        }
    }

    @Test(
        .racing,
        arguments: [
            "Forwarded", "forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via",
        ])
    func withoutAKeyTheListIsRefusedThroughAProxy(header: String) async throws {
        for value in ["192.0.2.1", ""] {
            let answer = try await client.get("/sessions", headers: [header: value])
            #expect(answer.isProblem("operator-only", 403))
            #expect(try answer.problem.detail.lowercased().contains(header.lowercased()))
        }
        #expect(try await client.get("/catalog", headers: [header: "192.0.2.1"]).status == 200)
    }

    @Test(arguments: ["127.0.0.1", "0.0.0.0"]) func clientsWithTheKeyMayList(host: String) async throws {
        try await withHost(host, apiKey: Self.key) { server in
            let client = server.client()
            let right = ["Authorization": "Bearer \(Self.key)"]
            let forwarded = right.merging(["X-Forwarded-For": "192.0.2.1", "Via": "1.1 proxy"]) { $1 }
            for headers in [right, forwarded] {
                let page = try await page(client, headers: headers)
                #expect(page.sessions.isEmpty)
            }
            for headers in [[:], ["Authorization": "Bearer wrong"], ["X-Forwarded-For": "192.0.2.1"]] {
                #expect(try await client.get("/sessions", headers: headers).isProblem("unauthorized", 401))
            }
        }
    }
}
