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
}
