public import Coordinate
internal import Synchronization

/// A journal that lives as long as the process. It delivers all results at once.
///
/// ```swift
/// let journal = MemoryJournal()
/// let server = try Server(app: MyApp(), journal: journal)
/// // … a later server of the same process continues where the first one stopped.
/// ```
public final class MemoryJournal: Journal {
    /// The largest size of a session's history, in bytes of its compact form.
    private let maximumSize: Int
    /// Sessions are spread over shards, so that threads rarely wait for each other.
    private let shards = (0..<64).map { _ in Shard() }
    private let total = Atomic(0)
    private let wakes = WakeSchedule()
    private let memory = HistoryMemory()
    private let index = SessionIndex()
    /// The shard that is searched next for expired sessions.
    private let nextShard = Atomic(0)

    /// The least number of sessions that one call examines. It takes microseconds.
    private static let expiryBatch = 20_000
    /// The most sessions that are examined for a page with a path. It takes some ten milliseconds.
    private static let listBatch = 10_000

    private final class Shard: Sendable {
        let sessions = Mutex<[SessionID: Row]>([:])
        /// The strings that these histories repeat.
        let words = SharedStringTable()
    }

    /// - Parameter maximumSize: The largest size of one session's history, in bytes of a compact form: some thirty an
    ///   entry.
    public init(maximumSize: Int = 16 * 1024 * 1024) {
        self.maximumSize = maximumSize
    }

    public var count: Int { total.load(ordering: .relaxed) }

    public var memoryUse: Int { memory.bytes }

