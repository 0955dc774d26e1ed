import Coordinate
import CoordinateServer
import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing

/// A clock that a test moves, and waiting clients: the promises of `CoordinateTesting` about time.
struct TestClockTests {
    private let clock = TestClock()
    private let world = World()

    // MARK: The clock

    @Test func timeStandsStillUntilTheClockMoves() async throws {
        try await withServer(app: WorkApp(), clock: clock) { server in
            let client = server.client()
            _ = try await client.route()
            #expect(try await client.session().createdAt == "2026-01-01T00:00:00Z")
            #expect(try await client.session().expiresAt == "2026-01-01T00:30:00Z")
            clock.advance(by: .milliseconds(59_400))
            clock.advance(by: .milliseconds(600))
            clock.advance(by: .seconds(-10))
            #expect(clock.now == Timestamp(seconds: 1_767_225_660))
            try await client.emit("work.look")
            #expect(try await client.journal().events.map(\.time) == ["2026-01-01T00:01:00Z"])
            #expect(try await client.route().screen.rows.map(\.title) == ["now 1767225660"])
        }
        try await withServer(app: WorkApp(), clock: TestClock(at: Timestamp(seconds: 0))) { server in
            let client = try await server.client(options: [:])
            #expect(try await client.session().createdAt == "1970-01-01T00:00:00Z")
        }
    }

    // MARK: Work

    @Test func workEndsAtItsTimeLimit() async throws {
        try await withServer(app: WorkApp(world), clock: clock) { server in
            let client = server.client()
            try await client.emit("work.hurry", ["name": "pay"], expecting: .handled)
            _ = await world.call(0)
            #expect(try await clock.timeLimit(of: "pay") == .milliseconds(50))
            clock.advance(by: .milliseconds(49))
            #expect(try await clock.timeLimit() == .milliseconds(1))
            #expect(world.held.count == 1)
            clock.advance(by: .milliseconds(1))
            let route = try await client.settle()
            #expect(route.screen.rows.map(\.title) == ["pay failed: \(WorkFailure.timedOut.reason)"])
            await world.cancellation(of: 0)
        }
    }

    @Test func workIsRetriedAfterItsPause() async throws {
        let no = WorkFailure("No.")
        world.plan("pay", .failure(no), .failure(no), .success("receipt"))
        try await withServer(app: WorkApp(world), clock: clock) { server in
            let client = server.client()
            try await client.emit("work.insist", ["name": "pay"], expecting: .handled)
            for (attempt, pause) in [1, 2].enumerated() {
                #expect(try await clock.retryPause(of: "pay") == .milliseconds(pause))
                #expect(world.calls.count == attempt + 1)
                clock.advance(by: .milliseconds(pause))
            }
            #expect(try await client.settle().screen.rows.map(\.title) == ["pay: receipt"])
            #expect(world.calls.map(\.attempt) == [1, 2, 3])
        }
    }

    @Test func missingDelaysAreReported() async throws {
        try await withServer(app: WorkApp(world), clock: clock) { server in
            let client = server.client()
            try await client.emit("work.ask", ["name": "pay"])
            _ = await world.call(0)
            let noPause = await #expect(throws: NoSuchDelay.self) {
                try await clock.retryPause(of: "pay", atMost: .milliseconds(1))
            }
            #expect(noPause?.message.hasPrefix("No work \"pay\" paused before another attempt within 0.001") == true)
            let noWork = await #expect(throws: NoSuchDelay.self) {
                try await clock.timeLimit(of: "ship", atMost: .milliseconds(1))
            }
            #expect(noWork?.message.hasPrefix("No work \"ship\" ran within 0.001") == true)
            #expect(noWork?.callSite.fileID == #fileID)
        }
    }

    // MARK: Waiting

    @Test(.working) func aTimeoutReportsWhereTheSessionIs() async throws {
        try await client.emit("work.ask", ["name": "pay"])
        let error = await #expect(throws: NotReached.self) { try await client.settle(atMost: .milliseconds(1)) }
        #expect(error?.route.path == "/work")
        let never = await #expect(throws: NotReached.self) {
            try await client.wait(atMost: .zero) { $0.path == "/nowhere" }
        }
        let reason = "The session is at /work, version 1, with work pay pending"
        for error in [error, never] { #expect(error?.description.hasSuffix(reason) == true) }
        struct Mistake: Error {}
        await #expect(throws: Mistake.self) { try await client.wait { _ in throw Mistake() } }
        #expect(try await client.delete(client.session().links.session).status == 204)
        await #expect(throws: UnexpectedAnswer.self) { try await client.settle() }
    }

    // MARK: Options and host events

    @Test(.working) func aTestCanEmitHostEvents() async throws {
        let event = WorkEvents.didFire
        let line = #line + 1
        let error = await #expect(throws: HostEventFailure.self) { try await server.emit(event, into: client) }
        #expect(error?.callSite.line == line)
        #expect(error?.reason == .noSuchSession)
        #expect(
            error?.message == """
                The session did not accept the host event "work.didFire": \
                The session does not exist, or it has ended.
                """)
        _ = try await client.route()
        let outcome = try await server.emit(WorkEvents.didHear("hello"), into: client)
        #expect(outcome.version == 1)
        #expect(outcome.dispatch.isHandled)
        #expect(try await client.route().screen.rows.map(\.title) == ["heard hello"])
        #expect(try await client.journal().events.map(\.origin) == ["host"])
    }
}
