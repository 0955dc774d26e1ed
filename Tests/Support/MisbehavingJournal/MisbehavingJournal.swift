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
/// It still keeps the promise of ``Journal``: after ``JournalError/unavailable`` nothing was done.
public final class MisbehavingJournal: Journal {
    /// Creates the next entry of a session, as another server would.
    public typealias Rival = @Sendable (SessionHead) -> JournalEntry

    enum Connection {
        case connected
        case disconnected
        /// Whether its server has crashed, so that its results are lost.
        case crashed
    }

    private enum Fate {
        case ordinary, lostAnswer, lostRequest, lateCommit
    }

    private struct State {
        var generator: SeededGenerator
        var rates: FaultRates
        var connection = Connection.connected
        /// The reports to deliver once it is available again.
        var held: [@Sendable () -> Void] = []
        /// Ends the calls of a crashed server, which get no result until the test is over.
        var abandoned: [@Sendable () -> Void] = []
        var isOver = false

        mutating func happens(_ rate: any KeyPath<FaultRates, Int> & Sendable) -> Bool {
            let rate = rates[keyPath: rate]
            return rate > 0 && Int.random(in: 0..<1_000, using: &generator) < rate
        }

        mutating func fate() -> Fate {
            if happens(\.lostAnswer) { return .lostAnswer }
            if happens(\.lostRequest) { return .lostRequest }
            return happens(\.lateCommit) ? .lateCommit : .ordinary
        }
    }

    public let store: SharedStore
    let schedule: any Schedule
    private let rival: Rival?
    let counted: @Sendable (FaultRates.Count) -> Void
    private let state: Mutex<State>

    /// - Parameter count: Called for each of its faults.
    public init(
        _ store: SharedStore, seed: UInt64, rates: FaultRates = .frequent, on schedule: any Schedule,
        rival: Rival? = nil, counting count: @escaping @Sendable (FaultRates.Count) -> Void = { _ in }
    ) {
        self.store = store
        self.schedule = schedule
        self.rival = rival
        counted = count
        state = Mutex(State(generator: SeededGenerator(state: seed), rates: rates))
    }

    // MARK: Control by tests

    /// Makes the journal unavailable. Changes under way are refused, or their results are lost.
    public func disconnect() {
        let isNew = state.withLock { state in
            guard state.connection == .connected else { return false }
            state.connection = .disconnected
            return true
        }
        if isNew { counted(.outages) }
    }

    /// Makes the journal available again.
    public func reconnect() {
        let held = state.withLock { state -> [@Sendable () -> Void] in
            guard state.connection == .disconnected else { return [] }
            state.connection = .connected
            defer { state.held = [] }
            return state.held
        }
        for job in held { schedule.soon(job) }
    }

    /// Ends all misbehavior. Earlier faults may still have effects.
    public func endFaults() {
        reconnect()
        state.withLock { $0.rates = .none }
    }

    /// Crashes its server. Changes under way may still be made, but their results are lost.
    public func crash() {
        state.withLock { state in
            state.connection = .crashed
            state.held = []
        }
    }

    /// Ends the calls of a crashed server, so that all that they retain is released. Call it when the test is over.
    public func endCalls() {
        let abandoned = state.withLock { state in
            state.isOver = true
            defer { state.abandoned = [] }
            return state.abandoned
        }
        for end in abandoned { end() }
    }

    // MARK: Results

    func happens(_ rate: any KeyPath<FaultRates, Int> & Sendable) -> Bool {
        state.withLock { $0.happens(rate) }
    }

    func choice(of sessions: [SessionID]) -> SessionID? {
        state.withLock { sessions.randomElement(using: &$0.generator) }
    }

    private func chance(_ one: Int, of many: Int) -> Bool {
        state.withLock { Int.random(in: 0..<many, using: &$0.generator) < one }
    }

    var connection: Connection { state.withLock { $0.connection } }

    /// Whether it is available, so that its leases count.
    var isConnected: Bool { connection == .connected }

    /// Returns the result of a read, which changes nothing.
    func ask<Value: Sendable>(
        _ body: @escaping @Sendable () -> Result<Value, JournalError>
    ) async throws(JournalError) -> Value {
        let result = await withCheckedContinuation { caller in ask(body, for: caller) }
        return try result.get()
    }

