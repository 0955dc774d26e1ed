import CoordinateSessions
import CoordinateTesting
import Racing
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The tools that look back, and the one that waits.
@Suite(.racing) struct AgentHistoryTests {
    @Test func theHistoryHasPages() async throws {
        let session = try await agent.session(at: "/main/teams")
        for _ in 0..<4 {
            _ = try await agent.use("press", ["session": session, "event": "navigation.back"])
        }
        let first = try await agent.use("read_history", ["session": session, "limit": 2])
        #expect(first["events"]?.array.map { $0["version"] } == [1, 2])
        #expect(first["next"] == 2)
        let last = try await agent.use("read_history", ["session": session, "after": 3])
        #expect(last["events"]?.array.map { $0["version"] } == [4, 5])
        #expect(last["next"] == .null)
        let page = try await agent.client.get("/sessions/\(session.string ?? "")/events?limit=2").json
        #expect(first == page)
    }

    @Test func anExportedJournalReplays() async throws {
        let session = try await agent.session(at: "/main/teams/team/haas")
        let journal = try await agent.use("export_journal", ["session": session])["journal"]?.string ?? ""
        let type = ["Accept": "application/x-ndjson"]
        let exported = try await agent.client.get("/sessions/\(session.string ?? "")/events", headers: type)
        #expect(journal == exported.text)
        let replayed = try await server.client(replaying: Array(journal.utf8))
        #expect(try await replayed.route().path == "/main/teams/team/haas")
    }

    @Test(.serving(FormApp())) func aLargeJournalIsFetchedOverHTTP() async throws {
        let session = try await agent.session()
        let name = JSON.string(String(repeating: "a", count: 60_000))
        for _ in 0..<18 {
            _ = try await agent.use(
                "press",
                ["session": session, "event": "form.join", "input": ["name": name, "zip": "80", "password": "x"]])
        }
        let mistake = try await agent.mistake("export_journal", ["session": session])
        #expect(mistake["type"] == "/problems/journal-too-large")
        #expect(
            mistake["detail"]?.string?.contains("GET /sessions/\(session.string ?? "")/events") == true)
        // A page of the history ends where it becomes too large, and names the next one.
        let page = try await agent.use("read_history", ["session": session])
        let next = try #require(page["next"]?.int)
        #expect(page["events"]?.array.count == next)
        let rest = try await agent.use("read_history", ["session": session, "after": .int(next)])
        #expect(rest["events"]?[0]?["version"] == .int(next + 1))
    }

    // MARK: Waiting

    /// Begins work that the world holds, and returns the session at version 1.
    private nonisolated(nonsending) func sessionWithWork(_ agent: Agent) async throws -> JSON {
        let session = try await agent.session()
        let ask: JSON = ["session": session, "event": "work.ask", "payload": ["name": "pay"]]
        let asked = try await agent.use("press", ask)
        #expect(asked["pending"]?[0]?["name"] == "pay")
        #expect(asked["screen"]?["status"] == "loading")
        return session
    }

    @Test(.working) func aCallWaitsUntilTheAppHasSettled() async throws {
        let session = try await sessionWithWork(agent)
        async let waited = agent.use("wait", ["session": session, "until": "settled", "version": 1, "seconds": 30])
        // The session can be used in the meantime.
        #expect(try await agent.use("read_screen", ["session": session])["version"] == 1)
        _ = await world.call(0)
        world.finish("pay")
        let settled = try await waited
        #expect(settled["version"] == 2)
        #expect(settled["pending"] == [])
        #expect(settled["changed"]?.array.contains("status: loading → ready") == true)
        #expect(settled["changed"]?.array.contains("pending pay: finished") == true)
    }

    @Test func aCallThatWaitsKeepsNoRoute() async throws {
        let world = World()
        let server = try Server(app: WorkApp(world), configuration: .make())
        try await withServer(server, over: .socket) { test in
            let agent = Agent(test)
            let session = try await sessionWithWork(agent)
            let id = try #require(SessionID(session.string ?? ""))
            weak let first = server.api.sessions.findInMemory(id, for: .host)?.publishedRoute?.published
            #expect(first != nil)
            async let waited = agent.use("wait", ["session": session, "until": "settled", "seconds": 30])
            try await waitUntil("no call waits") {
                try await agent.client.metric("coordinate_http_requests_in_flight") == 2
            }
            _ = try await agent.use("press", ["session": session, "event": "work.push"])
            try await waitUntil("the route of an earlier version is still there") { first == nil }
            world.finish("pay")
            let settled = try await waited
            #expect(settled["version"] == 3)
            // What has changed since the beginning is read again.
            #expect(settled["changed"]?.array.contains("pending pay: finished") == true)
        }
    }

    @Test(.working) func theScreenIsReturnedWhenTheTimeIsOver() async throws {
        let session = try await sessionWithWork(agent)
        for until in ["settled", "changed"] as [JSON] {
            for seconds in [0, 0.05] as [JSON] {
                let waited = try await agent.use("wait", ["session": session, "until": until, "seconds": seconds])
                #expect(waited["version"] == 1)
                #expect(waited["changed"] == [])
                #expect(waited["pending"]?[0]?["name"] == "pay")
            }
        }
    }

    @Test func aCallWaitsForAChange() async throws {
        let session = try await agent.session()
        async let waited = agent.use(
            "wait", ["session": session, "until": "changed", "version": 0, "seconds": 30])
        _ = try await agent.use("press", ["session": session, "title": "Continue"])
        let changed = try await waited
        #expect(changed["version"] == 1)
        #expect(changed["changed"]?[0] == "screen: Formula Racing → Teams")
        _ = try await agent.use("press", ["session": session, "title": "Ferrari"])
        // What happened since an older version is there at once.
        let since = try await agent.use("wait", ["session": session, "until": "changed", "version": 0])
        #expect(since["version"] == 2)
        #expect(since["changed"]?[0] == "screen: Formula Racing → Ferrari")
        let settled = try await agent.use("wait", ["session": session, "until": "settled", "version": 1])
        #expect(settled["changed"] == ["screen: Teams → Ferrari"])
    }

    @Test func aCallOfAnAgentThatHasLeftKeepsNoSession() async throws {
        let clock = ManualClock()
        let configuration = ServerConfiguration.make(sessionIdleTime: 100, workers: 1)
        try await withRacing(clock: clock.clock, configuration: configuration, over: .socket) { server in
            let agent = Agent(server)
            let arguments: JSON = ["session": try await agent.session(), "until": "changed", "seconds": 30]
            let call: JSON = [
                "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ["name": "wait", "arguments": arguments],
            ]
            do {
                let leaver = try RawClient(url: server.url)
                try leaver.send(
                    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: \(call.encoded.count)\r\n\r\n"
                        + String(decoding: call.encoded, as: UTF8.self))
                try await waitUntil("no call waits") {
                    try await agent.client.metric("coordinate_http_requests_in_flight") == 2
                }
                withExtendedLifetime(leaver) {}
            }
            try await waitUntil("the session is still there") {
                clock.advance(by: 101)
                return try await agent.client.gauges() == [0, 0]
            }
        }
    }

    @Test func aCallThatWaitsHearsOfTheEnd() async throws {
        let session = try await agent.session()
        async let waited = agent.mistake("wait", ["session": session, "until": "changed", "seconds": 30])
        _ = try await agent.use("end_session", ["session": session])
        #expect(try await waited["type"] == "/problems/session-not-found")
    }
}
