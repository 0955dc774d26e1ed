import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The memory limit, and the sessions that are ended when it is reached.
struct MemoryBudgetTests {
    private let clock = ManualClock()
    private let app = TestApp()

    private func registry(
        memory: Int = .max, sessions: Int = 1_000, journal: any Journal = MemoryJournal()
    ) -> SessionRegistry {
        .make(
            app: app, journal: journal, clock: clock.clock, limits: .make(maximumSessions: sessions), memory: memory)
    }

    @Test func memoryIsReleasedWhenWorkIsCancelled() throws {
        let registry = registry()
        let budget = registry.host.budget
        let sessions = try (0..<20).map { _ in try registry.begin().now().session }
        for session in sessions { for number in 1...50 { _ = try session.inject(.push(number)).now() } }
        #expect(budget.bytes(of: .trees) >= 20 * 50 * 768)
        #expect(budget.bytes(of: .histories) >= 20 * 50 * 30)
        for session in sessions { try registry.end(session).now() }
        #expect(MemoryBudget.Kind.allCases.allSatisfy { budget.bytes(of: $0) == 0 })
    }

    @Test func memoryIsReleasedWhenASessionExpires() throws {
        let registry = registry()
        for _ in 0..<20 { _ = try registry.begin(with: .push(1)).now() }
        clock.advance(by: 4_000)
        registry.sweep()
        #expect(registry.count == 0)
        #expect(registry.host.budget.used == 0)
    }

    @Test func unusedTreesAreReleasedBeforeAnythingIsRefused() throws {
        let registry = registry(memory: 1 << 20)
        for _ in 0..<400 { _ = try registry.begin(with: .push(1)).now() }
        #expect(registry.count == 400)
        #expect(registry.host.counters.trees < 128)
        #expect(app.lives.living < 1_000)
    }

    @Test func aFewTreesCanBeRebuiltEvenIfMemoryIsFull() {
        let budget = MemoryBudget(limit: 1_600, journal: MemoryJournal())
        budget.charge(1_600, to: .bodies)
        #expect(budget.isFull && budget.mayWake)
        budget.charge(100, to: .trees)
        #expect(!budget.mayWake)
    }

    @Test func noTreeIsReleasedWhileThereIsRoom() throws {
        let registry = registry(memory: 1 << 24)
        for _ in 0..<400 { _ = try registry.begin(with: .push(1)).now() }
        #expect(registry.host.budget.bytes(of: .trees) > 1 << 20)
        #expect(registry.host.counters.trees == 400)
    }

    @Test func memoryIsReleasedAfterALookBackAndAnImport() throws {
        let registry = registry()
        let budget = registry.host.budget
        let session = try registry.begin(with: .push(1)).now().session
        for number in 2...20 { _ = try session.inject(.push(number)).now() }
        _ = try session.route(at: 19).now()
        #expect(budget.bytes(of: .replays) == 0)
        do {
            let upload = try SessionImport(into: registry)
            upload.read(Array(TestApp.recording.joined(separator: "\n").utf8))
            #expect(budget.bytes(of: .imports) > 0)
            _ = try upload.finish().now()
        }
        #expect(budget.bytes(of: .imports) == 0)
        #expect(registry.host.scheduler.jobCount == 0)
    }

    @Test func aLookBackThatGrowsBeyondTheLimitIsRefused() throws {
        let session = try registry().begin().now().session
        for number in 1...50 { _ = try session.inject(.push(number)).now() }
        let journal = session.host.journal
        let full = SessionRegistry.make(
            app: app, journal: journal, clock: clock.clock, memory: journal.memoryUse + 20_000)
        let same = try full.find(session.id).now()
        guard case .failure(.memoryIsFull) = same.route(at: 50).result else {
            Issue.record("The replay was not refused.")
            return
        }
        #expect(full.host.budget.bytes(of: .replays) == 0)
        #expect(try same.route(at: 1).now().route?.version == 1)
    }

    @Test func beyondTheLimitNothingIsAcceptedAndEverythingCanBeRead() throws {
        let registry = registry(memory: 1 << 20)
        let session = try registry.begin(with: .push(1)).now().session
        let id = session.id
        let budget = registry.host.budget
        budget.charge(1 << 20, to: .imports)
        func isRefused<Value>(_ future: Future<Value, SessionError>) -> Bool {
            if case .failure(.memoryIsFull) = future.result { true } else { false }
        }
        #expect(isRefused(registry.begin()))
        #expect(isRefused(registry.begin(with: .push(1))))
        #expect(isRefused(registry.fork(session, at: 1)))
        #expect(isRefused(session.inject(.push(2))))
        #expect(throws: SessionError.self) { try SessionImport(into: registry) }
        #expect(registry.count == 1)
        #expect(try session.route().now().route?.version == 1)
        #expect(try session.entries(after: 0, limit: 10).now().entries.count == 1)
        #expect(try registry.summary(of: id).now().head.version == 1)
        try registry.end(session).now()
        #expect(registry.count == 0)
        budget.charge(-(1 << 20), to: .imports)
        #expect(try registry.begin(with: .push(1)).now().outcome?.version == 1)
    }