    private func ask<Value: Sendable>(
        _ body: @escaping @Sendable () -> Result<Value, JournalError>, for caller: JournalCaller<Value>
    ) {
        guard connection != .crashed else { return abandon(caller) }
        if happens(\.now) {
            counted(.answersAtOnce)
            return caller.resume(returning: connection == .disconnected ? .failure(.unavailable) : body())
        }
        counted(.answersLater)
        let isRefused = happens(\.refusal)
        schedule.soon {
            guard self.connection == .connected, !isRefused else {
                self.counted(self.connection == .connected ? .refusals : .refusalsWhileDisconnected)
                return self.deliver(.failure(.unavailable), to: caller)
            }
            self.deliver(body(), to: caller)
        }
    }

    /// Makes a change, or not, and reports it, or not.
    ///
    /// - Parameter body: Receives whether its success will be reported.
    private func change(
        of session: SessionID, _ body: @escaping @Sendable (_ isReported: Bool) -> Result<Void, JournalError>
    ) async throws(JournalError) {
        let result = await withCheckedContinuation { caller in change(of: session, body, for: caller) }
        return try result.get()
    }

    private func change(
        of session: SessionID, _ body: @escaping @Sendable (_ isReported: Bool) -> Result<Void, JournalError>,
        for caller: JournalCaller<Void>
    ) {
        guard connection != .crashed else { return abandon(caller) }
        let fate = state.withLock { $0.fate() }
        if happens(\.now) {
            counted(.answersAtOnce)
            return caller.resume(
                returning: connection == .disconnected ? .failure(.unavailable) : carryOut(fate, body))
        }
        counted(.answersLater)
        let isRefused = happens(\.refusal)
        let wasAway = connection == .disconnected
        schedule.soon {
            switch self.connection {
            case .connected where isRefused:
                self.counted(.refusals)
                self.deliver(.failure(.unavailable), to: caller)
            case .connected:
                let result = self.carryOut(fate, body)
                self.deliver(result, of: session, to: caller)
            case .disconnected:
                self.counted(.refusalsWhileDisconnected)
                // There was no connection, or it broke before or during the request.
                let isCertain = wasAway || self.chance(1, of: 3)
                if !isCertain, self.chance(1, of: 2) { self.commitLate(body) }
                self.deliver(.failure(isCertain ? .unavailable : .outcomeUnknown), to: caller)
            case .crashed:
                if self.chance(1, of: 3) { self.commitLate(body) }
                self.abandon(caller)
            }
        }
    }

    private func carryOut(
        _ fate: Fate, _ body: @escaping @Sendable (Bool) -> Result<Void, JournalError>
    ) -> Result<Void, JournalError> {
        switch fate {
        case .ordinary: return body(true)
        case .lostAnswer:
            counted(.lostAnswers)
            _ = body(false)
        case .lostRequest: counted(.lostRequests)
        case .lateCommit: commitLate(body)
        }
        return .failure(.outcomeUnknown)
    }

    private func commitLate(_ body: @escaping @Sendable (Bool) -> Result<Void, JournalError>) {
        counted(.lateAttempts)
        schedule.late {
            if case .success = body(false) { self.counted(.lateCommits) }
        }
    }

    private func deliver<Value: Sendable>(_ result: Result<Value, JournalError>, to caller: JournalCaller<Value>) {
        schedule.soon {
            if self.connection == .crashed { self.abandon(caller) } else { caller.resume(returning: result) }
        }
    }

    /// Reports the result of a change, unless the connection breaks before.
    private func deliver(
        _ result: Result<Void, JournalError>, of session: SessionID, to caller: JournalCaller<Void>
    ) {
        schedule.soon {
            switch self.connection {
            case .connected: caller.resume(returning: result)
            case .crashed: self.abandon(caller)
            case .disconnected:
                self.counted(.lostAtOutage)
                caller.resume(returning: .failure(.outcomeUnknown))
                for follower in self.store.followers(of: session) where follower.journal === self { follower.notify() }
            }
        }
    }

