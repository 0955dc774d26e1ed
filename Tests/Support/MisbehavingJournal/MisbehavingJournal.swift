public import Coordinate
public import CoordinateSessions
internal import SeededGenerator
internal import Synchronization

/// One server's access to a shared store, which does everything that a journal may do to its callers.
///
/// It delays and reorders results, loses results before and after the commit, commits changes long after it gave them
/// up, refuses changes, lets other servers be faster, becomes unavailable and available again, notifies followers late
/// and repeatedly, and loses leases.
///
/// It still keeps the promises of ``Journal``: no promise is fulfilled within the call that created it, and after
/// ``JournalError/unavailable`` nothing was done.
public final class MisbehavingJournal: Journal {
    /// Creates the next entry of a session, as another server would.
    public typealias Rival = @Sendable (SessionHead) -> JournalEntry

    enum Presence {
        case there
        case away
        /// Whether its server has crashed, so that its results are lost.
        case dead
    }

    private enum Fate {
        case ordinary, lostAnswer, lostQuestion, lateCommit
    }

    private struct State {
        var generator: SeededGenerator
        var mischief: Mischief
        var presence = Presence.there
        /// The reports to deliver once it is available again.
        var held: [@Sendable () -> Void] = []

        mutating func happens(_ rate: any KeyPath<Mischief, Int> & Sendable) -> Bool {
            let rate = mischief[keyPath: rate]
            return rate > 0 && Int.random(in: 0..<1_000, using: &generator) < rate
        }

        mutating func fate() -> Fate {
            if happens(\.lostAnswer) { return .lostAnswer }
            if happens(\.lostQuestion) { return .lostQuestion }
            return happens(\.lateCommit) ? .lateCommit : .ordinary
        }
    }

    public let store: SharedStore
    public let deeds: Mischief.Record
    let schedule: any Schedule
    private let rival: Rival?
    private let state: Mutex<State>

    /// - Parameter deeds: The counter of its deeds.
    public init(
        _ store: SharedStore, seed: UInt64, mischief: Mischief = .plenty, on schedule: any Schedule,
        rival: Rival? = nil, counting deeds: Mischief.Record = Mischief.Record()
    ) {
        self.store = store
        self.schedule = schedule
        self.rival = rival
        self.deeds = deeds
        state = Mutex(State(generator: SeededGenerator(state: seed), mischief: mischief))
    }

    // MARK: Control by tests

    /// Makes the journal unavailable. Changes under way are refused, or their results are lost.
    public func goAway() {
        let isNew = state.withLock { state in
            guard state.presence == .there else { return false }
            state.presence = .away
            return true
        }
        if isNew { deeds.note(.outages) }
    }

    /// Makes the journal available again.
    public func comeBack() {
        let held = state.withLock { state -> [@Sendable () -> Void] in
            guard state.presence == .away else { return [] }
            state.presence = .there
            defer { state.held = [] }
            return state.held
        }
        for job in held { schedule.soon(job) }
    }

    /// Ends all misbehavior. Earlier deeds may still have effects.
    public func behave() {
        comeBack()
        state.withLock { $0.mischief = .none }
    }

    /// Crashes its server. Changes under way may still be made, but their results are lost.
    public func die() {
        state.withLock { state in
            state.presence = .dead
            state.held = []
        }
    }

    // MARK: Results

    func happens(_ rate: any KeyPath<Mischief, Int> & Sendable) -> Bool {
        state.withLock { $0.happens(rate) }
    }

    func choice(of sessions: [SessionID]) -> SessionID? {
        state.withLock { sessions.randomElement(using: &$0.generator) }
    }

    private func chance(_ one: Int, of many: Int) -> Bool {
        state.withLock { Int.random(in: 0..<many, using: &$0.generator) < one }
    }

    var presence: Presence { state.withLock { $0.presence } }

    /// Whether it is available, so that its leases count.
    var isThere: Bool { presence == .there }

