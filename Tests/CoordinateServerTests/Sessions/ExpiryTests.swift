import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The lifetime and the number of sessions.
struct ExpiryTests {
    private let clock = ManualClock()

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

    @Test(.racing(configuration: .make(maximumSessions: 2))) func theNumberOfSessionsIsLimited() async throws {
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
