import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The lifetime and the number of sessions.
struct ExpiryTests {
    private let clock = ManualClock()

    @Test func anIdleSessionExpires() async throws {
        try await withRacingClient(clock: clock.clock, configuration: .make(sessionIdleTime: 100)) { client in
            try await client.start()
            clock.advance(by: 99)
            #expect(try await client.route().version == 1)
            clock.advance(by: 100)
            let answer = try await client.get("/route")
            #expect(answer.isProblem("session-not-found", 404))
            #expect(answer.header("Set-Cookie") == nil)
            #expect(try await client.get("/events").status == 404)
            #expect(try await client.delete("/sessions/\(client.sessionID ?? "")").status == 404)
            #expect(try await client.metric("coordinate_sessions") == 0)
        }
    }

    @Test(arguments: ["/route", "/events", "/sessions/{id}"])
    func activityPostponesTheExpiry(path: String) async throws {
        try await withRacingClient(clock: clock.clock, configuration: .make(sessionIdleTime: 100)) { client in
            try await client.start()
            let path = path.replacing("{id}", with: client.sessionID ?? "")
            for _ in 0..<5 {
                clock.advance(by: 60)
                #expect(try await client.get(path).status == 200)
            }
            #expect(try await client.session().expiresAt == "2026-11-21T09:36:40Z")
        }
    }

    @Test func idleSessionsEndWithoutARequest() async throws {
        let app = TestApp()
        try await withApp(app, clock: clock.clock, configuration: .make(sessionIdleTime: 10)) { server in
            let client = server.client()
            for _ in 0..<3 { _ = try await client.newSession() }
            #expect(app.lives.living > 0)
            clock.advance(by: 11)
            // The server checks about once a second. The test reads its metrics until it has.
            try await waitUntil("the sessions were not ended") {
                try await client.metric("coordinate_sessions") == 0
            }
            #expect(app.lives.living == 0)
        }
    }

    @Test func theNumberOfSessionsIsLimited() async throws {
        try await withRacing(configuration: .make(maximumSessions: 2)) { server in
            let client = server.client()
            let ids = try await [client.newSession(), client.newSession()]
            for id in ids { try await server.client(headers: ["Session": id]).start() }
            for answer in try await [
                client.post("/sessions"), client.get("/route"),
                client.post("/events", json: ["event": "navigation.back"]),
            ] {
                #expect(answer.isProblem("too-many-sessions", 429))
                #expect(answer.header("Retry-After").flatMap(Int.init) != nil)
                #expect(answer.header("Set-Cookie") == nil)
            }
            #expect(try await client.get("/sessions/\(ids[0])/route").status == 200)
            #expect(try await client.metric("coordinate_sessions") == 2)
            #expect(try await client.delete("/sessions/\(ids[0])").status == 204)
            #expect(try await client.post("/sessions").status == 201)
        }
    }
}