    /// Returns the result of a read, which changes nothing.
    func ask<Value: Sendable>(
        _ body: @escaping @Sendable () -> Result<Value, JournalError>
    ) -> Future<Value, JournalError> {
        let promise = Promise<Value, JournalError>()
        guard presence != .dead else { return .later(promise) }
        if happens(\.now) {
            deeds.note(.answersAtOnce)
            return presence == .away ? .failed(.unavailable) : .now(body())
        }
        deeds.note(.answersLater)
        let isRefused = happens(\.refusal)
        schedule.soon {
            guard self.presence == .there, !isRefused else {
                self.deeds.note(self.presence == .there ? .refusals : .refusalsWhileAway)
                return self.deliver(.failure(.unavailable), to: promise)
            }
            let result = body()
            self.deliver(result, to: promise)
        }
        return .later(promise)
    }

    /// Makes a change, or not, and reports it, or not.
    ///
    /// - Parameter body: Receives whether its success will be reported.
    private func change(
        of session: SessionID, _ body: @escaping @Sendable (_ isHeard: Bool) -> Result<Void, JournalError>
    ) -> Future<Void, JournalError> {
        let promise = Promise<Void, JournalError>()
        guard presence != .dead else { return .later(promise) }
        let fate = state.withLock { $0.fate() }
        if happens(\.now) {
            deeds.note(.answersAtOnce)
            return .now(presence == .away ? .failure(.unavailable) : carryOut(fate, body))
        }
        deeds.note(.answersLater)
        let isRefused = happens(\.refusal)
        let wasAway = presence == .away
        schedule.soon {
            switch self.presence {
            case .there where isRefused:
                self.deeds.note(.refusals)
                self.deliver(.failure(.unavailable), to: promise)
            case .there:
                let result = self.carryOut(fate, body)
                self.deliver(result, of: session, to: promise)
            case .away:
                self.deeds.note(.refusalsWhileAway)
                // There was no connection, or it broke before or during the request.
                let isCertain = wasAway || self.chance(1, of: 3)
                if !isCertain, self.chance(1, of: 2) { self.commitLate(body) }
                self.deliver(.failure(isCertain ? .unavailable : .outcomeUnknown), to: promise)
            case .dead:
                if self.chance(1, of: 3) { self.commitLate(body) }
            }
        }
        return .later(promise)
    }

    private func carryOut(
        _ fate: Fate, _ body: @escaping @Sendable (Bool) -> Result<Void, JournalError>
    ) -> Result<Void, JournalError> {
        switch fate {
        case .ordinary: return body(true)
        case .lostAnswer:
            deeds.note(.lostAnswers)
            _ = body(false)
        case .lostQuestion: deeds.note(.lostQuestions)
        case .lateCommit: commitLate(body)
        }
        return .failure(.outcomeUnknown)
    }

    private func commitLate(_ body: @escaping @Sendable (Bool) -> Result<Void, JournalError>) {
        deeds.note(.lateAttempts)
        schedule.late {
            if case .success = body(false) { self.deeds.note(.lateCommits) }
        }
    }

    private func deliver<Value>(_ result: Result<Value, JournalError>, to promise: Promise<Value, JournalError>) {
        schedule.soon {
            if self.presence != .dead { promise.fulfil(result) }
        }
    }

    /// Reports the result of a change, unless the connection breaks before.
    private func deliver(
        _ result: Result<Void, JournalError>, of session: SessionID, to promise: Promise<Void, JournalError>
    ) {
        schedule.soon {
            switch self.presence {
            case .there: promise.fulfil(result)
            case .dead: break
            case .away:
                self.deeds.note(.lostAtOutage)
                promise.fulfil(.failure(.outcomeUnknown))
                for follower in self.store.followers(of: session) where follower.journal === self { follower.tell() }
            }
        }
    }

    // MARK: Journal

    public var isShared: Bool { true }
    public var losesAnswers: Bool { true }
    public var count: Int { store.count }

