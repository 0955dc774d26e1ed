public import Coordinate
public import CoordinateSessions
internal import Synchronization

/// A simple and correct store in memory that several servers share. It keeps everything, so that tests can find out
/// what was committed when.
public final class SharedStore: Sendable {
    private struct Row {
        var record: SessionRecord
        var entries: [JournalEntry]
        var expiresAt: Timestamp
        /// The number pending before the first entry.
        var pendingAtFirst: Int
        /// The moment at which it is due; `nil` if nothing is pending.
        var wake: Timestamp?
        var hasEnded = false

        var head: SessionHead {
            SessionHead(
                record: record, version: entries.count, path: entries.last?.path ?? record.path,
                lastEventAt: entries.last?.time, expiresAt: expiresAt,
                pending: entries.reduce(pendingAtFirst) { $0 + $1.pendingChange })
        }
    }

    /// A lease, which is valid while its server runs, and for a limited time.
    private struct Lease {
        weak let server: MisbehavingJournal?
        /// The time at which it ends, by the store's clock.
        var end: Int

        func counts(at time: Int) -> Bool { end > time && server?.isConnected ?? false }
    }

    private struct Follower {
        weak let subscription: Subscription?
    }

    private struct State {
        var rows: [SessionID: Row] = [:]
        /// The sessions in the order of their creation, which is also the order of changes to several of them.
        var order: [SessionID] = []
        var followers: [SessionID: [Follower]] = [:]
        var leases: [SessionID: Lease] = [:]
        /// The time in seconds, by the store's own clock.
        var time = 0
        var living = 0

        /// The valid lease of a session.
        func lease(of session: SessionID) -> Lease? {
            leases[session].flatMap { $0.counts(at: time) ? $0 : nil }
        }

        func session(of app: String, where condition: (SessionRecord) -> Bool) -> SessionID? {
            order.first { session in
                rows[session].map { !$0.hasEnded && $0.record.app == app && condition($0.record) } ?? false
            }
        }

        mutating func lease(_ session: SessionID, to server: MisbehavingJournal) {
            leases[session] = Lease(server: server, end: time + SharedStore.leaseTime)
        }
    }

    /// The same value as that of every journal.
    private static let leaseTime = 6

    private let state = Mutex(State())

    public init() {}

    // MARK: Reads by tests

    /// All sessions so far, oldest first, ended ones included.
    public var allSessions: [SessionID] { state.withLock { $0.order } }

    /// All entries of a session, even if it has ended; `nil` if it never existed.
    public func history(of session: SessionID) -> [JournalEntry]? { state.withLock { $0.rows[session]?.entries } }

    /// One entry of a session, even if it has ended; `nil` if there is none.
    func entry(_ version: Int, of session: SessionID) -> JournalEntry? {
        state.withLock { state in
            guard let row = state.rows[session], version >= 1, version <= row.entries.count else { return nil }
            return row.entries[version - 1]
        }
    }

    /// The version after which a session has its own entries, even if it has ended. The earlier ones are its parent's.
    public func inheritedVersion(of session: SessionID) -> Int {
        state.withLock { $0.rows[session]?.record.sharedParent?.version ?? 0 }
    }

    /// The number of entries of a session, even if it has ended; `nil` if it never existed.
    public func version(of session: SessionID) -> Int? { state.withLock { $0.rows[session]?.entries.count } }

    /// Whether a session exists now.
    public func contains(_ session: SessionID) -> Bool { state.withLock { $0.rows[session]?.hasEnded == false } }

    /// The moment until which a session is kept; `nil` if it has ended.
    public func expiry(of session: SessionID) -> Timestamp? {
        state.withLock { state in state.rows[session].flatMap { $0.hasEnded ? nil : $0.expiresAt } }
    }

    /// The moment from which a session's pending work is due, withheld or not; `nil` if it has ended, or nothing is
    /// pending in it.
    public func wake(of session: SessionID) -> Timestamp? {
        state.withLock { state in
            guard let row = state.rows[session], !row.hasEnded else { return nil }
            return if let last = row.entries.last { last.wake } else {
                row.record.begun.wake(from: row.record.startedAt)
            }
        }
    }

