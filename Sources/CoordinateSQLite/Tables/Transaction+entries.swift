internal import Coordinate
internal import CoordinateSessions
internal import Foundation
internal import GRDB

/// The entries in the tables, in the log or filed.
extension Transaction {
    /// An entry in its stored form.
    struct StoredEntry {
        let version: Int
        /// The number of pieces of work and timers pending after it.
        let pending: Int
        private let mark: UInt64?
        private let content: [UInt8]

        /// Reads an entry; `nil` if the row has none.
        ///
        /// - Parameter column: The first of the columns with its version, the number pending, its mark and its content.
        init?(_ row: Row, at column: Int = 0) {
            guard let version = row[column] as Int? else { return nil }
            self.version = version
            pending = row[column + 1]
            mark = (row[column + 2] as Int64?).map(UInt64.init(bitPattern:))
            content = Data.fromDatabaseValue(row[column + 3]).map(Array.init) ?? []
        }

        var entry: JournalEntry {
            get throws(UnreadableJSON) { try JournalEntry(version: version, mark: mark, stored: content) }
        }

        /// Returns the entry, which must have a given version.
        func entry(at expected: Int) throws(UnreadableEntry) -> JournalEntry {
            guard version == expected else { throw UnreadableEntry(version: expected, reason: "it is missing") }
            do throws(UnreadableJSON) {
                return try entry
            } catch {
                throw UnreadableEntry(version: expected, reason: error.reason)
            }
        }
    }

    /// An entry to add.
    struct NewEntry: Sendable {
        let version: Int
        let pendingChange: Int
        let changesPending: Bool
        let wake: Timestamp?
        let mark: UInt64?
        /// The stored form of the entry.
        let content: Data

        init(_ entry: JournalEntry) {
            version = entry.version
            pendingChange = entry.pendingChange
            changesPending = entry.changesPending
            wake = entry.wake
            mark = entry.mark
            content = Data(entry.stored)
        }
    }

    /// The last version of a session, and the number of its entries that are its parent's.
    struct Extent {
        let version: Int
        let base: Int
        /// The number of pieces of work and timers pending at the last version.
        let pending: Int
    }

    func extent(of session: SessionID) throws -> Extent? {
        let id = session.description
        let row = try Row.fetchOne(statement("SELECT base, base_pending FROM sessions WHERE id = ?"), arguments: [id])
        guard let row else { return nil }
        let (version, pending) = try lastOwn(of: session, id) ?? (row[0], row[1])
        return Extent(version: version, base: row[0], pending: pending)
    }

    /// The last version that the session wrote itself, and the number of pieces of work and timers pending after it.
    private func lastOwn(of session: SessionID, _ id: String) throws -> (version: Int, pending: Int)? {
        if let last = last(of: session) { return (last.version, last.pending) }
        let row = try Row.fetchOne(
            statement("SELECT version, pending FROM entries WHERE session = ? ORDER BY version DESC LIMIT 1"),
            arguments: [id])
        return row.map { ($0[0], $0[1]) }
    }

    /// Adds an entry, if it is the next one of its session.
    func append(_ entry: NewEntry, to session: SessionID) throws {
        let known = lastOfLiving(session).map { ($0.version, $0.pending) }
        guard let last = try known ?? extent(of: session).map({ ($0.version, $0.pending) }) else {
            throw JournalError.noSuchSession
        }
        guard entry.version == last.0 + 1 else { throw JournalError.conflict }
        let pending = last.1 + entry.pendingChange
        let id = append(entry.version, pending: pending, to: session)
        try execute(
            "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)",
            [id, session.description, entry.version, pending, entry.mark.map(Int64.init(bitPattern:)), entry.content])
        if entry.changesPending { try setDue(entry.wake, of: session) }
    }

    // MARK: Reading