    public func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) -> Future<Void, JournalError> {
        guard total.wrappingAdd(1, ordering: .relaxed).newValue <= limit else {
            total.wrappingSubtract(1, ordering: .relaxed)
            return .failed(.tooManySessions)
        }
        let shard = shard(of: session.id)
        guard let beginning = beginning(of: session, with: history, in: shard), beginning.history.size <= maximumSize
        else {
            total.wrappingSubtract(1, ordering: .relaxed)
            return .failed(session.sharedParent == nil ? .full : .noSuchSession)
        }
        let row = shard.words.withTable { Row(session, beginning, until: expiry, &$0) }
        let isAdded = shard.sessions.withLock { rows in
            guard index.add(session, until: expiry) else { return false }
            rows[session.id] = row
            return true
        }
        guard isAdded else {
            total.wrappingSubtract(1, ordering: .relaxed)
            return .failed(.keyTaken)
        }
        memory.charge(row.footprint)
        if let wake = beginning.wake { wakes.note(wake, for: session.id, of: session.app) }
        return .now(())
    }

    private func beginning(
        of session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, in shard: Shard
    ) -> Beginning? {
        if let parent = session.sharedParent {
            let shard = self.shard(of: parent.session)
            return shard.sessions.withLock { rows -> Beginning? in
                guard let index = rows.index(forKey: parent.session), parent.version <= rows.values[index].history.count
                else { return nil }
                let words = shard.words.strings
                let last = rows.values[index].history.entries(after: parent.version - 1, limit: 1, words).first
                let before = rows.values[index].footprint
                defer { memory.charge(rows.values[index].footprint - before) }
                return Beginning(
                    history: rows.values[index].history.fork(at: parent.version, shard.words, memory: memory),
                    pending: rows.values[index].pending(at: parent.version, words),
                    wake: session.wake(after: parent.version == 0 ? nil : last))
            }
        }
        var beginning = Beginning(history: History(), pending: session.begun.count, wake: session.wake)
        for entry in history {
            beginning.history.append(shard.words.withTable { EntryCoding.encode(entry, &$0) })
            beginning.pending += entry.pendingChange
            beginning.wake = session.wake(after: entry)
        }
        return beginning
    }

    public func head(of session: SessionID) -> Future<SessionHead?, JournalError> {
        let shard = shard(of: session)
        let row = shard.sessions.withLock { $0[session] }
        return .now(row?.head(of: session, shard.words.strings))
    }

    public func update(
        _ session: SessionRecord, replacing former: SessionRecord
    ) -> Future<Void, JournalError> {
        let shard = shard(of: session.id)
        return shard.sessions.withLock { rows in
            guard let place = rows.index(forKey: session.id) else { return .failed(.noSuchSession) }
            let expiry = rows.values[place].expiresAt
            let present = rows.values[place].record(of: session.id, shard.words.strings)
            guard present == former else { return .failed(.conflict) }
            index.remove(present, until: expiry)
            _ = index.add(session, until: expiry)
            let before = rows.values[place].footprint
            rows.values[place].update(session)
            memory.charge(rows.values[place].footprint - before)
            return .now(())
        }
    }

    public func append(_ entry: JournalEntry, to session: SessionID) -> Future<Void, JournalError> {
        let shard = shard(of: session)
        return .now(
            shard.sessions.withLock { rows -> Result<Void, JournalError> in
                guard let index = rows.index(forKey: session) else { return .failure(.noSuchSession) }
                return append(entry, to: &rows.values[index], of: session, shard.words)
            })
    }

    /// The row is changed in place: a copy of it would retain all of its contents.
    private func append(
        _ entry: JournalEntry, to row: inout Row, of session: SessionID, _ words: SharedStringTable
    ) -> Result<Void, JournalError> {
        guard row.history.count + 1 == entry.version else { return .failure(.conflict) }
        let record = words.withTable { EntryCoding.encode(entry, &$0) }
        guard row.history.size + record.count <= maximumSize else { return .failure(.full) }
        let before = row.footprint
        row.append(record, pending: entry.pendingChange)
        // Only growth is charged: most entries fit into memory that is already reserved.
        memory.charge(row.footprint - before)
        if entry.changesPending, !row.isWorkWithheld {
            wakes.note(entry.wake, for: session, of: row.app(words.strings))
        }
        return .success(())
    }

    public func read(
        _ session: SessionID, after version: Int, limit: Int
    ) -> Future<[JournalEntry], JournalError> {
        let shard = shard(of: session)
        // Reads a copy of the history, so that appends do not wait.
        guard let history = shard.sessions.withLock({ $0[session]?.history }) else { return .failed(.noSuchSession) }
        return .now(history.entries(after: version, limit: limit, shard.words.strings))
    }

    public func end(_ session: SessionID, at version: Int?) -> Future<Void, JournalError> {
        let shard = shard(of: session)
        let result = shard.sessions.withLock { rows -> Result<Row, JournalError> in
            guard let row = rows[session] else { return .failure(.noSuchSession) }
            guard version == nil || row.history.count == version else { return .failure(.conflict) }
            rows[session] = nil
            index.remove(row.record(of: session, shard.words.strings), until: row.expiresAt)
            wakes.remove(session)
            memory.charge(-row.footprint)
            return .success(row)
        }
        if case .success = result { total.wrappingSubtract(1, ordering: .relaxed) }
        return .now(result.map { _ in })
    }

    public func keep(_ session: SessionID, until expiry: Timestamp) {
        shard(of: session).sessions.withLock { rows in
            guard let place = rows.index(forKey: session) else { return }
            if let record = rows.values[place].attributedRecord {
                index.move(record, from: rows.values[place].expiresAt, to: expiry)
            }
            rows.values[place].expiresAt = expiry
        }
    }

    public func expire(by now: Timestamp, _ ended: @escaping @Sendable (SessionID, _ app: String) -> Void) {
        var looked = 0
        for _ in shards.indices where looked < Self.expiryBatch {
            let shard = shards[nextShard.wrappingAdd(1, ordering: .relaxed).oldValue & (shards.count - 1)]
            let expired = shard.sessions.withLock { rows in
                looked += rows.count
                let expired = rows.filter { $0.value.expiresAt <= now }
                for (id, row) in expired {
                    rows[id] = nil
                    index.remove(row.record(of: id, shard.words.strings), until: row.expiresAt)
                }
                return expired
            }
            total.wrappingSubtract(expired.count, ordering: .relaxed)
            guard !expired.isEmpty else { continue }
            let words = shard.words.strings
            for (id, row) in expired {
                wakes.remove(id)
                memory.charge(-row.footprint)
                ended(id, row.app(words))
            }
        }
    }

    public func leaseDue(by now: Timestamp, of app: String, limit: Int) -> Future<[SessionID], JournalError> {
        .now(wakes.leaseDue(by: now, of: app, limit: limit))
    }

    public func lease(_ session: SessionID) -> Future<Bool, JournalError> {
        .now(wakes.lease(session))
    }

    public func renewLeases(of sessions: [SessionID]) -> Future<[SessionID], JournalError> {
        .now(wakes.leased(of: sessions))
    }

    public func endLeases(of sessions: [SessionID]) {
        wakes.endLeases(of: sessions)
    }

    public func rest(_ sessions: [SessionID], from now: Timestamp) {
        wakes.rest(sessions, from: now)
    }

    public var findsSessions: Bool { true }

    public func session(withKey key: String, of app: String) -> Future<SessionID?, JournalError> {
        .now(index.session(withKey: key, of: app))
    }

    public func session(withReference reference: String, of app: String) -> Future<SessionID?, JournalError> {
        guard let session = index.session(withReference: reference) else { return .now(nil) }
        let shard = shard(of: session)
        let isOfApp = shard.sessions.withLock { $0[session]?.app(shard.words.strings) == app }
        return .now(isOfApp ? session : nil)
    }

    public func list(_ query: SessionQuery) -> Future<SessionPage, JournalError> {
        if !query.attributes.isEmpty, query.order == .lastUse {
            return .now(
                query.page { position, limit in
                    index.sessions(for: query, after: position, limit: limit).map { use in
                        let shard = shard(of: use.id)
                        let row = shard.sessions.withLock { $0[use.id] }
                        return (use.position, row?.head(of: use.id, shard.words.strings))
                    }
                })
        }
        // A session that is used now has a later expiry than all that were used before it.
        let after = query.after.flatMap(Cursor.init)
        let isByID = query.order == .id
        var places = shards.flatMap { shard in
            shard.sessions.withLock { rows in
                let words = shard.words.strings
                return rows.compactMap { id, row -> Cursor? in
                    let place = Cursor(expiresAt: isByID ? Timestamp(seconds: 0) : row.expiresAt, id: id)
                    guard row.app(words) == query.app, after.map({ $0 < place }) ?? true else { return nil }
                    return place
                }
            }
        }
        places.sort()
        var found: [SessionHead] = []
        var last: Cursor?
        for place in places.prefix(Self.listBatch) where found.count < query.limit {
            last = place
            guard case .now(.success(let head?)) = head(of: place.id), query.matches(head) else { continue }
            found.append(head)
        }
        return .now(SessionPage(sessions: found, next: last == places.last ? nil : last?.text))
    }

    private func shard(of session: SessionID) -> Shard {
        shards[session.shard(of: shards.count)]
    }
}