    /// The running server that has leased a session.
    public func leaseHolder(of session: SessionID) -> MisbehavingJournal? {
        state.withLock { $0.lease(of: session)?.server }
    }

    /// The work and the timers with which a session began; `nil` if it never existed.
    public func firstWork(of session: SessionID) -> [PendingWork]? { state.withLock { $0.rows[session]?.record.begun } }

    /// The session that has a reference, even if it has ended.
    public func session(withReference reference: String) -> SessionID? {
        state.withLock { $0.rows.first { $0.value.record.reference == reference }?.key }
    }

    /// Whether the work of a session is withheld, even if it has ended.
    public func isWorkWithheld(in session: SessionID) -> Bool {
        state.withLock { $0.rows[session]?.record.isWorkWithheld == true }
    }

    /// Advances the store's own clock, by which leases end.
    public func passTime(_ seconds: Int) {
        state.withLock { $0.time += seconds }
    }

    // MARK: The operations of a journal

    var count: Int { state.withLock { $0.living } }

    func create(
        _ record: SessionRecord, with history: [JournalEntry], until expiry: Timestamp, limit: Int
    ) -> Result<Void, JournalError> {
        state.withLock { state -> Result<Void, JournalError> in
            guard state.living < limit else { return .failure(.tooManySessions) }
            guard state.rows[record.id] == nil else { return .failure(.conflict) }
            if let key = record.key, state.session(of: record.app, where: { $0.key == key }) != nil {
                return .failure(.keyTaken)
            }
            var (entries, pending) = (history, record.begun.count)
            if let parent = record.sharedParent {
                guard let row = state.rows[parent.session], !row.hasEnded, parent.version <= row.entries.count else {
                    return .failure(.noSuchSession)
                }
                entries = row.entries.prefix(parent.version).map(\.inherited)
                if parent.version > 0 { pending = row.pendingAtFirst }
            }
            state.rows[record.id] = Row(
                record: record, entries: entries, expiresAt: expiry, pendingAtFirst: pending,
                wake: record.wake(after: entries.last))
            state.order.append(record.id)
            state.living += 1
            return .success(())
        }
    }

    /// The session of an app for whose record a condition holds; `nil` if there is none.
    func session(of app: String, where condition: (SessionRecord) -> Bool) -> SessionID? {
        state.withLock { $0.session(of: app, where: condition) }
    }

    func head(of session: SessionID) -> SessionHead? {
        state.withLock { state in state.rows[session].flatMap { $0.hasEnded ? nil : $0.head } }
    }

    /// Appends an entry, and notifies the followers, except those of the server that receives the result.
    func append(
        _ entry: JournalEntry, to session: SessionID, except server: MisbehavingJournal? = nil
    ) -> Result<Void, JournalError> {
        let (result, followers) = state.withLock { state -> (Result<Void, JournalError>, [Subscription]) in
            guard let row = state.rows[session], !row.hasEnded else { return (.failure(.noSuchSession), []) }
            guard row.entries.count + 1 == entry.version else { return (.failure(.conflict), []) }
            state.rows[session]?.entries.append(entry)
            if entry.changesPending, !row.record.isWorkWithheld {
                state.rows[session]?.wake = entry.wake
                if entry.wake == nil { state.leases[session] = nil }
            }
            return (.success(()), Self.followers(of: session, &state))
        }
        for follower in followers where server == nil || follower.journal !== server { follower.notify() }
        return result
    }

    func read(_ session: SessionID, after version: Int, limit: Int) -> Result<[JournalEntry], JournalError> {
        state.withLock { state in
            guard let row = state.rows[session], !row.hasEnded else { return .failure(.noSuchSession) }
            return .success(Array(row.entries.dropFirst(version).prefix(limit)))
        }
    }

    func end(
        _ session: SessionID, at version: Int?, except server: MisbehavingJournal? = nil
    ) -> Result<Void, JournalError> {
        let (result, followers) = state.withLock { state -> (Result<Void, JournalError>, [Subscription]) in
            guard let row = state.rows[session], !row.hasEnded else { return (.failure(.noSuchSession), []) }
            guard version == nil || row.entries.count == version else { return (.failure(.conflict), []) }
            return (.success(()), Self.end(session, &state))
        }
        for follower in followers where server == nil || follower.journal !== server { follower.notify() }
        return result
    }

