import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// An ended session frees everything.
struct LifetimeTests {
    private let app = TestApp()

    @Test func endingASessionFreesEveryCoordinator() async throws {
        try await withApp(app) { server in
            let born = app.lives.born
            let client = server.client()
            for number in 1...5 { try await client.emit("test.push", ["number": .int(number)]) }
            try await client.emit("navigation.selectTab", ["tab": "OtherCoordinator"])
            #expect(app.lives.living == 9)
            #expect(try await client.delete("/sessions/\(client.sessionID ?? "")").status == 204)
            #expect(app.lives.born == born + 9)
            #expect(app.lives.living == 0)
        }
    }

    @Test func idleSessionsEndWithoutARequest() async throws {
        let clock = ManualClock()
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

    @Test func stoppingTheServerFreesEverySession() async throws {
        try await withApp(app) { server in
            for _ in 0..<10 { try await server.client().emit("test.push", ["number": 1]) }
            #expect(app.lives.living == 50)
        }
        #expect(app.lives.living == 0)
    }

    @Test func aServerStopsIfTheBodyThrows() async throws {
        struct Interruption: Error {}
        await #expect(throws: Interruption.self) {
            try await withApp(app) { server in
                _ = try await server.client().route()
                throw Interruption()
            }
        }
        #expect(app.lives.born > 0)
        #expect(app.lives.living == 0)
    }
}