/// The initial history of a session, and its pending work.
private struct Beginning {
    var history: History
    var pending: Int
    var wake: Timestamp?
}

/// A session in memory: some hundred bytes and its history.
private struct Row: Sendable {
    /// The names in a record: by number if it has only the usual fields, else the whole record.
    private enum Names {
        case usual(app: Int16, appVersion: Int16, path: Int16, reference: SessionID)
        case whole(Whole)
    }

    private final class Whole: Sendable {
        let record: SessionRecord
        /// The size of its key and attributes, here and in the index, in bytes.
        let namesSize: Int

        init(_ record: SessionRecord) {
            self.record = record
            namesSize = record.attributes.reduce(2 * (record.key?.utf8.count ?? 0)) { size, attribute in
                size + 256 + 2 * (attribute.key.utf8.count + attribute.value.utf8.count)
            }
        }
    }

    private var names: Names
    private let createdAt: Timestamp
    private let seed: UInt64
    var expiresAt: Timestamp
    var history: History
    private var pending: Int32
    /// Whether any entry may have begun or ended work.
    private var hasWork: Bool

    init(
        _ record: SessionRecord, _ beginning: Beginning, until expiry: Timestamp, _ words: inout StringTable
    ) {
        pending = Int32(beginning.pending)
        // It may be `true` without any work: then `pending(at:)` finds none.
        hasWork = beginning.history.count > 0 || !record.begun.isEmpty
        createdAt = record.createdAt
        seed = record.seed
        expiresAt = expiry
        history = beginning.history
        if record.options == .object([]), record.startedAt == record.createdAt, record.parent == nil,
            record.begun.isEmpty, !record.isWorkWithheld, record.key == nil, record.attributes.isEmpty,
            record.startedReference == record.reference, let reference = SessionID(record.reference),
            let app = words.number(of: record.app), let appVersion = words.number(of: record.appVersion),
            let path = words.number(of: record.path)
        {
            names = .usual(
                app: Int16(app), appVersion: Int16(appVersion), path: Int16(path), reference: reference)
        } else {
            names = .whole(Whole(record))
        }
    }

