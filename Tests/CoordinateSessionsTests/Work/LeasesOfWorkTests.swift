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
        let session = try shop.begin()
        for name in names { try session.ask(name) }
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
    func aLeaseWhoseResultIsLostIsGivenBack(error: JournalError) throws {
        journal.answer { $0.lease = .failed(error) }
        let session = try shop.begin()
        try session.ask("pay")
        #expect(journal.calls == [.lease(session.id), .end(session.id)])
        #expect(scheduler.running == 0)
    }

    /// Meanwhile nothing may have been pending, which would have ended the lease.
    @Test func newWorkWaitsUntilItsSessionIsLeasedOnceMore() async throws {
        let session = try await session(withWork: "pay")
        let lease = Promise<Bool, JournalError>()
        journal.answer { $0.lease = .later(lease) }
        try session.ask("ship")
        shop.registry.sweep()
        #expect(scheduler.running == 1)
        lease.fulfil(.success(true))
        #expect(await shop.world.call(1).name == "ship")
    }

    /// The server that knows the secret may only have been slower.
    @Test func aSecretIsLostIfItsServerDoesNotReturn() async throws {
        let other = Workshop(clock: shop.clock, journal: journal)
        let id = try {
            let session = try other.begin()
            try session.take("login", "password", .string("swordfish"))
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
        #expect(try shop.registry.find(id).now().notes == ["login failed: \(WorkFailure.secretLost)"])
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
        var lease: Future<Bool, JournalError>?
        var due: [SessionID] = []
        var entries: Future<[JournalEntry], JournalError>?
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

    func lease(_ session: SessionID) -> Future<Bool, JournalError> {
        record([.lease(session)])
        return answers.withLock { $0.lease } ?? .now(true)
    }

    func leaseDue(by now: Timestamp, of app: String, limit: Int) -> Future<[SessionID], JournalError> {
        .now(answers.withLock { $0.due })
    }

    func endLeases(of sessions: [SessionID]) { record(sessions.map(Call.end)) }

    func read(_ session: SessionID, after version: Int, limit: Int) -> Future<[JournalEntry], JournalError> {
        answers.withLock { $0.entries } ?? journal.read(session, after: version, limit: limit)
    }
}