    /// The entries that a session wrote itself, in a range of versions, oldest first.
    func entries(
        ownedBy owner: SessionID, _ versions: ClosedRange<Int>, limit: Int
    ) throws -> [StoredEntry] {
        guard limit > 0 else { return [] }
        let unfiled = unfiled(of: owner)
        var entries: [StoredEntry] = []
        let filed = min(versions.upperBound, (unfiled.first?.version ?? .max) - 1)
        if versions.lowerBound <= filed {
            let rows = try Row.fetchCursor(
                statement(
                    """
                    SELECT version, pending, mark, content FROM entries
                    WHERE session = ? AND version BETWEEN ? AND ? ORDER BY version LIMIT ?
                    """), arguments: [owner.description, versions.lowerBound, filed, limit])
            while let entry = try rows.next().flatMap({ StoredEntry($0) }) { entries.append(entry) }
        }
        for place in unfiled where versions.contains(place.version) && entries.count < limit {
            try entries.append(logged(at: place))
        }
        return entries
    }

    /// An entry of the log.
    func logged(at place: LogGeneration.Position) throws -> StoredEntry {
        let row = try Row.fetchOne(
            statement("SELECT version, pending, mark, content FROM log WHERE id = ?"), arguments: [place.id])
        guard let entry = row.flatMap({ StoredEntry($0) }) else { throw UnreadableJSON(reason: "the log") }
        return entry
    }

    /// Returns a session's entries after a version, oldest first.
    ///
    /// - Throws: ``JournalError/noSuchSession``; ``UnreadableEntry`` if one of them cannot be read, or is missing.
    func entries(of session: SessionID, after version: Int, limit: Int) throws -> [JournalEntry] {
        let base = try Int.fetchOne(
            statement("SELECT base FROM sessions WHERE id = ?"), arguments: [session.description])
        guard let base else { throw JournalError.noSuchSession }
        guard version < .max else { return [] }
        var entries = version < base ? try inherited(by: session, after: version, limit: limit) : []
        let (first, remaining) = (max(version, base) + 1, limit - entries.count)
        for stored in try self.entries(ownedBy: session, first...(.max), limit: remaining) {
            try entries.append(stored.entry(at: version + entries.count + 1))
        }
        return entries
    }

    /// Returns the entries that a fork shares with other sessions.
    func inherited(by session: SessionID, after version: Int, limit: Int) throws -> [JournalEntry] {
        let parts = try Row.fetchAll(
            statement("SELECT owner, first, last FROM lineage WHERE session = ? AND last > ? ORDER BY first"),
            arguments: [session.description, version])
        var entries: [JournalEntry] = []
        for part in parts where entries.count < limit {
            let versions = max(part[1], version + 1)...(part[2] as Int)
            let owned = try self.entries(ownedBy: self.session(part[0]), versions, limit: limit - entries.count)
            for stored in owned { try entries.append(stored.entry(at: version + entries.count + 1).inherited) }
        }
        return entries
    }

    /// One of a session's entries, its own or an inherited one.
    func storedEntry(_ version: Int, of session: SessionID) throws -> StoredEntry? {
        let owner = try String.fetchOne(
            statement("SELECT owner FROM lineage WHERE session = ? AND ? BETWEEN first AND last"),
            arguments: [session.description, version])
        return try entries(ownedBy: owner.map(self.session) ?? session, version...version, limit: 1).first
    }

    /// The session of an id in the tables.
    func session(_ text: String) throws -> SessionID {
        guard let session = SessionID(text) else { throw UnreadableJSON(reason: "session") }
        return session
    }
}

/// An entry that cannot be read, or is missing.
struct UnreadableEntry: Error {
    let version: Int
    let reason: String
}

/// The move of entries from the log to their sessions.
extension Transaction {
    /// Files entries of the log. Some of them may be filed already.
    func file(_ ids: ArraySlice<Int64>) throws {
        let list = "[\(ids.map(String.init).joined(separator: ","))]"
        try execute(
            """
            INSERT OR IGNORE INTO entries
            SELECT session, version, pending, mark, content FROM json_each(?) CROSS JOIN log ON log.id = value
            """, [list])
    }

    /// Removes filed entries from the log. Returns whether there may be more of them.
    func removeFiled(limit: Int) throws -> Bool {
        try execute("DELETE FROM log WHERE id <= min(?1, (SELECT min(id) FROM log) + ?2 - 1)", [filedID, limit])
        return database.changesCount > 0
    }
}
