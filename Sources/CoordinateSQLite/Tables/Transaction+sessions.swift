internal import Coordinate
internal import CoordinateSessions
internal import Foundation
internal import GRDB

/// The creation and the end of sessions in the tables.
extension Transaction {
    /// Adds a session with its history, unless another one has its key.
    func create(
        _ record: SessionRecord, with history: any Sequence<JournalEntry>, until expiry: Timestamp
    ) throws {
        if let key = record.key, try session(withKey: key, of: record.app) != nil { throw JournalError.keyTaken }
        var (pending, wake) = (record.begun.count, record.wake)
        try insert(record, base: 0, pending: pending, until: expiry)
        for entry in history {
            pending += entry.pendingChange
            wake = entry.wake
            try execute(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?)",
                [
                    record.id.description, entry.version, pending, entry.mark.map(Int64.init(bitPattern:)),
                    Data(entry.stored),
                ])
        }
        try insertAttributes(of: record)
        if let wake { try setDue(wake, of: record.id) }
    }

    /// Replaces the record of a session.
    func update(_ record: SessionRecord, replacing former: SessionRecord) throws {
        try execute(
            "UPDATE sessions SET content = ? WHERE id = ? AND content = ?",
            [Data(record.stored), record.id.description, Data(former.stored)])
        guard database.changesCount == 1 else {
            throw try head(of: record.id) == nil ? JournalError.noSuchSession : .conflict
        }
        try deleteAttributes(of: record.id.description)
        try insertAttributes(of: record)
    }

    private func insertAttributes(of record: SessionRecord) throws {
        for (name, value) in record.attributes {
            try execute(
                """
                INSERT INTO attributes (session, name, app, value, expires_at)
                SELECT id, ?2, app, ?3, expires_at FROM sessions WHERE id = ?1
                """, [record.id.description, name, Data(value.utf8)])
        }
    }

    private func deleteAttributes(of id: String) throws {
        try execute("DELETE FROM attributes WHERE session = ?", [id])
    }

    /// Adds a session that has its parent's first entries.
    func fork(_ record: SessionRecord, of point: ForkPoint, until expiry: Timestamp) throws {
        let parent = point.session.description
        guard let extent = try extent(of: point.session), point.version <= extent.version else {
            throw JournalError.noSuchSession
        }
        var (pending, wake) = (record.begun.count, record.wake)
        if point.version > 0 {
            do {
                guard let last = try storedEntry(point.version, of: point.session) else {
                    throw JournalError.noSuchSession
                }
                (pending, wake) = try (last.pending, last.entry.wake)
            } catch is UnreadableJSON {
                throw JournalError.damaged(version: point.version)
            }
        }
        try insert(record, base: point.version, pending: pending, until: expiry)
        if let wake { try setDue(wake, of: record.id) }
        try execute(
            "INSERT INTO lineage SELECT ?1, owner, first, min(last, ?3) FROM lineage WHERE session = ?2 AND first <= ?3",
            [record.id.description, parent, point.version])
        if point.version > extent.base {
            try execute(
                "INSERT INTO lineage VALUES (?, ?, ?, ?)",
                [record.id.description, parent, extent.base + 1, point.version])
        }
    }

    private func insert(_ record: SessionRecord, base: Int, pending: Int, until expiry: Timestamp) throws {
        try execute(
            """
            INSERT INTO sessions
                (id, app, content, base, base_pending, expires_at, work_withheld, reference, key)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                record.id.description, record.app, Data(record.stored), base, pending, expiry.seconds,
                record.isWorkWithheld, record.reference, record.key,
            ])
    }

    /// Ends a session. All of it is removed at once, except its entries, which are removed later.
    func end(_ session: SessionID, at version: Int?) throws {
        guard let extent = try extent(of: session) else { throw JournalError.noSuchSession }
        guard version == nil || version == extent.version else { throw JournalError.conflict }
        try end(session)
    }

    func end(_ session: SessionID) throws {
        recordEnd(of: session)
        try removeDue(of: session)
        let id = session.description
        // Its entries, and those that it shares, are removed later, if no other session shares them.
        try execute("INSERT OR IGNORE INTO garbage SELECT ?1 UNION SELECT owner FROM lineage WHERE session = ?1", [id])
        try execute("DELETE FROM lineage WHERE session = ?", [id])
        try deleteAttributes(of: id)
        try execute("DELETE FROM sessions WHERE id = ?", [id])
    }

    func keep(_ session: SessionID, until expiry: Timestamp) throws {
        let arguments: StatementArguments = [expiry.seconds, session.description]
        try execute("UPDATE sessions SET expires_at = ? WHERE id = ?", arguments)
        try execute("UPDATE attributes SET expires_at = ? WHERE session = ?", arguments)
    }

    /// Ends expired sessions, earliest expiry first, and returns them with their apps.
    func expire(by now: Timestamp, limit: Int) throws -> [(id: SessionID, app: String)] {
        let expired = try Row.fetchAll(
            database, sql: "SELECT id, app FROM sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?",
            arguments: [now.seconds, limit]
        ).map { row in (id: try session(row[0]), app: row[1] as String) }
        for session in expired { try end(session.id) }
        return expired
    }

    /// Removes entries that no longer belong to any session. Returns whether there may be more of them.
    ///
    /// Sessions with unfiled entries have to wait until those are filed.
    ///
    /// - Parameter limit: The most entries to remove, and the most sessions to check.
    func clearAway(limit: Int) throws -> Bool {
        let owners = try String.fetchAll(statement("SELECT owner FROM garbage LIMIT ?"), arguments: [limit])
        var (remaining, later) = (limit, 0)
        for owner in owners {
            guard SessionID(owner).map(unfiled)?.isEmpty ?? true else {
                later += 1
                continue
            }
            // The newest entry that a fork shares. None may be deleted while the session itself exists.
            let kept = try Int.fetchOne(
                statement(
                    """
                    SELECT iif(EXISTS (SELECT 1 FROM sessions WHERE id = ?1), 9223372036854775807,
                        coalesce((SELECT max(last) FROM lineage WHERE owner = ?1), 0))
                    """), arguments: [owner])
            let last = try Int.fetchOne(
                statement("SELECT max(version) FROM entries WHERE session = ?"), arguments: [owner])
            let excess = max(0, (last ?? 0) - (kept ?? 0))
            if excess > 0, let last {
                try execute(
                    "DELETE FROM entries WHERE session = ? AND version > ?", [owner, last - min(excess, remaining)])
            }
            guard excess <= remaining else { return true }
            remaining -= excess
            try execute("DELETE FROM garbage WHERE owner = ?", [owner])
        }
        return owners.count == limit && later < limit
    }
}
