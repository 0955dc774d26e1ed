import Testing

@testable import CoordinateServer

/// Which sessions there are, by a clock that only the test moves.
struct SessionRegistryTests {
    private let clock = ManualClock()
    private let app = TestApp()
    private let host: AppHost

    init() {
        host = AppHost(app: app, clock: clock.clock, logger: .silent, limits: .make(idleTime: 100))
    }

    private func registry(limit: Int = 1_000) -> SessionRegistry {
        SessionRegistry(limit: limit, limits: host.limits, clock: clock.clock)
    }

    @Test func aSessionIsFoundUntilItEnds() throws {
        let registry = registry()
        let session = try Session(host: host)
        try registry.add(session)
        #expect(registry.find(session.id) === session)
        #expect(registry.find(.random()) == nil)
        #expect(registry.end(session.id))
        #expect(registry.find(session.id) == nil)
        #expect(!registry.end(session.id))
        #expect(registry.count == 0)
        #expect(throws: SessionError.self) { try session.summary() }
    }

    @Test(arguments: [1, 2, 63, 64, 65, 100, 1_800])
    func idleSessionsAreEndedWithinASlotAndNoneBefore(idleTime: Int) throws {
        let host = AppHost(app: app, clock: clock.clock, logger: .silent, limits: .make(idleTime: idleTime))
        let registry = SessionRegistry(limit: 1_000, limits: host.limits, clock: clock.clock)
        for _ in 0..<20 { try registry.add(Session(host: host)) }
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
        let used = try Session(host: host)
        let idle = try Session(host: host)
        try registry.add(used)
        try registry.add(idle)
        for _ in 0..<50 {
            clock.advance(by: 30)
            registry.sweep()
            #expect(registry.find(used.id) === used)
        }
        #expect(registry.count == 1)
        #expect(registry.find(idle.id) == nil)
    }

    @Test func anExpiredSessionIsNotFoundThoughNobodySweptIt() throws {
        let registry = registry()
        let session = try Session(host: host)
        try registry.add(session)
        clock.advance(by: 100)
        #expect(registry.find(session.id) == nil)
        #expect(registry.count == 0)
        registry.sweep()
        #expect(registry.count == 0)
    }

    @Test func thereAreNeverMoreThanTheLimit() async throws {
        let registry = registry(limit: 10)
        let host = host
        let added = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { (try? registry.add(Session(host: host))) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(added == 10)
        #expect(registry.count == 10)
        #expect(registry.isFull)
        registry.endAll()
        #expect(registry.count == 0)
        #expect(!registry.isFull)
        #expect(app.lives.living == 0)
    }

    // MARK: Passivation

    private func registry(
        of count: Int, _ limits: Limits
    ) throws -> (registry: SessionRegistry, sessions: [Session]) {
        let host = AppHost(app: app, clock: clock.clock, logger: .silent, limits: limits)
        let registry = SessionRegistry(limit: 1_000, limits: limits, clock: clock.clock)
        let sessions = try (0..<count).map { _ in try Session(host: host) }
        for session in sessions { try registry.add(session) }
        return (registry, sessions)
    }

    /// Sessions of the test app begin with four coordinators.
    private var trees: Int { app.lives.living / 4 }

    @Test(arguments: [1, 2, 63, 64, 65, 100, 300])
    func idleSessionsLoseTheirTreesWithinASlotAndNoneBefore(passivationTime: Int) throws {
        let (registry, sessions) = try registry(of: 10, .make(passivationTime: passivationTime))
        clock.advance(by: passivationTime - 1)
        registry.sweep()
        #expect(trees == 10)
        clock.advance(by: 1 + 2 * max(1, passivationTime / 64))
        registry.sweep()
        #expect(app.lives.living == 0)
        #expect(registry.count == 10)
        for session in sessions { #expect(registry.find(session.id) === session) }
        #expect(app.lives.living == 0)
        #expect(try sessions[0].summary().version == 0)
        #expect(trees == 1)
    }

    @Test func aSessionInUseKeepsItsTree() throws {
        let (registry, sessions) = try registry(of: 2, .make(passivationTime: 60))
        for _ in 0..<20 {
            clock.advance(by: 30)
            registry.sweep()
            #expect(registry.find(sessions[0].id) === sessions[0])
        }
        #expect(app.trees.value == 2)
        #expect(trees == 1)
        _ = try sessions[1].summary()
        #expect(app.trees.value == 3)
    }

    @Test func aSessionLosesItsTreeAgainAndAgain() throws {
        let (registry, sessions) = try registry(of: 1, .make(passivationTime: 60))
        for round in 1...20 {
            clock.advance(by: 70)
            registry.sweep()
            #expect(trees == 0)
            let session = try #require(registry.find(sessions[0].id))
            #expect(try session.summary().version == 0)
            #expect(trees == 1)
            #expect(app.trees.value == round + 1)
            registry.sweep()
            #expect(trees == 1)
        }
    }

    @Test func aPassiveSessionExpiresWhenItWouldHave() throws {
        let (registry, sessions) = try registry(of: 5, .make(idleTime: 1_000, passivationTime: 60))
        for _ in 0..<9 {
            clock.advance(by: 100)
            registry.sweep()
            #expect(trees == 0)
            #expect(registry.count == 5)
        }
        clock.advance(by: 99)
        registry.sweep()
        #expect(registry.find(sessions[0].id) === sessions[0])
        clock.advance(by: 3)
        registry.sweep()
        #expect(registry.count == 1)
        #expect(throws: SessionError.self) { try sessions[1].summary() }
        clock.advance(by: 1_100)
        registry.sweep()
        #expect(registry.count == 0)
        #expect(app.trees.value == 5)
    }

    @Test(arguments: [(10, 60), (60, 60), (1, 1)])
    func sessionsThatExpireBeforeTheyBecomePassiveAreEnded(idleTime: Int, passivationTime: Int) throws {
        let (registry, _) = try registry(of: 3, .make(idleTime: idleTime, passivationTime: passivationTime))
        clock.advance(by: idleTime + 2)
        registry.sweep()
        #expect(registry.count == 0)
        #expect(app.lives.living == 0)
    }

    @Test func endingPassiveSessionsIsAnEnd() throws {
        let (registry, sessions) = try registry(of: 3, .make(passivationTime: 60))
        clock.advance(by: 70)
        registry.sweep()
        registry.end(sessions[0].id)
        #expect(throws: SessionError.self) { try sessions[0].summary() }
        registry.endAll()
        #expect(registry.count == 0)
        #expect(throws: SessionError.self) { try sessions[1].summary() }
        #expect(app.trees.value == 3)
    }
}
