import Coordinate
import Foundation
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSessions

/// Sessions whose trees are released and rebuilt, without a server, by a clock that the test moves.
struct PassiveSessionTests {
    private let clock = ManualClock()

    @Test func noEventIsLostWhileSessionsArePassivated() async throws {
        let app = TestApp()
        let registry = SessionRegistry.make(
            app: app, clock: clock.clock, limits: .make(idleTime: .max / 4, passivationTime: 1))
        let sessions = try await (0..<3).asyncMap { _ in try await registry.begin().session.id }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    for number in 0..<40 {
                        do {
                            let session = try await registry.find(sessions[worker % 3])
                            let outcome = try await session.inject(.push(number, wantsRoute: true))
                            #expect(outcome.path == "/stack/page/\(number)")
                        }
                        await Task.yield()
                        // All sessions that are not in use are passivated.
                        clock.advance(by: 3)
                        registry.sweep()
                    }
                }
            }
            try await group.waitForAll()
        }
        clock.advance(by: 3)
        registry.sweep()
        #expect(app.lives.living == 0)
        for id in sessions {
            let session = try await registry.find(id)
            let entries = try await session.entries(after: 0, limit: 1_000).entries
            #expect(try await session.route().route?.state.path == entries.last?.path)
            #expect(entries.map(\.version) == Array(1...80))
            let numbers = entries.map { $0.payload[field: "number"] }
            #expect((0..<40).allSatisfy { number in numbers.count { $0 == .int(number) } == 2 })
        }
        registry.releaseAll()
        #expect(app.lives.living == 0)
    }

    @Test func allRequestsFindTheSameObjectWhileASessionWakes() async throws {
        let registry = SessionRegistry.make(app: TestApp(), clock: clock.clock, limits: .make(idleTime: .max / 4))
        let id = try await registry.begin().session.id
        for round in 0..<2_000 {
            clock.advance(by: 310)
            registry.sweep()
            let arrivals = Atomic(0)
            // Both at the same moment.
            let find: @Sendable () -> Task<Session, any Error> = {
                arrivals.add(1, ordering: .acquiringAndReleasing)
                while arrivals.load(ordering: .acquiring) < 2 { sched_yield() }
                return Task.immediate { try await registry.find(id) }
            }
            let other = Task.immediate {
                await withCheckedContinuation { found in Thread.detachNewThread { found.resume(returning: find()) } }
            }
            let session = try await find().value
            try #require(try await other.value.value === session, "round \(round)")
        }
    }

    @Test(arguments: [true, false])
    func anOutdatedHeadIsReadAgainAfterASessionWokeAndLeft(isUsed: Bool) async throws {
        let journal = FaultyJournal()
        let registry = SessionRegistry.make(
            app: TestApp(), journal: journal, clock: clock.clock, limits: .make(idleTime: 100_000))
        let id = try await registry.begin().session.id
        @Sendable func fallAsleep() {
            clock.advance(by: 310)
            registry.sweep()
            #expect(registry.host.counters.trees == 0)
        }
        fallAsleep()
        journal.before(.headAnswer) { _ in
            await #expect(throws: Never.self) { try await registry.find(id).inject(.push(1)) }
            fallAsleep()
        }
        let session = try await (isUsed ? registry.find(id) : registry.findUnused(id))
        #expect(try await session.route().route?.version == 1)
        #expect(try await session.inject(.push(2)).version == 2)
    }
}