    /// Leaves a caller without a result, since its server has crashed.
    private func abandon<Value: Sendable>(_ caller: JournalCaller<Value>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.abandoned.append { caller.resume(returning: .failure(.unavailable)) } }
            return state.isOver
        }
        if isOver { caller.resume(returning: .failure(.unavailable)) }
    }

    // MARK: Journal

    public var isShared: Bool { true }
    public var losesAnswers: Bool { true }
    public var count: Int { store.count }

    public func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) async throws(JournalError) {
        let entries = Array(history)
        try await change(of: session.id) { _ in
            self.store.create(session, with: entries, until: expiry, limit: limit)
        }
    }

    public func head(of session: SessionID) async throws(JournalError) -> SessionHead? {
        try await ask { .success(self.store.head(of: session)) }
    }

    public var findsSessions: Bool { true }

    public func session(withKey key: String, of app: String) async throws(JournalError) -> SessionID? {
        try await ask { .success(self.store.session(of: app) { $0.key == key }) }
    }

    public func session(withReference reference: String, of app: String) async throws(JournalError) -> SessionID? {
        try await ask { .success(self.store.session(of: app) { $0.reference == reference }) }
    }

    public func append(_ entry: JournalEntry, to session: SessionID) async throws(JournalError) {
        let isOvertaken = happens(\.rival)
        try await change(of: session) { isReported in
            if isOvertaken, let rival = self.rival, let head = self.store.head(of: session),
                head.version + 1 == entry.version
            {
                self.counted(.rivalEntries)
                var entry = rival(head)
                entry.wake = self.store.wake(of: session)
                _ = self.store.append(entry, to: session)
            }
            let isSilent = isReported && !self.happens(\.echo)
            let result = self.store.append(entry, to: session, except: isSilent ? self : nil)
            if case .failure(.conflict) = result, isReported {
                let isItself = self.store.entry(entry.version, of: session)?.mark == entry.mark
                self.counted(isItself ? .conflictsWithItself : .conflicts)
            }
            return result
        }
    }

    public func read(_ session: SessionID, after version: Int, limit: Int) async throws(JournalError) -> [JournalEntry]
    {
        try await ask { self.store.read(session, after: version, limit: limit) }
    }

    public func end(_ session: SessionID, at version: Int?) async throws(JournalError) {
        try await change(of: session) { isReported in
            self.store.end(session, at: version, except: isReported ? self : nil)
        }
    }

    public func update(
        _ session: SessionRecord, replacing former: SessionRecord
    ) async throws(JournalError) {
        try await change(of: session.id) { _ in self.store.update(session, replacing: former) }
    }

    /// No caller waits for it, so it takes effect at once, and is never lost.
    public func keep(_ session: SessionID, until expiry: Timestamp) {
        guard connection != .crashed else { return }
        store.keep(session, until: expiry)
    }

    public func expire(by now: Timestamp, _ ended: @escaping @Sendable (SessionID, _ app: String) -> Void) {
        guard connection == .connected else { return }
        for record in store.expire(by: now) {
            schedule.soon {
                if self.connection != .crashed { ended(record.id, record.app) }
            }
        }
    }

    public func list(_ query: SessionQuery) async throws(JournalError) -> SessionPage {
        try await ask { .success(self.store.list(query)) }
    }

    public func follow(
        _ session: SessionID, _ changed: @escaping @Sendable () -> Void
    ) -> (any JournalSubscription)? {
        let subscription = Subscription(self, changed)
        store.insert(subscription, to: session)
        return subscription
    }

    public func check() async throws(JournalError) {
        try await ask { .success(()) }
    }

    /// Notifies a follower of this server, late and repeatedly. The last notification is never too early.
    fileprivate func notify(_ subscription: Subscription) {
        let times = state.withLock { state in
            state.rates.echo > 0 ? Int.random(in: 1...3, using: &state.generator) : 1
        }
        for time in 0..<times {
            let job: @Sendable () -> Void = { [weak self, weak subscription] in
                if let subscription { self?.notifyNow(subscription) }
            }
            if time == 0 { schedule.soon(job) } else { schedule.late(job) }
        }
    }

    private func notifyNow(_ subscription: Subscription) {
        let isConnected = state.withLock { state in
            if state.connection == .disconnected {
                state.held.append { [weak self, weak subscription] in
                    if let subscription { self?.notifyNow(subscription) }
                }
            }
            return state.connection == .connected
        }
        guard isConnected else { return }
        counted(.notifications)
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
    func notify() {
        owner?.notify(self)
    }
}
