public import CoordinateSessions
internal import Synchronization

/// A store that several servers share: plain, correct, in memory. It forgets nothing, so that tests can ask what was
/// committed when.
public final class SharedStore: Sendable {
    private struct Row {
        let record: SessionRecord
        var entries: [JournalEntry]
        var expiresAt: Timestamp
        var hasEnded = false

        var head: SessionHead {
            SessionHead(
                record: record, version: entries.count, path: entries.last?.path ?? record.path,
                lastEventAt: entries.last?.time, expiresAt: expiresAt)
        }
    }

    private struct Follower {
        weak let subscription: Subscription?
    }

    private struct State {
        var rows: [SessionID: Row] = [:]
        /// In the order in which they were made: what is done to several is done in this one.
        var order: [SessionID] = []
        var followers: [SessionID: [Follower]] = [:]
        var living = 0
    }

    private let state = Mutex(State())

    public init() {}

    // MARK: What tests ask

    /// Every session that ever was, oldest first.
    public var allSessions: [SessionID] { state.withLock { $0.order } }

    /// All entries of a session, even if it has ended; nil where there never was one.
    public func history(of session: SessionID) -> [JournalEntry]? { state.withLock { $0.rows[session]?.entries } }

    /// One entry of a session, even if it has ended; nil where there is none.
    func entry(_ version: Int, of session: SessionID) -> JournalEntry? {
        state.withLock { state in
            guard let row = state.rows[session], version >= 1, version <= row.entries.count else { return nil }
            return row.entries[version - 1]
        }
    }

    /// The version that a session has its first own entry after, even if it has ended: the rest is its parent's.
    public func inheritedVersion(of session: SessionID) -> Int {
        state.withLock { $0.rows[session]?.record.parent?.version ?? 0 }
    }

    /// How many entries a session has, even if it has ended; nil where there never was one.
    public func version(of session: SessionID) -> Int? { state.withLock { $0.rows[session]?.entries.count } }

    /// Whether there is such a session now.
    public func contains(_ session: SessionID) -> Bool { state.withLock { $0.rows[session]?.hasEnded == false } }

    /// Until when a session is kept; nil where it has ended.
    public func expiry(of session: SessionID) -> Timestamp? {
        state.withLock { state in state.rows[session].flatMap { $0.hasEnded ? nil : $0.expiresAt } }
    }

    /// How many servers follow a session.
    public func followerCount(of session: SessionID) -> Int { followers(of: session).count }

    // MARK: What a journal does

    var count: Int { state.withLock { $0.living } }

    func create(
        _ record: SessionRecord, with history: [JournalEntry], until expiry: Timestamp, limit: Int
    ) -> Result<Void, JournalError> {
        state.withLock { state in
            guard state.living < limit else { return .failure(.tooManySessions) }
            guard state.rows[record.id] == nil else { return .failure(.conflict) }
            var entries = history
            if let parent = record.parent {
                guard let row = state.rows[parent.session], !row.hasEnded, parent.version <= row.entries.count else {
                    return .failure(.noSuchSession)
                }
                entries = row.entries.prefix(parent.version).map(\.inherited)
            }
            state.rows[record.id] = Row(record: record, entries: entries, expiresAt: expiry)
            state.order.append(record.id)
            state.living += 1
            return .success(())
        }
    }

    func head(of session: SessionID) -> SessionHead? {
        state.withLock { state in state.rows[session].flatMap { $0.hasEnded ? nil : $0.head } }
    }

    /// Appends an entry, and tells those who follow, but for one server's where it is answered itself.
    func append(
        _ entry: JournalEntry, to session: SessionID, except server: MisbehavingJournal? = nil
    ) -> Result<Void, JournalError> {
        let (result, followers) = state.withLock { state -> (Result<Void, JournalError>, [Subscription]) in
            guard let row = state.rows[session], !row.hasEnded else { return (.failure(.noSuchSession), []) }
            guard row.entries.count + 1 == entry.version else { return (.failure(.conflict), []) }
            state.rows[session]?.entries.append(entry)
            return (.success(()), Self.followers(of: session, &state))
        }
        for follower in followers where server == nil || follower.journal !== server { follower.tell() }
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
        for follower in followers where server == nil || follower.journal !== server { follower.tell() }
        return result
    }

    func keep(_ session: SessionID, until expiry: Timestamp) {
        state.withLock { state in
            guard let known = state.rows[session]?.expiresAt else { return }
            state.rows[session]?.expiresAt = max(known, expiry)
        }
    }

    func expire(by now: Timestamp) {
        let followers = state.withLock { state in
            state.order.flatMap { session -> [Subscription] in
                guard let row = state.rows[session], !row.hasEnded, row.expiresAt <= now else { return [] }
                return Self.end(session, &state)
            }
        }
        for follower in followers { follower.tell() }
    }

    /// Sessions by their age, youngest first; a cursor is the number of those before it.
    func list(_ query: SessionQuery) -> SessionPage {
        let heads = state.withLock { state in
            state.order.reversed().compactMap { session in
                state.rows[session].flatMap { $0.hasEnded ? nil : $0.head }
            }
        }.filter { $0.record.app == query.app && (query.path.map($0.path.hasPrefix) ?? true) }
        let first = query.after.flatMap { Int($0) } ?? 0
        let page = Array(heads.dropFirst(first).prefix(query.limit))
        return SessionPage(sessions: page, next: first + page.count < heads.count ? "\(first + page.count)" : nil)
    }

    func add(_ subscription: Subscription, to session: SessionID) {
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
        state.living -= 1
        return followers(of: session, &state)
    }

    private static func followers(of session: SessionID, _ state: inout State) -> [Subscription] {
        state.followers[session]?.compactMap(\.subscription) ?? []
    }
}
