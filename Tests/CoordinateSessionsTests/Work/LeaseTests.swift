import Coordinate
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSessions

/// The leases of a server that shares its journal: it renews them, and begins no work under one that may have run out.
@Suite(.timeLimit(.minutes(1))) struct LeaseTests {
    private let journal = FaultyJournal(isShared: true)
    private let world = World()
    private let clock: SessionClock
    private let registry: SessionRegistry
    /// The seconds that have passed.
    private let time = PassedTime()

    private final class PassedTime: Sendable { let seconds = Atomic(0) }

    init() {
        let (time, start) = (time, ContinuousClock.now)
        let now: @Sendable () -> Int = { time.seconds.load(ordering: .relaxed) }
        clock = SessionClock(
            uptime: now, timestamp: { Timestamp(seconds: 1_795_253_400 + now()) },
            instant: { start + .seconds(now()) })
        registry = .make(
            app: WorkApp(world), journal: journal, clock: clock,
            limits: SessionLimits(
                maximumSessions: 10, idleTime: 1_800, passivationTime: 300, maximumEvents: 100, maximumWork: 1))
    }

    /// Lets some seconds pass, with the sweep of each.
    private func pass(_ seconds: Int) {
        for _ in 0..<seconds {
            time.seconds.wrappingAdd(1, ordering: .relaxed)
            registry.sweep()
        }
    }

    @Test func aLeaseIsRenewedAsLongAsItsWorkRuns() async throws {
        let session = try await registry.begin().session
        pass(journal.leaseTime)
        #expect(journal.renewals == [])
        try await session.ask("pay")
        _ = await world.call(0)
        for renewals in 1...3 {
            pass(journal.leaseTime / 2)
            try #require(journal.renewals.count >= renewals)
            #expect(Set(journal.renewals) == [session.id])
        }
        world.finish("pay")
        try await session.reaches(2)
        pass(1)
        let renewals = journal.renewals
        pass(journal.leaseTime)
        #expect(journal.renewals == renewals)
    }

    /// Its time begins with the request, not with the answer.
    @Test(arguments: [false, true]) func workBeginsOnlyIfItsLeaseIsGrantedInTime(isLate: Bool) async throws {
        let journal = LeasingJournal()
        let registry = SessionRegistry.make(app: WorkApp(world), journal: journal, clock: clock)
        journal.holdLeases()
        let session = try await registry.begin().session
        try await session.ask("pay")
        time.seconds.wrappingAdd(journal.leaseTime - (isLate ? 0 : 1), ordering: .relaxed)
        journal.releaseLeases()
        #expect(registry.workScheduler.leased == [session.id])
        #expect(registry.workScheduler.running == (isLate ? 0 : 1))
    }

    @Test func noWorkBeginsUnderALeaseWhoseRenewalsFail() async throws {
        let first = try await registry.begin().session
        let second = try await registry.begin().session
        try await first.ask("pay")
        _ = await world.call(0)
        // It waits, since there is no room for more work.
        try await second.ask("ship")
        journal.failRenewals(with: .unavailable)
        pass(journal.leaseTime + 1)
        world.finish("pay")
        try await first.reaches(2)
        // The scheduler decides on the next work when it learns that this one is done, before it reports the outcome.
        try #require(registry.workScheduler.running == 0)
        #expect(registry.workScheduler.leased.contains(second.id))

        journal.failRenewals(with: nil)
        pass(2)
        try #require(registry.workScheduler.running == 1)
        #expect(await world.call(1).name == "ship")
    }
}
