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
    private func begin(_ count: Int, in registry: SessionRegistry) throws -> [SessionID] {
        try (0..<count).map { _ in try registry.begin().now().session.id }
    }

    private func isGone(_ id: SessionID, in registry: SessionRegistry) -> Bool {
        guard case .now(.failure(.hasEnded)) = registry.find(id) else { return false }
        return true
    }

    @Test func aSessionIsFoundUntilItEnds() throws {
        let registry = registry()
        let session = try registry.begin().now().session
        #expect(try registry.find(session.id).now() === session)
        #expect(isGone(.random(), in: registry))
        try registry.end(session).now()
        #expect(isGone(session.id, in: registry))
        #expect(registry.count == 0)
        for error in [
            #expect(throws: SessionError.self) { try registry.end(session).now() },
            #expect(throws: SessionError.self) { try session.summary().now() },
            #expect(throws: SessionError.self) { try session.route().now() },
            #expect(throws: SessionError.self) { try session.inject(.push(1)).now() },
        ] {
            guard case .hasEnded = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(app.lives.living == 0)
    }

    @Test(arguments: [1, 2, 63, 64, 65, 100, 1_800])
    func idleSessionsAreEndedWithinASlotAndNoneBefore(idleTime: Int) throws {
        let registry = registry(.make(idleTime: idleTime))
        _ = try begin(20, in: registry)
        clock.advance(by: idleTime - 1)
        registry.sweep()
        #expect(registry.count == 20)
        clock.advance(by: 1 + 2 * max(1, idleTime / 64))
        registry.sweep()
        #expect(registry.count == 0)
        #expect(app.lives.living == 0)
    }

    @Test func aSessionInUseMovesOnHoweverOften() throws {
        let registry = registry()
        let used = try registry.begin().now().session
        let idle = try begin(1, in: registry)[0]
        for _ in 0..<50 {
            clock.advance(by: 30)
            registry.sweep()
            #expect(try registry.find(used.id).now() === used)
        }
        #expect(registry.count == 1)
        #expect(isGone(idle, in: registry))
    }

    @Test(arguments: [false, true]) func anExpiredSessionIsNotFoundEvenWithoutASweep(isHeld: Bool) throws {
        let registry = registry()
        let session = try registry.begin().now().session
        let id = session.id
        let held = isHeld ? session : nil
        clock.advance(by: 99)
        #expect(try registry.find(id).now() === session)
        clock.advance(by: 100)
        for _ in 0..<2 {
            #expect(isGone(id, in: registry))
            #expect(throws: SessionError.self) { try registry.summary(of: id).now() }
        }
        registry.sweep()
        #expect(registry.count == 0)
        #expect(isGone(id, in: registry))
        withExtendedLifetime(held) {}
    }

    @Test func anExpiredSessionThatWasNotInMemoryIsNotFound() throws {
        let registry = registry(.make(idleTime: 100, passivationTime: 10))
        let ids = try begin(2, in: registry)
        clock.advance(by: 99)
        registry.sweep()
        #expect(app.lives.living == 0)
        _ = try registry.find(ids[0]).now()
        clock.advance(by: 1)
        #expect(isGone(ids[1], in: registry))
        _ = try registry.find(ids[0]).now()
    }

    @Test func thereAreNeverMoreSessionsThanTheLimit() async throws {
        let registry = registry(.make(maximumSessions: 10, idleTime: 100))
        let ids = await withTaskGroup(of: SessionID?.self) { group in
            for _ in 0..<50 {
                group.addTask { try? registry.begin(with: .push(1)).now().session.id }
            }
            return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(ids.count == 10)
        #expect(registry.count == 10)
        #expect(registry.isFull)
        for id in ids { try await registry.end(registry.find(id).value).value }
        #expect(registry.count == 0)
        #expect(!registry.isFull)
        #expect(app.lives.living == 0)
    }

    @Test func ifTheFirstEventIsRefusedThereIsNoSession() throws {
        let registry = registry()
        let injections: [EventInjection] = [
            .make("unknown.event"), .make("test.push"), .make("test.fail"), .make("test.push", at: "Unknown"),
            .make("navigation.back", if: VersionCondition(isOneOf: .some([1]))),
        ]
        for injection in injections {
            #expect(throws: SessionError.self) { try registry.begin(with: injection).now() }
            #expect(registry.count == 0)
            #expect(app.lives.living == 0)
        }
        let new = try registry.begin(with: .push(5, wantsRoute: true)).now()
        #expect(new.outcome?.version == 1)
        #expect(new.outcome?.route?.asState.state.path == "/stack/page/5")
        #expect(try new.session.entries(after: 0, limit: 10).now().entries.map(\.event) == ["test.push"])
        #expect(app.trees.value == injections.count + 1)
    }

    // MARK: Passivation

    /// Sessions of the test app begin with four coordinators.
    private var trees: Int { app.lives.living / 4 }

    @Test(arguments: [1, 2, 63, 64, 65, 100, 300])
    func idleSessionsLeaveMemoryWithinASlotAndNoneBefore(passivationTime: Int) throws {
        let registry = registry(.make(passivationTime: passivationTime))
        let ids = try begin(10, in: registry)
        clock.advance(by: passivationTime - 1)
        registry.sweep()
        #expect(trees == 10)
        clock.advance(by: 1 + 2 * max(1, passivationTime / 64))
        registry.sweep()
        #expect(app.lives.living == 0)
        #expect(registry.count == 10)
        // The version is known without a tree, both in a summary and after finding the session.
        let summary = try registry.summary(of: ids[0]).now()
        #expect(summary.state == .passive)
        #expect(summary.head.version == 0)
        for id in ids { #expect(try registry.find(id).now().summary().now().state == .passive) }
        #expect(app.lives.living == 0)
        let session = try registry.find(ids[0]).now()
        #expect(try session.route().now().route?.version == 0)
        #expect(trees == 1)
        #expect(try session.summary().now().state == .live)
    }

    @Test func aSessionInUseKeepsItsTree() throws {
        let registry = registry(.make(passivationTime: 60))
        let ids = try begin(2, in: registry)
        for _ in 0..<20 {
            clock.advance(by: 30)
            registry.sweep()
            _ = try registry.find(ids[0]).now()
        }
        #expect(app.trees.value == 2)
        #expect(trees == 1)
        _ = try registry.find(ids[1]).now().route().now()
        #expect(app.trees.value == 3)
    }

    @Test func aSessionThatIsHeldStaysInMemory() throws {
        let registry = registry(.make(passivationTime: 60))
        let session = try registry.begin().now().session
        clock.advance(by: 70)
        registry.sweep()
        #expect(trees == 1)
        #expect(try registry.find(session.id).now() === session)
    }

    @Test func aPassiveSessionExpiresWhenItWouldHave() throws {
        let registry = registry(.make(idleTime: 1_000, passivationTime: 60))
        let ids = try begin(5, in: registry)
        for _ in 0..<9 {
            clock.advance(by: 100)
            registry.sweep()
            #expect(trees == 0)
            #expect(registry.count == 5)
        }
        clock.advance(by: 99)
        registry.sweep()
        #expect(try registry.find(ids[0]).now().summary().now().head.version == 0)
        clock.advance(by: 3)
        registry.sweep()
        #expect(registry.count == 1)
        #expect(isGone(ids[1], in: registry))
        clock.advance(by: 1_100)
        registry.sweep()
        #expect(registry.count == 0)
        #expect(app.trees.value == 5)
    }

    @Test func readingASummaryOfAPassiveSessionIsAUse() throws {
        let registry = registry(.make(idleTime: 1_000, passivationTime: 60))
        let id = try begin(1, in: registry)[0]
        for _ in 0..<5 {
            clock.advance(by: 900)
            registry.sweep()
            #expect(
                try registry.summary(of: id).now().expiresAt == clock.clock.moment(at: clock.clock.uptime() + 1_000))
        }
        #expect(trees == 0)
        clock.advance(by: 1_000)
        #expect(isGone(id, in: registry))
    }

    @Test(arguments: [(10, 60), (60, 60), (1, 1)])
    func sessionsThatExpireBeforeTheyBecomePassiveAreEnded(idleTime: Int, passivationTime: Int) throws {
        let registry = registry(.make(idleTime: idleTime, passivationTime: passivationTime))
        _ = try begin(3, in: registry)
        clock.advance(by: idleTime + 2)
        registry.sweep()
        #expect(registry.count == 0)
        #expect(app.lives.living == 0)
    }

    @Test func endingAPassiveSessionReportsItsEnd() throws {
        let registry = registry(.make(passivationTime: 60))
        let ids = try begin(3, in: registry)
        clock.advance(by: 70)
        registry.sweep()
        try registry.end(registry.find(ids[0]).now()).now()
        #expect(isGone(ids[0], in: registry))
        #expect(registry.count == 2)
        #expect(app.trees.value == 3)
    }

    // MARK: Following

    @Test func aFollowerCanReadTheVersionItLearnsOf() throws {
        let registry = registry()
        let session = try registry.find(begin(1, in: registry)[0]).now()
        let follower = ReadingFollower(session)
        _ = try session.follow(follower) { _, _ in
            follower.readSession()
            return true
        }.now()
        _ = try session.inject(.push(1)).now()
        _ = try session.inject(.push(2)).now()
        #expect(follower.versions == [0, 1, 2])
    }

    @Test func aSessionWithFollowersIsInUse() throws {
        let registry = registry(.make(idleTime: 100, passivationTime: 10))
        let id = try begin(1, in: registry)[0]
        let follower = CountingFollower()
        let place = try #require(try registry.find(id).now().follow(follower) { _, _ in true }.now())
        for _ in 0..<5 {
            clock.advance(by: 1_000)
            registry.sweep()
            #expect(registry.count == 1)
            #expect(trees == 1)
        }
        let outcome = try registry.find(id).now().inject(.push(1)).now()
        #expect(outcome.version == 1)
        #expect(follower.versions == [1])
        try registry.find(id).now().unfollow(place)
        clock.advance(by: 99)
        registry.sweep()
        #expect(trees == 0)
        #expect(registry.count == 1)
        clock.advance(by: 2)
        registry.sweep()
        #expect(registry.count == 0)
    }

    // MARK: Continuing with another registry

    @Test func releasedSessionsStayInTheJournal() throws {
        let first = registry()
        let ids = try begin(3, in: first)
        try first.end(first.find(ids[2]).now()).now()
        _ = try first.find(ids[0]).now().inject(.push(1)).now()
        let fork = try first.fork(first.find(ids[0]).now(), at: 1).now().head.record
        let heads = try ids.prefix(2).map { try first.summary(of: $0).now().head }
        let follower = CountingFollower()
        _ = try first.find(ids[1]).now().follow(follower) { _, _ in true }.now()
        first.drain()
        first.releaseAll()
        #expect(app.lives.living == 0)
        #expect(follower.wasLeft)
        #expect(first.count == 3)

        let second = SessionRegistry.make(
            app: app, journal: first.host.journal, clock: clock.clock, limits: .make(idleTime: 100))
        for head in heads {
            let summary = try second.summary(of: head.record.id).now()
            #expect(summary.head.record == head.record)
            #expect(summary.head.version == head.version)
            #expect(summary.state == .passive)
        }
        #expect(try second.find(ids[0]).now().route().now().route?.state.path == "/stack/page/1")
        #expect(try second.summary(of: fork.id).now().head.record == fork)
        #expect(isGone(ids[2], in: second))
        clock.advance(by: 101)
        second.sweep()
        #expect(second.count == 0)
    }

    @Test func aServerHostsTheSessionsOfItsOwnAppOnly() throws {
        let first = registry()
        let id = try begin(1, in: first)[0]
        first.releaseAll()
        let other = SessionRegistry.make(
            app: try RacingApp.make(), journal: first.host.journal, clock: clock.clock, limits: .make(idleTime: 100))
        #expect(isGone(id, in: other))
        #expect(throws: SessionError.self) { try other.summary(of: id).now() }
        #expect(try other.list(limit: 10, after: nil, path: nil).now().sessions.isEmpty)
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
        let version: Int? =
            if case .success(.route(let version, _))? = session.route().result { version } else { nil }
        read.withLock { $0.append(version) }
    }

    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool {
        readSession()
        return true
    }

    func didEnd() {}
    func wasReleased() {}
}