    /// The memory that only this session uses, in bytes. Its row in the table has some hundreds of them.
    var footprint: Int {
        let namesSize = if case .whole(let whole) = names { whole.namesSize } else { 0 }
        return 512 + history.footprint + namesSize
    }

    mutating func update(_ record: SessionRecord) { names = .whole(Whole(record)) }

    mutating func append(_ record: [UInt8], pending change: Int) {
        history.append(record)
        pending += Int32(change)
        if change != 0 { hasWork = true }
    }

    /// The number of pieces of work and timers pending after an entry.
    func pending(at version: Int, _ words: [String]) -> Int {
        if version == history.count || !hasWork { return Int(pending) }
        let atFirst = if case .whole(let whole) = names { whole.record.begun.count } else { 0 }
        return history.entries(after: 0, limit: version, words).reduce(atFirst) { $0 + $1.pendingChange }
    }

    var isWorkWithheld: Bool { if case .whole(let whole) = names { whole.record.isWorkWithheld } else { false } }

    func app(_ words: [String]) -> String {
        switch names {
        case .whole(let whole): whole.record.app
        case .usual(let app, _, _, _): words[Int(app)]
        }
    }

    /// The record, if it has attributes.
    var attributedRecord: SessionRecord? {
        if case .whole(let whole) = names, !whole.record.attributes.isEmpty { whole.record } else { nil }
    }

    func record(of id: SessionID, _ words: [String]) -> SessionRecord {
        switch names {
        case .whole(let whole): whole.record
        case .usual(let app, let appVersion, let path, let reference):
            SessionRecord(
                id: id, reference: reference.description, app: words[Int(app)], appVersion: words[Int(appVersion)],
                createdAt: createdAt, seed: seed, path: words[Int(path)])
        }
    }

    func head(of id: SessionID, _ words: [String]) -> SessionHead {
        let record = record(of: id, words)
        let last = history.last(words)
        return SessionHead(
            record: record, version: history.count, path: last?.path ?? record.path, lastEventAt: last?.time,
            expiresAt: expiresAt, pending: Int(pending))
    }
}

/// A position in the list of sessions, in which those used last come first.
private struct Cursor: Comparable {
    let expiresAt: Timestamp
    let id: SessionID

    init(expiresAt: Timestamp, id: SessionID) {
        self.expiresAt = expiresAt
        self.id = id
    }

    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let seconds = Int(parts[0]), let id = SessionID(String(parts[1])) else { return nil }
        self.init(expiresAt: Timestamp(seconds: seconds), id: id)
    }

    var text: String { "\(expiresAt.seconds).\(id)" }

    static func < (one: Cursor, other: Cursor) -> Bool {
        one.expiresAt != other.expiresAt ? one.expiresAt > other.expiresAt : one.id.description < other.id.description
    }
}

extension JournalProvider {
    /// Sessions in memory, which end with the process: `memory`.
    public static let memory = JournalProvider(
        .word("memory"), open: { _ throws(JournalOpeningError) in MemoryJournal() })
}
