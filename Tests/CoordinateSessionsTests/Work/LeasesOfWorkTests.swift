import Coordinate
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSessions

/// The leases that keep two servers from doing the same work.
@Suite(.timeLimit(.minutes(2))) struct LeasesOfWorkTests {
    private let journal = LeasingJournal()
    private let shop: Workshop

    init() { shop = Workshop(journal: journal) }

    private var scheduler: WorkScheduler { shop.registry.workScheduler }

    /// A session with work under way.
    private func session(withWork names: String...) async throws -> Session {
        let session = try await shop.begin()
        for name in names { try await session.ask(name) }
        _ = await shop.world.call(names.count - 1)
        return session
    }

    @Test func otherServersChangesToALeasedSessionAreFollowed() async throws {
        let session = try await session(withWork: "pay")
        #expect(journal.subscriptions == 1)
        shop.world.finish("pay")
        try await session.reaches(2)
        while journal.subscriptions > 0 { await Task.yield() }
    }

    @Test(arguments: [JournalError.unavailable, .outcomeUnknown])
    func aLeaseWhoseResultIsLostIsGivenBack(error: JournalError) async throws {
        journal.answer { $0.lease = .failure(error) }
        let session = try await shop.begin()
        try await session.ask("pay")
        #expect(journal.calls == [.lease(session.id), .end(session.id)])
        #expect(scheduler.running == 0)
    }

    /// Meanwhile nothing may have been pending, which would have ended the lease.
    @Test func newWorkWaitsUntilItsSessionIsLeasedOnceMore() async throws {
        let session = try await session(withWork: "pay")
        journal.holdLeases()
        try await session.ask("ship")
        shop.registry.sweep()
        #expect(scheduler.running == 1)
        journal.releaseLeases()
        #expect(await shop.world.call(1).name == "ship")
    }

    /// The server that knows the secret may only have been slower.
    @Test func aSecretIsLostIfItsServerDoesNotReturn() async throws {
        let other = Workshop(clock: shop.clock, journal: journal)
        let id = try await {
            let session = try await other.begin()
            try await session.take("login", "password", .string("swordfish"))
            return session.id
        }()
        _ = await other.world.call(0)
        journal.answer { $0.due = [id] }
        for _ in 0..<2 {
            shop.registry.sweep()
            #expect(scheduler.leased.isEmpty)
            #expect(journal.calls.last == .end(id))
        }
        shop.registry.sweep()
        #expect(try await shop.registry.find(id).notes == ["login failed: \(WorkFailure.secretLost)"])
    }

    @Test func leasesAreGivenBackWhenTheServerStops() async throws {
        let session = try await session(withWork: "pay")
        shop.registry.drain()
        #expect(journal.calls.last == .end(session.id))
        await shop.world.cancellation(of: 0)
        #expect(scheduler.running == 0)
    }
}

/// A journal that other servers may use: it grants leases as a test wants, and records them.
final class LeasingJournal: ForwardingJournal {
    enum Call: Equatable {
        case lease(SessionID)
        case end(SessionID)
    }

    /// The results of the next calls; `nil` for success.
    struct Answers: Sendable {
        var lease: Result<Bool, JournalError>?
        var due: [SessionID] = []
        var entries: Result<[JournalEntry], JournalError>?
    }

    private final class Subscription: JournalSubscription {
        let count: CountOfSubscriptions

        init(_ count: CountOfSubscriptions) {
            self.count = count
            count.value.add(1, ordering: .relaxed)
        }

        deinit { count.value.subtract(1, ordering: .relaxed) }
    }

    private final class CountOfSubscriptions: Sendable { let value = Atomic(0) }

    let journal = MemoryJournal()
    private let answers = Mutex(Answers())
    private let recorded = Mutex<[Call]>([])
    private let held = CountOfSubscriptions()
    /// The calls for leases that are held back; `nil` if none are.
    private let heldLeases = Mutex<[CheckedContinuation<Void, Never>]?>(nil)
    private let change = Mutex<(@Sendable () -> Void)?>(nil)

    let isShared = true

    /// The number of subscriptions that are held.
    var subscriptions: Int { held.value.load(ordering: .relaxed) }

    /// Runs a body right before the next subscription, which does not learn of its changes.
    func beforeSubscription(_ body: @escaping @Sendable () -> Void) { change.withLock { $0 = body } }

    func follow(_ session: SessionID, _ changed: @escaping @Sendable () -> Void) -> (any JournalSubscription)? {
        let change = change.withLock { change in
            defer { change = nil }
            return change
        }
        change?()
        return Subscription(held)
    }

    /// The calls so far, one for each session.
    var calls: [Call] { recorded.withLock { $0 } }

    func answer(_ change: (inout Answers) -> Void) { answers.withLock { change(&$0) } }

    private func record(_ calls: [Call]) { recorded.withLock { $0 += calls } }

    /// Holds back the results of leases until ``releaseLeases()``.
    func holdLeases() { heldLeases.withLock { $0 = [] } }

    func releaseLeases() {
        let held = heldLeases.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        for call in held { call.resume() }
    }

    func lease(_ session: SessionID) async throws(JournalError) -> Bool {
        record([.lease(session)])
        await withCheckedContinuation { call in
            let isHeld = heldLeases.withLock { held in
                held?.append(call)
                return held != nil
            }
            if !isHeld { call.resume() }
        }
        return try answers.withLock { $0.lease }?.get() ?? true
    }

    func leaseDue(by now: Timestamp, of app: String, limit: Int) async throws(JournalError) -> [SessionID] {
        answers.withLock { $0.due }
    }

    func endLeases(of sessions: [SessionID]) { record(sessions.map(Call.end)) }

    func read(
        _ session: SessionID, after version: Int, limit: Int
    ) async throws(JournalError) -> [JournalEntry] {
        if let entries = answers.withLock({ $0.entries }) { return try entries.get() }
        return try await journal.read(session, after: version, limit: limit)
    }
}
