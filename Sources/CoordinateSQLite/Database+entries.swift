internal import CoordinateSessions
internal import Foundation
internal import GRDB

/// Sessions in the tables: how far they have come.
extension Database {
    /// Adds an entry, if it is the next one of its session.
    ///
    /// - Parameter content: The entry in its stored form.
    func append(
        _ content: Data, version: Int, pendingChange: Int, mark: UInt64?, to session: String
    ) throws -> Result<Void, JournalError> {
        try cachedStatement(
            sql: """
                INSERT OR IGNORE INTO entries
                SELECT ?1, ?2, coalesce(previous.pending, base_pending) + ?3, ?4, ?5
                FROM sessions LEFT JOIN entries AS previous ON previous.session = id AND previous.version = ?2 - 1
                WHERE id = ?1 AND (previous.version IS NOT NULL OR base = ?2 - 1)
                """
        ).execute(arguments: [session, version, pendingChange, mark.map(Int64.init(bitPattern:)), content])
        if changesCount == 1 { return .success(()) }
        return .failure(try hasSession(session) ? .conflict : .noSuchSession)
    }

    private func hasSession(_ id: String) throws -> Bool {
        try Bool.fetchOne(
            cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ?)"), arguments: [id]) ?? false
    }

    func head(of session: SessionID) throws -> SessionHead? {
        let row = try Row.fetchOne(
            cachedStatement(sql: "\(Self.heads) WHERE id = ?"), arguments: [session.description])
        return try row.map { row in try head(row) }
    }

    /// Sessions of an app, those last used first.
    func heads(of app: String, after cursor: ListPosition?, limit: Int) throws -> [SessionHead] {
        let rows = try Row.fetchAll(
            self,
            sql: """
                \(Self.heads) WHERE app = ?1 AND (expires_at, id) < (?2, ?3)
                ORDER BY expires_at DESC, id DESC LIMIT ?4
                """, arguments: [app, cursor?.expiresAt ?? .max, cursor?.id ?? "", limit])
        return try rows.map { row in try head(row) }
    }

    private static let heads = """
        SELECT id, app, sessions.content, expires_at, base, base_pending, entries.version, entries.pending, entries.content
        FROM sessions LEFT JOIN entries
        ON entries.session = id AND entries.version = (SELECT max(version) FROM entries WHERE session = id)
        """

    private func head(_ row: Row) throws -> SessionHead {
        let id: String = row[0]
        guard let session = SessionID(id) else { throw StoredForm.Unreadable(reason: "id") }
        let record = try SessionRecord(id: session, app: row[1], stored: Array(row[2] as Data))
        let base: Int = row[4]
        var (version, pending): (Int, Int) = (base, row[5])
        var last: JournalEntry?
        if let own = row[6] as Int? {
            (version, pending) = (own, row[7])
            last = try JournalEntry(version: own, mark: nil, stored: Array(row[8] as Data))
        } else if base > 0 {
            last = try inherited(by: id, after: base - 1, limit: 1).first
        }
        return SessionHead(
            record: record, version: version, path: last?.path ?? record.path, lastEventAt: last?.time,
            expiresAt: Timestamp(seconds: row[3]), pending: pending)
    }

    /// A session's entries after a version, oldest first; nil where there is no such session.
    func entries(of session: SessionID, after version: Int, limit: Int) throws -> [JournalEntry]? {
        let id = session.description
        let base = try Int.fetchOne(
            cachedStatement(sql: "SELECT base FROM sessions WHERE id = ?"), arguments: [id])
        guard let base else { return nil }
        var entries = version < base ? try inherited(by: id, after: version, limit: limit) : []
        let rows = try Row.fetchCursor(
            cachedStatement(
                sql:
                    "SELECT version, mark, content FROM entries WHERE session = ? AND version > ? ORDER BY version LIMIT ?"
            ),
            arguments: [id, max(version, base), limit - entries.count])
        while let row = try rows.next() { entries.append(try entry(row)) }
        return entries
    }

    /// The entries that a fork has of others.
    private func inherited(by session: String, after version: Int, limit: Int) throws -> [JournalEntry] {
        let rows = try Row.fetchCursor(
            cachedStatement(
                sql: """
                    SELECT version, mark, content FROM lineage JOIN entries
                    ON entries.session = owner AND version BETWEEN max(first, ?2 + 1) AND last
                    WHERE lineage.session = ?1 AND last > ?2 ORDER BY first, version LIMIT ?3
                    """), arguments: [session, version, limit])
        var entries: [JournalEntry] = []
        while let row = try rows.next() { entries.append(try entry(row).inherited) }
        return entries
    }

    private func entry(_ row: Row) throws -> JournalEntry {
        try JournalEntry(
            version: row[0], mark: (row[1] as Int64?).map(UInt64.init(bitPattern:)), stored: Array(row[2] as Data))
    }
}
