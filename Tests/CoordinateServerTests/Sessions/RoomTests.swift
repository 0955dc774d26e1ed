import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// A full server that replaces unused sessions by new ones.
struct RoomTests {
    private let clock = ManualClock()

    /// Clients at different addresses, as reported by a trusted proxy.
    private func client(_ number: Int, of server: TestServer, in session: String? = nil) -> SessionClient {
        var headers = ["X-Forwarded-For": "192.0.2.\(number)"]
        headers["Session"] = session
        return server.client(headers: headers)
    }

    private nonisolated(nonsending) func withRoom(
        for sessions: Int, over transport: TestTransport = .memory,
        _ body: nonisolated(nonsending) (TestServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration.make(maximumSessions: sessions)
        configuration.trustedProxies = ["127.0.0.1"]
        try await withApp(TestApp(), clock: clock.clock, configuration: configuration, over: transport, body)
    }

    @Test func aFollowedOrAwaitedSessionStays() async throws {
        // Only a server with sockets counts the requests in progress.
        try await withRoom(for: 2, over: .socket) { server in
            let client = client(1, of: server)
            let (followed, awaited) = try await (client.newSession(), client.newSession())
            let stream = try await self.client(2, of: server, in: followed).follow()
            #expect(await stream.next()?.id == 0)
            let waiter = self.client(2, of: server, in: awaited)
            let tag = try #require(try await waiter.get("/route").header("ETag"))
            async let answer = waiter.get("/route", headers: ["If-None-Match": tag, "Prefer": "wait=60"])
            try await waitUntil("no request waits") {
                try await client.metric("coordinate_http_requests_in_flight") >= 3
            }
            clock.advance(by: 300)
            #expect(try await client.post("/sessions").isProblem("too-many-sessions", 429))
            try await self.client(3, of: server, in: awaited).emit("test.push", ["number": 1])
            #expect(try await answer.status == 200)
        }
    }

    @Test func aFloodingAddressIsRefusedFirst() async throws {
        try await withRoom(for: 64) { server in
            let (victim, attacker) = (client(1, of: server), client(2, of: server))
            let old = try await victim.newSession()
            clock.advance(by: 120)
            var statuses: [Int] = []
            for _ in 0..<70 { statuses.append(try await attacker.post("/sessions").status) }
            // An eighth is left to others.
            #expect(statuses.count { $0 == 201 } == 55)
            #expect(statuses.suffix(15).allSatisfy { $0 == 429 })
            #expect(try await victim.get("/sessions/\(old)").status == 200)
            for _ in 0..<8 { #expect(try await victim.post("/sessions").status == 201) }
            #expect(try await victim.post("/sessions").status == 429)
            // It replaces its own sessions once they are old enough.
            clock.advance(by: 60)
            for _ in 0..<3 { #expect(try await attacker.post("/sessions").status == 201) }
            #expect(try await victim.post("/sessions").status == 201)
        }
    }
}
