internal import Coordinate
internal import CoordinateSessions
internal import Foundation
internal import GRDB

/// The end of all traces of a session.
extension Transaction {
    /// Deletes a session and its entries, except those that other sessions share. Records that traces of it are left in
    /// the file.
    ///
    /// - Returns: What other sessions have of it; `nil` if there is no such session.
    func erase(_ session: SessionID) throws -> Erasure? {
        let id = session.description
        let content = try Data.fetchOne(statement("SELECT content FROM sessions WHERE id = ?"), arguments: [id])
        guard let content else { return nil }
        let owners = try String.fetchAll(
            database, sql: "SELECT owner FROM lineage WHERE session = ?1 UNION SELECT ?1", arguments: [id])
        let record = try? SessionRecord(id: session, app: "", stored: Array(content))
        let erasure = try holders(of: session, forkedAt: record?.parent)
        try end(session)
        for owner in owners { try deleteEntries(leftBy: owner) }
        // Filed entries may still be in the log as well. Nothing reads them there.
        try execute("DELETE FROM log WHERE session = ? AND id <= ?", [id, filedID])
        try database.execute(sql: "PRAGMA user_version = \(Schema.isErasing)")
        return erasure
    }

    private func holders(of session: SessionID, forkedAt point: ForkPoint?) throws -> Erasure {
        let id = session.description
        let shares = try Row.fetchAll(
            database, sql: "SELECT session, max(last) FROM lineage WHERE owner = ? GROUP BY session",
            arguments: [id])
        let children = try Row.fetchAll(
            database, sql: "SELECT id, content FROM sessions WHERE instr(content, ?)", arguments: [Data(id.utf8)])
        let records = children.compactMap { row -> SessionRecord? in
            let record = try? SessionRecord(id: self.session(row[0]), app: "", stored: Array(row[1] as Data))
            return record?.parent?.session == session ? record : nil
        }
        let original = try point.flatMap { point in
            try hasRow(in: Self.sessionsWithID, point.session.description) ? point : nil
        }
        return Erasure(
            original: original, shares: try shares.map { (try self.session($0[0]), $0[1]) }, children: records,
            remnants: Schema.remnants)
    }

    private static let sessionsWithID = "sessions WHERE id = ?"

    /// Deletes the entries of a former session that no session shares, in the log as well. The index of the log may
    /// still name them, but nothing reads them.
    private func deleteEntries(leftBy owner: String) throws {
        guard try !hasRow(in: Self.sessionsWithID, owner) else { return }
        let shared = try Int.fetchOne(statement("SELECT max(last) FROM lineage WHERE owner = ?"), arguments: [owner])
        try execute("DELETE FROM entries WHERE session = ? AND version > ?", [owner, shared ?? 0])
        for place in try unfiled(of: self.session(owner)) where place.version > shared ?? 0 {
            try execute("DELETE FROM log WHERE id = ?", [place.id])
        }
        try execute("DELETE FROM garbage WHERE owner = ?", [owner])
    }
}
