import Coordinate
import Foundation
import Racing
import SeededGenerator
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSessions

/// Sessions whose trees are released and rebuilt, without a server, by a clock that the test moves.
struct PassiveSessionTests {
    private let clock = ManualClock()

    @Test(arguments: [51, 52, 53, 54] as [UInt64])
    func aWalkWithReleasedTreesLeadsToTheSameStates(seed: UInt64) async throws {
        let registry = SessionRegistry.make(
            app: try RacingApp.make(), clock: clock.clock, limits: .make(idleTime: 100_000))
        let steady = try await registry.begin().session
        let sleepy = try await registry.begin().session.id
        let sessions = [steady.id, sleepy]
        var generator = SeededGenerator(state: seed)
        func fallAsleep() {
            clock.advance(by: 310)
            registry.sweep()
            #expect(registry.host.counters.trees == 1)
        }
        for step in 0..<60 {
            let state = try #require(try await steady.route().route).state
            let rows = state.screen.rows.flatMap { [$0.action, $0.delete] }
            let around = [state.back, state.dismiss] + state.tabs.map(\.action)
            let offered = (rows + around).compactMap { $0 } + state.screen.actions
            let action = try #require(offered.randomElement(using: &generator))
            let retry = step % 3 == 0 ? Retry(key: "\(step)", body: [UInt8(step)], isMinimal: false) : nil
            let injection = EventInjection.make(action.event, action.payload, retry: retry, wantsRoute: true)
            if Bool.random(using: &generator) { fallAsleep() }
            let outcomes = try await sessions.asyncMap { try await registry.find($0).inject(injection) }
            #expect(outcomes.allSatisfy { $0.version == step + 1 })
            #expect(outcomes[0].path == outcomes[1].path, "step \(step)")
            #expect(outcomes[0].leaf == outcomes[1].leaf, "step \(step)")
            #expect(outcomes[0].turn.dispatch == outcomes[1].turn.dispatch, "step \(step)")
            #expect(outcomes[0].route?.asState.state == outcomes[1].route?.asState.state, "step \(step)")
            if Bool.random(using: &generator) { fallAsleep() }
            let routes = try await sessions.asyncMap { try #require(try await registry.find($0).route().route) }
            #expect(routes[0].state == routes[1].state, "step \(step)")
            #expect(routes.map(\.version) == [step + 1, step + 1])
            #expect(routes.map(\.session) == sessions)
            guard let retry, Bool.random(using: &generator) else { continue }
            // A repeated request gets the same outcome again, without a second effect.
            let again = EventInjection.make(action.event, action.payload, retry: retry, wantsRoute: true)
            let repeated = try await registry.find(sleepy).inject(again)
            #expect(repeated.version == step + 1)
            #expect(repeated.route?.asState.state == routes[0].state, "step \(step)")
        }
    }

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

    @Test func aSlowJournalIsReadOnce() async throws {
        let journal = FaultyJournal()
        let registry = SessionRegistry.make(
            app: try RacingApp.make(), journal: journal, clock: clock.clock, limits: .make(idleTime: 100_000))
        let id = try await registry.begin().session.id
        for event in ["splash.didFinish", "navigation.back"] {
            _ = try await registry.find(id).inject(.make(event, wantsRoute: false))
        }
        clock.advance(by: 310)
        registry.sweep()
        #expect(registry.host.counters.trees == 0)
        let before = journal.reads
        journal.hold()
        let route = Task.immediate { try await registry.find(id).route() }
        await journal.waitUntilHeld()
        journal.release()
        #expect(try await route.value.route?.version == 2)
        #expect(journal.reads == before + 1)
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
