internal import Coordinate
internal import CoordinateSessions
internal import Foundation
internal import GRDB

/// The sessions that have ended and are kept. Their lineage names all of their entries, so that these stay.
extension Transaction {
    /// Keeps a session that is about to end.
    func keepEnded(_ session: SessionID, for time: Int) throws {
        guard let extent = try extent(of: session) else { return }
        let (id, now) = (session.description, Int(Date().timeIntervalSince1970))
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO ended (id, app, content, version, ended_at, kept_until, work_withheld)
                SELECT id, app, content, ?, ?, ?, work_withheld FROM sessions WHERE id = ?
                """
        ).execute(arguments: [extent.version, now, now + time, id])
        guard extent.version > extent.base else { return }
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO lineage VALUES (?1, ?1, ?2, ?3)").execute(
            arguments: [id, extent.base + 1, extent.version])
    }

    /// Returns ended sessions of an app, by id.
    func ended(of app: String, after session: SessionID?, limit: Int) throws -> [SessionHead] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT id, content, version, kept_until, work_withheld FROM ended
                WHERE app = ? AND id > ? ORDER BY id LIMIT ?
                """, arguments: [app, session?.description ?? "", limit])
        return try rows.map { row in
            let (id, version) = (try self.session(row[0]), row[2] as Int)
            let record = Data.fromDatabaseValue(row[1]).flatMap { content in
                try? SessionRecord(id: id, app: app, stored: Array(content), isWorkWithheld: row[4])
            }
            var last: JournalEntry?
            do { last = try inherited(by: id, after: version - 1, limit: 1).first } catch is UnreadableEntry {}
            return SessionHead(
                id, app: app, record: record, version: version, last: last, expiresAt: Timestamp(seconds: row[3]),
                pending: 0, crash: nil)
        }
    }

    /// Returns an ended session's entries after a version, oldest first; `nil` if there is no such session.
    func entries(ofEnded session: SessionID, after version: Int, limit: Int) throws -> [JournalEntry]? {
        try isKept(session) ? inherited(by: session, after: version, limit: limit) : nil
    }

    private func isKept(_ session: SessionID) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM ended WHERE id = ?)", arguments: [session.description])
            ?? false
    }

    /// Deletes an ended session, and its entries that no session shares; `false` if there is none.
    func removeEndedAtOnce(_ session: SessionID) throws -> Bool {
        let owners = try owners(of: session)
        guard try removeEnded(session) else { return false }
        for owner in owners { try deleteEntries(leftBy: owner) }
        return true
    }

    /// The owners of a session's entries, itself included.
    private func owners(of session: SessionID) throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(sql: "SELECT owner FROM lineage WHERE session = ?1 UNION SELECT ?1"),
            arguments: [session.description])
    }

    /// Deletes an ended session; `false` if there is none. Its entries are removed later.
    func removeEnded(_ session: SessionID) throws -> Bool {
        let id = session.description
        try database.execute(sql: "DELETE FROM ended WHERE id = ?", arguments: [id])
        guard database.changesCount > 0 else { return false }
        try leaveEntries(of: id)
        return true
    }

    /// Deletes ended sessions that were kept long enough. Returns whether there may be more of them.
    func removeEnded(by now: Timestamp, limit: Int) throws -> Bool {
        let ids = try String.fetchAll(
            database.cachedStatement(sql: "SELECT id FROM ended WHERE kept_until <= ? LIMIT ?"),
            arguments: [now.seconds, limit])
        for id in ids { _ = try removeEnded(session(id)) }
        return ids.count == limit
    }

    // MARK: Erasing

    /// Deletes a session, ended or not, and its entries, except those that other sessions share. Notes that traces of
    /// it are left in the file.
    ///
    /// - Returns: What other sessions have of it; `nil` if there is no such session.
    func erase(_ session: SessionID) throws -> Erasure? {
        let id = session.description
        let content = try Data.fetchOne(
            database,
            sql: "SELECT content FROM sessions WHERE id = ?1 UNION ALL SELECT content FROM ended WHERE id = ?1",
            arguments: [id])
        let hasEntries = try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM entries WHERE session = ?1) OR EXISTS (SELECT 1 FROM log WHERE session = ?1)
                """, arguments: [id])
        guard content != nil || hasEntries == true else { return nil }
        let owners = try owners(of: session)
        let record = content.flatMap { try? SessionRecord(id: session, app: "", stored: Array($0)) }
        let erasure = try holders(of: session, forkedAt: record?.parent)
        try end(session, keptFor: 0)
        _ = try removeEnded(session)
        for owner in owners { try deleteEntries(leftBy: owner) }
        // Filed entries may still be in the log as well. Nothing reads them there.
        try database.execute(sql: "DELETE FROM log WHERE session = ? AND id <= ?", arguments: [id, filedID])
        try database.execute(sql: "PRAGMA user_version = \(Schema.isErasing)")
        return erasure
    }

    private func holders(of session: SessionID, forkedAt point: ForkPoint?) throws -> Erasure {
        let id = session.description
        let shares = try Row.fetchAll(
            database, sql: "SELECT session, max(last) FROM lineage WHERE owner = ?1 AND session <> ?1 GROUP BY session",
            arguments: [id])
        let children = try Row.fetchAll(
            database,
            sql: """
                SELECT id, content FROM sessions WHERE instr(content, ?1)
                UNION ALL SELECT id, content FROM ended WHERE instr(content, ?1)
                """, arguments: [Data(id.utf8)])
        let records = children.compactMap { row -> SessionRecord? in
            let record = try? SessionRecord(id: self.session(row[0]), app: "", stored: Array(row[1] as Data))
            return record?.parent?.session == session ? record : nil
        }
        let living = try Set(String.fetchAll(database, sql: "SELECT id FROM sessions"))
        let kept = try Set(String.fetchAll(database, sql: "SELECT id FROM ended"))
        let original = point.flatMap { point in
            let parent = point.session.description
            return living.contains(parent) || kept.contains(parent) ? point : nil
        }
        return Erasure(
            original: original, shares: try shares.map { (try self.session($0[0]), $0[1]) }, children: records,
            hasEnded: { !living.contains($0.description) }, remnants: Schema.remnants)
    }

    /// Deletes the entries of a former session that no session shares, in the log as well. The index of the log may
    /// still name them, but nothing reads them.
    private func deleteEntries(leftBy owner: String) throws {
        let isThere = try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ?)", arguments: [owner])
        guard isThere == false else { return }
        let shared = try Int.fetchOne(
            database, sql: "SELECT max(last) FROM lineage WHERE owner = ?", arguments: [owner])
        try database.cachedStatement(sql: "DELETE FROM entries WHERE session = ? AND version > ?").execute(
            arguments: [owner, shared ?? 0])
        for place in try unfiled(of: self.session(owner)) where place.version > shared ?? 0 {
            try database.cachedStatement(sql: "DELETE FROM log WHERE id = ?").execute(arguments: [place.id])
        }
        try database.execute(sql: "DELETE FROM garbage WHERE owner = ?", arguments: [owner])
    }
}
