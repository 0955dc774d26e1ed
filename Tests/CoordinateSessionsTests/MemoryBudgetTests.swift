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

    @Test func memoryIsReleasedWhenWorkIsCancelled() async throws {
        let registry = registry()
        let budget = registry.host.budget
        let sessions = try await (0..<20).asyncMap { _ in try await registry.begin().session }
        for session in sessions { for number in 1...50 { _ = try await session.inject(.push(number)) } }
        #expect(budget.bytes(of: .trees) >= 20 * 50 * 768)
        #expect(budget.bytes(of: .histories) >= 20 * 50 * 30)
        for session in sessions { try await registry.end(session) }
        #expect(MemoryBudget.Kind.allCases.allSatisfy { budget.bytes(of: $0) == 0 })
    }

    @Test func unusedTreesAreReleasedBeforeAnythingIsRefused() async throws {
        let registry = registry(memory: 1 << 20)
        for _ in 0..<400 { _ = try await registry.begin(with: .push(1)) }
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

    @Test func memoryIsReleasedAfterALookBackAndAnImport() async throws {
        let registry = registry()
        let budget = registry.host.budget
        let session = try await registry.begin(with: .push(1)).session
        for number in 2...20 { _ = try await session.inject(.push(number)) }
        _ = try await session.route(at: 19)
        #expect(budget.bytes(of: .replays) == 0)
        do {
            let upload = try SessionImport(into: registry)
            upload.read(Array(TestApp.recording.joined(separator: "\n").utf8))
            #expect(budget.bytes(of: .imports) > 0)
            _ = try await upload.finish()
        }
        #expect(budget.bytes(of: .imports) == 0)
        #expect(registry.host.scheduler.jobCount == 0)
    }

    @Test func aLookBackThatGrowsBeyondTheLimitIsRefused() async throws {
        let session = try await registry().begin().session
        for number in 1...50 { _ = try await session.inject(.push(number)) }
        let journal = session.host.journal
        let full = SessionRegistry.make(
            app: app, journal: journal, clock: clock.clock, memory: journal.memoryUse + 20_000)
        let same = try await full.find(session.id)
        #expect(await failure { try await same.route(at: 50) }?.word == "memoryIsFull")
        #expect(full.host.budget.bytes(of: .replays) == 0)
        #expect(try await same.route(at: 1).route?.version == 1)
    }

    @Test func beyondTheLimitNothingIsAcceptedAndEverythingCanBeRead() async throws {
        let registry = registry(memory: 1 << 20)
        let session = try await registry.begin(with: .push(1)).session
        let id = session.id
        let budget = registry.host.budget
        budget.charge(1 << 20, to: .imports)
        func isRefused<Value>(_ call: () async throws -> Value) async -> Bool {
            await failure(call)?.word == "memoryIsFull"
        }
        #expect(await isRefused { try await registry.begin() })
        #expect(await isRefused { try await registry.begin(with: .push(1)) })
        #expect(await isRefused { try await registry.fork(session, at: 1) })
        #expect(await isRefused { try await session.inject(.push(2)) })
        #expect(throws: SessionError.self) { try SessionImport(into: registry) }
        #expect(registry.count == 1)
        #expect(try await session.route().route?.version == 1)
        #expect(try await session.entries(after: 0, limit: 10).entries.count == 1)
        #expect(try await registry.summary(of: id).head.version == 1)
        try await registry.end(session)
        #expect(registry.count == 0)
        budget.charge(-(1 << 20), to: .imports)
        #expect(try await registry.begin(with: .push(1)).outcome?.version == 1)
    }

    @Test func aTreeIsNotRebuiltWithoutRoom() async throws {
        let registry = registry()
        let id = try await registry.begin(with: .push(1)).session.id
        clock.advance(by: 400)
        registry.sweep()
        let full = SessionRegistry.make(app: app, journal: registry.host.journal, clock: clock.clock, memory: 1)
        let session = try await full.find(id)
        #expect(await failure { try await session.route() }?.word == "memoryIsFull")
        try await full.end(session)
        #expect(full.count == 0)
    }

    // MARK: Sessions that are ended for others

    @Test func aSessionThatAcceptedAnEventIsKept() async throws {
        let registry = registry(sessions: 2)
        let sessions = try await (0..<2).asyncMap { _ in try await registry.begin().session }
        _ = try await sessions[0].inject(.push(1))
        clock.advance(by: CreatedSessions.protection)
        _ = try await registry.begin(with: .push(1))
        #expect(sessions.map(\.hasEnded) == [false, true])
        await #expect(throws: SessionError.self) { try await registry.begin() }
    }

    /// If other servers use the journal, only the journal knows that it is full. A use ends a session's turn to leave.
    @Test(arguments: [false, true], [false, true])
    func aPassiveSessionCanBeEndedForANewOne(isShared: Bool, isUsed: Bool) async throws {
        let registry = registry(sessions: 2, journal: FaultyJournal(isShared: isShared))
        let ids = try await (0..<2).asyncMap { _ in
            clock.advance(by: 1)
            return try await registry.begin().session.id
        }
        clock.advance(by: 400)
        registry.sweep()
        #expect(registry.host.counters.trees == 0)
        if isUsed { _ = try await registry.summary(of: ids[0]) }
        _ = try await registry.begin()
        let (ended, kept) = isUsed ? (ids[1], ids[0]) : (ids[0], ids[1])
        await #expect(throws: SessionError.self) { try await registry.find(ended) }
        _ = try await registry.find(kept)
    }

    @Test func unusedSessionsAreEndedIfMemoryIsFull() async throws {
        let registry = registry(memory: 1 << 20, sessions: 100_000)
        await #expect(throws: SessionError.self) {
            for _ in 0..<5_000 { _ = try await registry.begin() }
        }
        #expect(registry.count < 5_000)
        #expect(registry.host.budget.used < (1 << 20) + 20_000)
        clock.advance(by: CreatedSessions.protection)
        _ = try await registry.begin(with: .push(1))
    }

    // MARK: A full history

    @Test func anEventBeyondTheHistoryLimitReleasesTheTreeOnce() async throws {
        let registry = registry(journal: MemoryJournal(maximumSize: 5_000))
        let session = try await registry.begin().session
        var count = 0
        while await failure({ try await session.inject(.push(1)) }) == nil { count += 1 }
        #expect(count > 10)
        _ = try await session.route()
        let wakings = registry.host.counters.wakings
        for _ in 0..<10 { await #expect(throws: SessionError.self) { try await session.inject(.push(1)) } }
        _ = try await session.route()
        #expect(registry.host.counters.wakings == wakings)
    }
}
