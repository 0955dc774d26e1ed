public import Coordinate
internal import Synchronization

/// A journal that lives as long as the process. No method waits.
///
/// ```swift
/// let journal = MemoryJournal()
/// let server = try Server(app: MyApp(), journal: journal)
/// // … a later server of the same process continues where the first one stopped.
/// ```
public final class MemoryJournal: Journal {
    /// Sessions are spread over shards, so that threads rarely wait for each other.
    private final class Shard: Sendable {
        let sessions = Mutex<[SessionID: MemorySession]>([:])
    }

    /// The least number of sessions that one call examines. It takes microseconds.
    private static let expiryBatch = 20_000

    /// The largest size of a session's history, in bytes.
    private let maximumSize: Int
    private let shards = (0..<64).map { _ in Shard() }
    private let total = Atomic(0)
    private let wakes = WakeSchedule()
    private let memory = HistoryMemory()
    private let index = SessionIndex()
    /// The shard that is searched next for expired sessions.
    private let nextShard = Atomic(0)

    /// - Parameter maximumSize: The largest size of one session's history, in bytes: some 200 an entry.
    public init(maximumSize: Int = 64 * 1024 * 1024) {
        self.maximumSize = maximumSize
    }

    public var count: Int { total.load(ordering: .relaxed) }

    public var memoryUse: Int { memory.bytes }

    /// Calls a closure with a session, which no other thread uses meanwhile; `nil` if there is none.
    private func withSession<Value: Sendable, Failure: Error>(
        _ id: SessionID, _ body: @Sendable (MemorySession) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        try shard(of: id).sessions.withLock { sessions throws(Failure) in
            if let session = sessions[id] { try body(session) } else { nil }
        }
    }

    /// Calls a closure with a session, which must exist.
    private func withPresent<Value: Sendable>(
        _ id: SessionID, _ body: @Sendable (MemorySession) throws(JournalError) -> Value
    ) throws(JournalError) -> Value {
        guard let value = try withSession(id, body) else { throw .noSuchSession }
        return value
    }

    private func shard(of session: SessionID) -> Shard {
        shards[session.shard(of: shards.count)]
    }

    // MARK: Sessions

