import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The sessions of a registry, by a clock that the test moves.
struct SessionRegistryTests {
    private let clock = ManualClock()
    private let app = TestApp()

    private func registry(_ limits: SessionLimits = .make(idleTime: 100)) -> SessionRegistry {
        .make(app: app, clock: clock.clock, limits: limits)
    }

    /// Creates sessions that no code holds.
    private func begin(_ count: Int, in registry: SessionRegistry) async throws -> [SessionID] {
        try await (0..<count).asyncMap { _ in try await registry.begin().session.id }
    }

    private func isGone(_ id: SessionID, in registry: SessionRegistry) async -> Bool {
        await failure { try await registry.find(id) }?.word == "hasEnded"
    }

    @Test func aSessionIsFoundUntilItEnds() async throws {
        let registry = registry()
        let session = try await registry.begin().session
        #expect(try await registry.find(session.id) === session)
        #expect(await isGone(.random(), in: registry))
        try await registry.end(session)
        #expect(await isGone(session.id, in: registry))
        #expect(registry.count == 0)
        for error in [
            await failure { try await registry.end(session) }, await failure { try await session.summary() },
            await failure { try await session.route() }, await failure { try await session.inject(.push(1)) },
        ] { #expect(error?.word == "hasEnded") }
        #expect(app.lives.living == 0)
    }

    @Test(arguments: [1, 2, 63, 64, 65, 100, 1_800])
    func idleSessionsAreEndedWithinASlotAndNoneBefore(idleTime: Int) async throws {
        let registry = registry(.make(idleTime: idleTime))
        _ = try await begin(20, in: registry)
        clock.advance(by: idleTime - 1)
        registry.sweep()
        #expect(registry.count == 20)
        clock.advance(by: 1 + 2 * max(1, idleTime / 64))
        registry.sweep()
        #expect(registry.count == 0)
        #expect(app.lives.living == 0)
    }

    @Test(arguments: [false, true]) func anExpiredSessionIsNotFoundEvenWithoutASweep(isHeld: Bool) async throws {
        let registry = registry()
        let session = try await registry.begin().session
        let id = session.id
        let held = isHeld ? session : nil
        clock.advance(by: 99)
        #expect(try await registry.find(id) === session)
        clock.advance(by: 100)
        for _ in 0..<2 {
            #expect(await isGone(id, in: registry))
            await #expect(throws: SessionError.self) { try await registry.summary(of: id) }
        }
        registry.sweep()
        #expect(registry.count == 0)
        #expect(await isGone(id, in: registry))
        withExtendedLifetime(held) {}
    }

    @Test func ifTheFirstEventIsRefusedThereIsNoSession() async throws {
        let registry = registry()
        let injections: [EventInjection] = [
            .make("unknown.event"), .make("test.push"), .make("test.fail"), .make("test.push", at: "Unknown"),
            .make("navigation.back", if: VersionCondition(isOneOf: .some([1]))),
        ]
        for injection in injections {
            await #expect(throws: SessionError.self) { try await registry.begin(with: injection) }
            #expect(registry.count == 0)
            #expect(app.lives.living == 0)
        }
        let new = try await registry.begin(with: .push(5, wantsRoute: true))
        #expect(new.outcome?.version == 1)
        #expect(new.outcome?.route?.asState.state.path == "/stack/page/5")
        #expect(try await new.session.entries(after: 0, limit: 10).entries.map(\.event) == ["test.push"])
        #expect(app.trees.value == injections.count + 1)
    }

    @Test func aViewOfTheJournalHasNoEntriesAfterItsHead() async throws {
        let session = try await registry().begin().session
        _ = try await session.inject(.make("navigation.back"))
        let view = try await session.journal()
        _ = try await session.inject(.make("navigation.back"))
        #expect(try await view.entries(after: 0, limit: 10).map(\.version) == [1])
    }

    // MARK: Passivation

    /// Sessions of the test app begin with four coordinators.
    private var trees: Int { app.lives.living / 4 }

    @Test(arguments: [1, 2, 63, 64, 65, 100, 300])
    func idleSessionsLeaveMemoryWithinASlotAndNoneBefore(passivationTime: Int) async throws {
        let registry = registry(.make(passivationTime: passivationTime))
        let ids = try await begin(10, in: registry)
        clock.advance(by: passivationTime - 1)
        registry.sweep()
        #expect(trees == 10)
        clock.advance(by: 1 + 2 * max(1, passivationTime / 64))
        registry.sweep()
        #expect(app.lives.living == 0)
        #expect(registry.count == 10)
        // The version is known without a tree, both in a summary and after finding the session.
        let summary = try await registry.summary(of: ids[0])
        #expect(summary.state == .passive)
        #expect(summary.head.version == 0)
        for id in ids { #expect(try await registry.find(id).summary().state == .passive) }
        #expect(app.lives.living == 0)
        let session = try await registry.find(ids[0])
        #expect(try await session.route().route?.version == 0)
        #expect(trees == 1)
        #expect(try await session.summary().state == .live)
    }

    // MARK: Following

    @Test func aSessionWithFollowersIsInUse() async throws {
        let registry = registry(.make(idleTime: 100, passivationTime: 10))
        let id = try await begin(1, in: registry)[0]
        let follower = CountingFollower()
        let place = try #require(try await registry.find(id).follow(follower) { _, _ in true })
        for _ in 0..<5 {
            clock.advance(by: 1_000)
            registry.sweep()
            #expect(registry.count == 1)
            #expect(trees == 1)
        }
        let outcome = try await registry.find(id).inject(.push(1))
        #expect(outcome.version == 1)
        #expect(follower.versions == [1])
        try await registry.find(id).unfollow(place)
        clock.advance(by: 99)
        registry.sweep()
        #expect(trees == 0)
        #expect(registry.count == 1)
        clock.advance(by: 2)
        registry.sweep()
        #expect(registry.count == 0)
    }

    // MARK: Continuing with another registry

    @Test func releasedSessionsStayInTheJournal() async throws {
        let first = registry()
        let ids = try await begin(3, in: first)
        try await first.end(first.find(ids[2]))
        _ = try await first.find(ids[0]).inject(.push(1))
        let fork = try await first.fork(first.find(ids[0]), at: 1).head.record
        let heads = try await ids.prefix(2).asyncMap { try await first.summary(of: $0).head }
        let follower = CountingFollower()
        _ = try await first.find(ids[1]).follow(follower) { _, _ in true }
        first.drain()
        first.releaseAll()
        #expect(app.lives.living == 0)
        #expect(follower.wasLeft)
        #expect(first.count == 3)

        let second = SessionRegistry.make(
            app: app, journal: first.host.journal, clock: clock.clock, limits: .make(idleTime: 100))
        for head in heads {
            let summary = try await second.summary(of: head.record.id)
            #expect(summary.head.record == head.record)
            #expect(summary.head.version == head.version)
            #expect(summary.state == .passive)
        }
        #expect(try await second.find(ids[0]).route().route?.state.path == "/stack/page/1")
        #expect(try await second.summary(of: fork.id).head.record == fork)
        #expect(await isGone(ids[2], in: second))
        clock.advance(by: 101)
        second.sweep()
        #expect(second.count == 0)
    }
}