    @Test func aTreeIsNotRebuiltWithoutRoom() throws {
        let registry = registry()
        let id = try registry.begin(with: .push(1)).now().session.id
        clock.advance(by: 400)
        registry.sweep()
        let full = SessionRegistry.make(app: app, journal: registry.host.journal, clock: clock.clock, memory: 1)
        let session = try full.find(id).now()
        guard case .failure(.memoryIsFull) = session.route().result else {
            Issue.record("The session was woken.")
            return
        }
        try full.end(session).now()
        #expect(full.count == 0)
    }

    // MARK: Sessions that are ended for others

    @Test func sessionsWithoutAnEventAreEndedForNewOnesOldestFirst() throws {
        let registry = registry(sessions: 10)
        let used = try (0..<5).map { try registry.begin(with: .push(1), for: ClientKey(number: $0)).now().session.id }
        let unused = try (0..<5 as Range<UInt64>).map {
            clock.advance(by: 1)
            return try registry.begin(for: ClientKey(number: $0)).now().session.id
        }
        clock.advance(by: CreatedSessions.protection)
        for round in 0..<3 as Range<UInt64> {
            _ = try registry.begin(with: .push(1), for: ClientKey(number: 10 + round)).now()
        }
        #expect(registry.count == 10)
        for id in used { _ = try registry.find(id).now() }
        for id in unused.prefix(3) { #expect(throws: SessionError.self) { try registry.find(id).now() } }
        for id in unused.suffix(2) { _ = try registry.find(id).now() }
        #expect(throws: SessionError.self) { try registry.begin(with: .push(1)).now() }
        clock.advance(by: CreatedSessions.protection)
        for _ in 0..<2 { _ = try registry.begin(with: .push(1)).now() }
        #expect(throws: SessionError.self) { try registry.begin().now() }
        #expect(registry.count == 10)
    }

    @Test func aSessionThatAcceptedAnEventIsKept() throws {
        let registry = registry(sessions: 2)
        let sessions = try (0..<2).map { _ in try registry.begin().now().session }
        _ = try sessions[0].inject(.push(1)).now()
        clock.advance(by: CreatedSessions.protection)
        _ = try registry.begin(with: .push(1)).now()
        #expect(sessions.map(\.hasEnded) == [false, true])
        #expect(throws: SessionError.self) { try registry.begin().now() }
    }

    @Test func aClientThatCreatesSessionsWithoutEndReplacesItsOwn() throws {
        let registry = registry(sessions: 20)
        let others = try (0..<3).map { try registry.begin(for: ClientKey(number: $0)).now().session }
        for round in 1...4 {
            var made = 0
            for _ in 0..<50 where (try? registry.begin(for: 100).now()) != nil { made += 1 }
            #expect(made == 15)
            #expect(others.allSatisfy { !$0.hasEnded }, "round \(round)")
            // Two sessions are left to others.
            #expect(registry.count == 18)
            clock.advance(by: CreatedSessions.protection)
        }
    }

    /// If other servers use the journal, only the journal knows that it is full. A use ends a session's turn to leave.
    @Test(arguments: [false, true], [false, true])
    func aPassiveSessionCanBeEndedForANewOne(isShared: Bool, isUsed: Bool) throws {
        let registry = registry(sessions: 2, journal: FaultyJournal(isShared: isShared))
        let ids = try (0..<2).map { _ in
            clock.advance(by: 1)
            return try registry.begin().now().session.id
        }
        clock.advance(by: 400)
        registry.sweep()
        #expect(registry.host.counters.trees == 0)
        if isUsed { _ = try registry.summary(of: ids[0]).now() }
        _ = try registry.begin().now()
        let (ended, kept) = isUsed ? (ids[1], ids[0]) : (ids[0], ids[1])
        #expect(throws: SessionError.self) { try registry.find(ended).now() }
        _ = try registry.find(kept).now()
    }

    @Test func unusedSessionsAreEndedIfMemoryIsFull() throws {
        let registry = registry(memory: 1 << 20, sessions: 100_000)
        #expect(throws: SessionError.self) {
            for _ in 0..<5_000 { _ = try registry.begin().now() }
        }
        #expect(registry.count < 5_000)
        #expect(registry.host.budget.used < (1 << 20) + 20_000)
        clock.advance(by: CreatedSessions.protection)
        _ = try registry.begin(with: .push(1)).now()
    }

    // MARK: A full history

    @Test func noEventIsAcceptedBeyondTheMaximum() throws {
        let session = try SessionRegistry.make(app: app, limits: .make(maximumEvents: 2)).begin().now().session
        for number in 1...2 { _ = try session.inject(.push(number)).now() }
        guard case .failure(.historyIsFull) = session.inject(.push(3)).result else {
            Issue.record("The event was accepted.")
            return
        }
    }

    @Test func anEventBeyondTheHistoryLimitReleasesTheTreeOnce() throws {
        let registry = registry(journal: MemoryJournal(maximumSize: 5_000))
        let session = try registry.begin().now().session
        var count = 0
        while case .success = session.inject(.push(1)).result { count += 1 }
        #expect(count > 10)
        _ = try session.route().now()
        let wakings = registry.host.counters.wakings
        for _ in 0..<10 { #expect(throws: SessionError.self) { try session.inject(.push(1)).now() } }
        _ = try session.route().now()
        #expect(registry.host.counters.wakings == wakings)
    }
}
