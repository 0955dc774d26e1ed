internal import CoordinateSessions
internal import GRDB

/// A transaction of a journal's file, to read or to write: its tables, and the places of entries in its log.
///
/// An entry is appended to the log, where a group of entries of many sessions changes few pages, and filed under its
/// session later. With groups of 16 entries of 1,000 sessions, that stores 24,800 entries per second, and a table by
/// session alone 12,300. Until an entry is filed, the index contains its place. The transaction uses only the places that it sees in the
/// log: those between two ids. Entries before them are filed, and later ones were committed after it began.
final class Transaction {
    let database: Database
    /// The generations of the index, oldest first.
    private let generations: [LogGeneration]
    /// The entries that this transaction appended, if it writes.
    let draft: LogGeneration?
    /// The id of the last entry of the log that is filed.
    private(set) var filedID: Int64
    /// The id of the last entry of the log.
    private let lastID: Int64

    /// Creates a transaction that writes.
    init(writing database: Database, log: LogIndex) {
        self.database = database
        let draft = LogGeneration()
        self.draft = draft
        generations = log.generations + [draft]
        nextID = log.lastID + 1
        filedID = log.filedID
        lastID = .max
    }

    /// Creates a transaction that reads.
    ///
    /// - Parameter generations: The generations at its beginning; `nil` if another process writes to the file.
    init(reading database: Database, log: LogIndex, generations: [LogGeneration]?) throws {
        self.database = database
        draft = nil
        nextID = 0
        let (filedID, lastID) = try database.logEnds()
        (self.filedID, self.lastID) = (filedID, lastID)
        self.generations =
            try generations
            ?? log.follow(filedID: filedID, lastID: lastID) { id, generation in
                try database.readLog(after: id, into: generation)
            }
    }

    /// The id of the next entry to append.
    private var nextID: Int64

    // MARK: Statements

    /// A statement, which is prepared once.
    func statement(_ sql: String) throws -> Statement { try database.cachedStatement(sql: sql) }

    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try statement(sql).execute(arguments: arguments)
    }

    /// Whether there is a row with an id.
    ///
    /// - Parameter rows: The rows: `due WHERE session = ?`.
    func hasRow(in rows: String, _ id: String) throws -> Bool {
        try Bool.fetchOne(statement("SELECT EXISTS (SELECT 1 FROM \(rows))"), arguments: [id]) ?? false
    }

    // MARK: The log

    /// Assigns the id of a session's next entry.
    func append(_ version: Int, pending: Int, to session: SessionID) -> Int64 {
        defer { nextID += 1 }
        draft?.append(LogGeneration.Position(version: version, id: nextID, pending: pending), of: session)
        return nextID
    }

    /// The place of a session's last entry, if the index contains it. The entry may have been filed a moment ago.
    func last(of session: SessionID) -> LogGeneration.Position? {
        for generation in generations.reversed() {
            guard let last = generation.last(of: session) else { continue }
            if last.id <= lastID { return last }
            if let place = generation.places(of: session).last(where: { $0.id <= lastID }) { return place }
        }
        return nil
    }

    /// The place of the last entry of a session that certainly exists, as far as the index knows.
    ///
    /// A session that wrote an entry recently exists, unless it ended since, so the tables need not be read for that.
    func lastOfLiving(_ session: SessionID) -> LogGeneration.Position? {
        generations.contains { $0.hasEnded(session) } ? nil : last(of: session)
    }

    /// Records that a session ends, if the index has entries of it.
    func recordEnd(of session: SessionID) {
        if last(of: session) != nil { draft?.end(session) }
    }

    /// The places of a session's entries in the log, oldest first.
    func unfiled(of session: SessionID) -> [LogGeneration.Position] {
        var places: [LogGeneration.Position] = []
        for generation in generations {
            places += generation.places(of: session).filter { $0.id > filedID && $0.id <= lastID }
        }
        return places
    }

    /// Records that the log's entries up to one are filed.
    func recordFiling(upTo id: Int64) throws {
        try execute("UPDATE filed SET id = ?", [id])
        filedID = id
    }
}

extension Database {
    /// The last id that is filed, and the last id of the log.
    fileprivate func logEnds() throws -> (filed: Int64, last: Int64) {
        let row = try Row.fetchOne(
            cachedStatement(sql: "SELECT id, (SELECT max(id) FROM log) FROM filed"))
        guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "nothing in filed") }
        let filed: Int64 = row[0]
        return (filed, max(filed, row[1] ?? 0))
    }

    /// Reads the places of the entries after an id, and which of their sessions have ended.
    fileprivate func readLog(after id: Int64, into generation: LogGeneration) throws {
        let rows = try Row.fetchCursor(
            cachedStatement(
                sql: """
                    SELECT id, session, version, pending, EXISTS (SELECT 1 FROM sessions WHERE sessions.id = session)
                    FROM log WHERE id > ? ORDER BY id
                    """), arguments: [id])
        while let row = try rows.next() {
            guard let session = SessionID(row[1] as String) else { throw UnreadableJSON(reason: "session") }
            generation.append(LogGeneration.Position(version: row[2], id: row[0], pending: row[3]), of: session)
            if row[4] == false { generation.end(session) }
        }
    }
}
