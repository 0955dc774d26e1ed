import Coordinate
import Racing
import SessionFixtures
import Synchronization
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
        if case .hasEnded = await failure({ try await registry.find(id) }) { true } else { false }
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
            await #expect(throws: SessionError.self) { try await registry.end(session) },
            await #expect(throws: SessionError.self) { try await session.summary() },
            await #expect(throws: SessionError.self) { try await session.route() },
            await #expect(throws: SessionError.self) { try await session.inject(.push(1)) },
        ] {
            guard case .hasEnded = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
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

    @Test func aSessionInUseMovesOnHoweverOften() async throws {
        let registry = registry()
        let used = try await registry.begin().session
        let idle = try await begin(1, in: registry)[0]
        for _ in 0..<50 {
            clock.advance(by: 30)
            registry.sweep()
            #expect(try await registry.find(used.id) === used)
        }
        #expect(registry.count == 1)
        #expect(await isGone(idle, in: registry))
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

    @Test func anExpiredSessionThatWasNotInMemoryIsNotFound() async throws {
        let registry = registry(.make(idleTime: 100, passivationTime: 10))
        let ids = try await begin(2, in: registry)
        clock.advance(by: 99)
        registry.sweep()
        #expect(app.lives.living == 0)
        _ = try await registry.find(ids[0])
        clock.advance(by: 1)
        #expect(await isGone(ids[1], in: registry))
        _ = try await registry.find(ids[0])
    }

    @Test func thereAreNeverMoreSessionsThanTheLimit() async throws {
        let registry = registry(.make(maximumSessions: 10, idleTime: 100))
        let ids = await withTaskGroup(of: SessionID?.self) { group in
            for _ in 0..<50 {
                group.addTask { try? await registry.begin(with: .push(1)).session.id }
            }
            return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(ids.count == 10)
        #expect(registry.count == 10)
        #expect(registry.isFull)
        for id in ids { try await registry.end(registry.find(id)) }
        #expect(registry.count == 0)
        #expect(!registry.isFull)
        #expect(app.lives.living == 0)
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

    @Test func aSessionInUseKeepsItsTree() async throws {
        let registry = registry(.make(passivationTime: 60))
        let ids = try await begin(2, in: registry)
        for _ in 0..<20 {
            clock.advance(by: 30)
            registry.sweep()
            _ = try await registry.find(ids[0])
        }
        #expect(app.trees.value == 2)
        #expect(trees == 1)
        _ = try await registry.find(ids[1]).route()
        #expect(app.trees.value == 3)
    }

    @Test func aSessionThatIsHeldStaysInMemory() async throws {
        let registry = registry(.make(passivationTime: 60))
        let session = try await registry.begin().session
        clock.advance(by: 70)
        registry.sweep()
        #expect(trees == 1)
        #expect(try await registry.find(session.id) === session)
    }

    @Test func aPassiveSessionExpiresWhenItWouldHave() async throws {
        let registry = registry(.make(idleTime: 1_000, passivationTime: 60))
        let ids = try await begin(5, in: registry)
        for _ in 0..<9 {
            clock.advance(by: 100)
            registry.sweep()
            #expect(trees == 0)
            #expect(registry.count == 5)
        }
        clock.advance(by: 99)
        registry.sweep()
        #expect(try await registry.find(ids[0]).summary().head.version == 0)
        clock.advance(by: 3)
        registry.sweep()
        #expect(registry.count == 1)
        #expect(await isGone(ids[1], in: registry))
        clock.advance(by: 1_100)
        registry.sweep()
        #expect(registry.count == 0)
        #expect(app.trees.value == 5)
    }

    @Test func readingASummaryOfAPassiveSessionIsAUse() async throws {
        let registry = registry(.make(idleTime: 1_000, passivationTime: 60))
        let id = try await begin(1, in: registry)[0]
        for _ in 0..<5 {
            clock.advance(by: 900)
            registry.sweep()
            #expect(
                try await registry.summary(of: id).expiresAt == clock.clock.moment(at: clock.clock.uptime() + 1_000))
        }
        #expect(trees == 0)
        clock.advance(by: 1_000)
        #expect(await isGone(id, in: registry))
    }

    @Test(arguments: [(10, 60), (60, 60), (1, 1)])
    func sessionsThatExpireBeforeTheyBecomePassiveAreEnded(idleTime: Int, passivationTime: Int) async throws {
        let registry = registry(.make(idleTime: idleTime, passivationTime: passivationTime))
        _ = try await begin(3, in: registry)
        clock.advance(by: idleTime + 2)
        registry.sweep()
        #expect(registry.count == 0)
        #expect(app.lives.living == 0)
    }

    @Test func endingAPassiveSessionReportsItsEnd() async throws {
        let registry = registry(.make(passivationTime: 60))
        let ids = try await begin(3, in: registry)
        clock.advance(by: 70)
        registry.sweep()
        try await registry.end(registry.find(ids[0]))
        #expect(await isGone(ids[0], in: registry))
        #expect(registry.count == 2)
        #expect(app.trees.value == 3)
    }

    // MARK: Following

    @Test func aFollowerCanReadTheVersionItLearnsOf() async throws {
        let registry = registry()
        let session = try await registry.find(begin(1, in: registry)[0])
        let follower = ReadingFollower(session)
        _ = try await session.follow(follower) { _, _ in
            follower.readSession()
            return true
        }
        _ = try await session.inject(.push(1))
        _ = try await session.inject(.push(2))
        #expect(follower.versions == [0, 1, 2])
    }

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

    @Test func aServerHostsTheSessionsOfItsOwnAppOnly() async throws {
        let first = registry()
        let id = try await begin(1, in: first)[0]
        first.releaseAll()
        let other = SessionRegistry.make(
            app: try RacingApp.make(), journal: first.host.journal, clock: clock.clock, limits: .make(idleTime: 100))
        #expect(await isGone(id, in: other))
        await #expect(throws: SessionError.self) { try await other.summary(of: id) }
        #expect(try await other.list(limit: 10, after: nil, path: nil).sessions.isEmpty)
    }
}

/// A follower whose client reads the session as soon as it is notified.
private final class ReadingFollower: SessionFollower {
    private unowned let session: Session
    private let read = Mutex<[Int?]>([])

    init(_ session: Session) { self.session = session }

    /// The versions that were read, in order; `nil` if there was none to read at once.
    var versions: [Int?] { read.withLock { $0 } }

    func readSession() {
        let version = session.publishedRoute?.asState.version
        read.withLock { $0.append(version) }
    }

    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool {
        readSession()
        return true
    }

    func didEnd() {}
    func wasReleased() {}
}