    func update(_ session: SessionRecord, replacing former: SessionRecord) -> Result<Void, JournalError> {
        state.withLock { state in
            guard let row = state.rows[session.id], !row.hasEnded else { return .failure(.noSuchSession) }
            guard row.record == former else { return .failure(.conflict) }
            state.rows[session.id]?.record = session
            return .success(())
        }
    }

    func keep(_ session: SessionID, until expiry: Timestamp) {
        state.withLock { state in
            guard let known = state.rows[session]?.expiresAt else { return }
            state.rows[session]?.expiresAt = max(known, expiry)
        }
    }

    /// Ends expired sessions, and returns their records.
    func expire(by now: Timestamp) -> [SessionRecord] {
        let (expired, followers) = state.withLock { state in
            let expired = state.order.compactMap { session in
                state.rows[session].flatMap { !$0.hasEnded && $0.expiresAt <= now ? $0.record : nil }
            }
            return (expired, expired.flatMap { Self.end($0.id, &state) })
        }
        for follower in followers { follower.notify() }
        return expired
    }

    /// Returns sessions by their age, youngest first. A cursor is the number of sessions before it.
    func list(_ query: SessionQuery) -> SessionPage {
        let heads = state.withLock { state in
            state.order.reversed().compactMap { session in
                state.rows[session].flatMap { $0.hasEnded ? nil : $0.head }
            }
        }.filter { $0.record.app == query.app && query.matches($0) }
        let first = query.after.flatMap { Int($0) } ?? 0
        let page = Array(heads.dropFirst(first).prefix(query.limit))
        return SessionPage(sessions: page, next: first + page.count < heads.count ? "\(first + page.count)" : nil)
    }

    // MARK: Leases

    /// Leases sessions of an app that are due and not leased, longest overdue first.
    func leaseDue(by now: Timestamp, of app: String, limit: Int, for server: MisbehavingJournal) -> [SessionID] {
        state.withLock { state in
            let due = state.order.compactMap { session -> (wake: Timestamp, session: SessionID)? in
                guard let row = state.rows[session], !row.hasEnded, row.record.app == app, let wake = row.wake,
                    wake <= now, state.lease(of: session) == nil
                else { return nil }
                return (wake, session)
            }
            let chosen = due.sorted { $0.wake < $1.wake }.prefix(limit).map(\.session)
            for session in chosen { state.lease(session, to: server) }
            return chosen
        }
    }

    /// Leases a session; `false` if another server holds the lease, or nothing is pending in the session.
    func lease(_ session: SessionID, for server: MisbehavingJournal) -> Bool {
        state.withLock { state in
            guard let row = state.rows[session], !row.hasEnded, row.wake != nil else { return false }
            if let lease = state.lease(of: session), lease.server !== server { return false }
            state.lease(session, to: server)
            return true
        }
    }

    /// Renews the leases that a server still holds, and returns their sessions.
    func renewLeases(of sessions: [SessionID], by server: MisbehavingJournal) -> [SessionID] {
        state.withLock { state in
            let kept = sessions.filter { state.lease(of: $0)?.server === server }
            for session in kept { state.lease(session, to: server) }
            return kept
        }
    }

    func endLeases(of sessions: [SessionID], by server: MisbehavingJournal) {
        state.withLock { state in
            for session in sessions where state.leases[session]?.server === server { state.leases[session] = nil }
        }
    }

    // MARK: Following

    func insert(_ subscription: Subscription, to session: SessionID) {
        state.withLock { state in
            state.followers[session, default: []].removeAll { $0.subscription == nil }
            state.followers[session, default: []].append(Follower(subscription: subscription))
        }
    }

    func followers(of session: SessionID) -> [Subscription] {
        state.withLock { state in Self.followers(of: session, &state) }
    }

    private static func end(_ session: SessionID, _ state: inout State) -> [Subscription] {
        state.rows[session]?.hasEnded = true
        state.leases[session] = nil
        state.living -= 1
        return followers(of: session, &state)
    }

    private static func followers(of session: SessionID, _ state: inout State) -> [Subscription] {
        state.followers[session]?.compactMap(\.subscription) ?? []
    }
}