    public func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) -> Future<Void, JournalError> {
        let entries = Array(history)
        return change(of: session.id) { _ in
            self.store.create(session, with: entries, until: expiry, limit: limit)
        }
    }

    public func head(of session: SessionID) -> Future<SessionHead?, JournalError> {
        ask { .success(self.store.head(of: session)) }
    }

    public var findsSessions: Bool { true }

    public func session(withKey key: String, of app: String) -> Future<SessionID?, JournalError> {
        ask { .success(self.store.session(of: app) { $0.key == key }) }
    }

    public func session(withReference reference: String, of app: String) -> Future<SessionID?, JournalError> {
        ask { .success(self.store.session(of: app) { $0.reference == reference }) }
    }

    public func append(_ entry: JournalEntry, to session: SessionID) -> Future<Void, JournalError> {
        let isOvertaken = happens(\.rival)
        return change(of: session) { isHeard in
            if isOvertaken, let rival = self.rival, let head = self.store.head(of: session),
                head.version + 1 == entry.version
            {
                self.deeds.note(.rivalEntries)
                var entry = rival(head)
                entry.wake = self.store.wake(of: session)
                _ = self.store.append(entry, to: session)
            }
            let isSilent = isHeard && !self.happens(\.echo)
            let result = self.store.append(entry, to: session, except: isSilent ? self : nil)
            if case .failure(.conflict) = result, isHeard {
                let isItself = self.store.entry(entry.version, of: session)?.mark == entry.mark
                self.deeds.note(isItself ? .conflictsWithItself : .conflicts)
            }
            return result
        }
    }

    public func read(_ session: SessionID, after version: Int, limit: Int) -> Future<[JournalEntry], JournalError> {
        ask { self.store.read(session, after: version, limit: limit) }
    }

    public func end(_ session: SessionID, at version: Int?) -> Future<Void, JournalError> {
        change(of: session) { isHeard in
            self.store.end(session, at: version, except: isHeard ? self : nil)
        }
    }

    public func update(
        _ session: SessionRecord, replacing former: SessionRecord
    ) -> Future<Void, JournalError> {
        change(of: session.id) { _ in self.store.update(session, replacing: former) }
    }

    public func note(_ crash: CrashNote, of session: SessionID) -> Future<Void, JournalError> {
        change(of: session) { _ in self.store.note(crash, of: session) }
    }

    /// No caller waits for it, so it takes effect at once, and is never lost.
    public func keep(_ session: SessionID, until expiry: Timestamp) {
        guard presence != .dead else { return }
        store.keep(session, until: expiry)
    }

    public func expire(by now: Timestamp, _ ended: @escaping @Sendable (SessionID, _ app: String) -> Void) {
        guard presence == .there else { return }
        for record in store.expire(by: now) {
            schedule.soon {
                if self.presence != .dead { ended(record.id, record.app) }
            }
        }
    }

    public func list(_ query: SessionQuery) -> Future<SessionPage, JournalError> {
        ask { .success(self.store.list(query)) }
    }

    public func follow(
        _ session: SessionID, _ changed: @escaping @Sendable () -> Void
    ) -> (any JournalSubscription)? {
        let subscription = Subscription(self, changed)
        store.add(subscription, to: session)
        return subscription
    }

    public func check() -> Future<Void, JournalError> {
        ask { .success(()) }
    }

    /// Notifies a follower of this server, late and repeatedly. The last notification is never too early.
    fileprivate func call(_ subscription: Subscription) {
        let times = state.withLock { state in
            state.mischief.echo > 0 ? Int.random(in: 1...3, using: &state.generator) : 1
        }
        for time in 0..<times {
            let job: @Sendable () -> Void = { [weak self, weak subscription] in
                if let subscription { self?.callNow(subscription) }
            }
            if time == 0 { schedule.soon(job) } else { schedule.late(job) }
        }
    }

    private func callNow(_ subscription: Subscription) {
        let isThere = state.withLock { state in
            if state.presence == .away {
                state.held.append { [weak self, weak subscription] in
                    if let subscription { self?.callNow(subscription) }
                }
            }
            return state.presence == .there
        }
        guard isThere else { return }
        deeds.note(.calls)
        subscription.changed()
    }
}

/// A follower of a session through one server's journal.
final class Subscription: JournalSubscription {
    fileprivate let changed: @Sendable () -> Void
    private weak let owner: MisbehavingJournal?

    fileprivate init(_ journal: MisbehavingJournal, _ changed: @escaping @Sendable () -> Void) {
        owner = journal
        self.changed = changed
    }

    var journal: MisbehavingJournal? { owner }

    /// Called when the session has new entries, or has ended.
    func tell() {
        owner?.call(self)
    }
}