    public func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) async throws(JournalError) {
        do throws(JournalError) {
            guard total.wrappingAdd(1, ordering: .relaxed).newValue <= limit else { throw .tooManySessions }
            try insert(session, beginning(of: session, with: history), until: expiry)
        } catch {
            total.wrappingSubtract(1, ordering: .relaxed)
            throw error
        }
    }

    private func beginning(
        of session: SessionRecord, with entries: any Sequence<JournalEntry> & Sendable
    ) throws(JournalError) -> History {
        if let parent = session.sharedParent {
            return try withPresent(parent.session) { original throws(JournalError) in
                try original.fork(session, at: parent.version)
            }
        }
        var history = History(pending: session.begun.count)
        for entry in entries {
            guard history.append(entry, upTo: maximumSize, memory: memory) else { throw .full }
        }
        return history
    }

    private func insert(_ record: SessionRecord, _ history: History, until expiry: Timestamp) throws(JournalError) {
        let isAdded = shard(of: record.id).sessions.withLock { sessions in
            guard index.insert(record, until: expiry) else { return false }
            sessions[record.id] = MemorySession(record, history, until: expiry, memory: memory)
            let wake = if let last = history.last { record.isWorkWithheld ? nil : last.wake } else { record.wake }
            if let wake { wakes.record(wake, for: record.id, of: record.app) }
            return true
        }
        guard isAdded else { throw .keyTaken }
    }

    public func head(of session: SessionID) async throws(JournalError) -> SessionHead? {
        withSession(session) { $0.head }
    }

    public func update(_ session: SessionRecord, replacing former: SessionRecord) async throws(JournalError) {
        try withPresent(session.id) { present throws(JournalError) in
            guard present.record == former else { throw .conflict }
            index.remove(former, until: present.expiresAt)
            _ = index.insert(session, until: present.expiresAt)
            present.update(session)
        }
    }

    public func end(_ session: SessionID, at version: Int?) async throws(JournalError) {
        try shard(of: session).sessions.withLock { sessions throws(JournalError) in
            guard let present = sessions[session] else { throw .noSuchSession }
            guard version == nil || present.history.count == version else { throw .conflict }
            remove(present, from: &sessions)
        }
    }

    private func remove(_ session: MemorySession, from sessions: inout [SessionID: MemorySession]) {
        sessions[session.record.id] = nil
        index.remove(session.record, until: session.expiresAt)
        wakes.remove(session.record.id)
        total.wrappingSubtract(1, ordering: .relaxed)
    }

    public func keep(_ session: SessionID, until expiry: Timestamp) {
        withSession(session) { session in
            index.move(session.record, from: session.expiresAt, to: expiry)
            session.expiresAt = expiry
        }
    }

    public func expire(by now: Timestamp, _ ended: @escaping @Sendable (SessionID, _ app: String) -> Void) {
        var looked = 0
        for _ in shards.indices where looked < Self.expiryBatch {
            let shard = shards[nextShard.wrappingAdd(1, ordering: .relaxed).oldValue & (shards.count - 1)]
            let expired = shard.sessions.withLock { sessions in
                looked += sessions.count
                let expired = sessions.values.filter { $0.expiresAt <= now }
                for session in expired { remove(session, from: &sessions) }
                return expired.map { (id: $0.record.id, app: $0.record.app) }
            }
            for session in expired { ended(session.id, session.app) }
        }
    }

    // MARK: Entries

    public func append(_ entry: JournalEntry, to session: SessionID) async throws(JournalError) {
        try withPresent(session) { present throws(JournalError) in
            try present.append(entry, upTo: maximumSize)
            if entry.changesPending, !present.record.isWorkWithheld {
                wakes.record(entry.wake, for: session, of: present.record.app)
            }
        }
    }

    public func read(_ session: SessionID, after version: Int, limit: Int) async throws(JournalError) -> [JournalEntry]
    {
        // Reads a copy of the history, so that appends do not wait.
        try withPresent(session) { $0.history }.entries(after: version, limit: limit)
    }

    // MARK: Pending work

    public func leaseDue(by now: Timestamp, of app: String, limit: Int) async throws(JournalError) -> [SessionID] {
        wakes.leaseDue(by: now, of: app, limit: limit)
    }

    public func lease(_ session: SessionID) async throws(JournalError) -> Bool { wakes.lease(session) }

    public func renewLeases(of sessions: [SessionID]) async throws(JournalError) -> [SessionID] {
        wakes.leased(of: sessions)
    }

    public func endLeases(of sessions: [SessionID]) {
        wakes.endLeases(of: sessions)
    }

    public func backOff(_ sessions: [SessionID], from now: Timestamp) {
        wakes.backOff(sessions, from: now)
    }

    // MARK: Finding sessions

    public var findsSessions: Bool { true }

    public func session(withKey key: String, of app: String) async throws(JournalError) -> SessionID? {
        index.session(withKey: key, of: app)
    }

    public func session(withReference reference: String, of app: String) async throws(JournalError) -> SessionID? {
        guard let session = index.session(withReference: reference) else { return nil }
        return withSession(session) { $0.record.app } == app ? session : nil
    }

    public func list(_ query: SessionQuery) async throws(JournalError) -> SessionPage {
        if query.order == .lastUse, !query.attributes.isEmpty {
            return page(of: query) { index.sessions(for: query, after: $0, limit: $1) }
        }
        let isByID = query.order == .id
        let uses = shards.flatMap { shard in
            shard.sessions.withLock { sessions in
                sessions.values.filter { $0.record.app == query.app }.map { session in
                    SessionUse(session.record.id, until: isByID ? Timestamp(seconds: 0) : session.expiresAt)
                }
            }
        }.sorted()
        return page(of: query) { uses.elements(after: $0, limit: $1) }
    }

    private func page(
        of query: SessionQuery, _ sessions: (_ after: SessionUse?, _ limit: Int) -> [SessionUse]
    ) -> SessionPage {
        query.page { position, limit in
            sessions(position.flatMap(SessionUse.init), limit).map { use in
                (use.position, withSession(use.id) { $0.head })
            }
        }
    }
}

extension JournalProvider {
    /// Sessions in memory, which end with the process: `memory`.
    public static let memory = JournalProvider(
        .word("memory"), open: { _ throws(JournalOpeningError) in MemoryJournal() })
}

extension Journal {
    /// Whether its methods return without waiting.
    var neverWaits: Bool { self is MemoryJournal }
}
