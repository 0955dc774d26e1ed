internal import Coordinate
internal import CoordinateSessions
internal import GRDB

/// The sessions with pending work, and their leases, which only the writer knows.
extension Transaction {
    /// Notes the moment from which a session needs looking after; nil where nothing is pending in it any more.
    func note(due moment: Timestamp?, of session: SessionID) throws {
        guard let moment else { return try removeDue(of: session) }
        try database.cachedStatement(
            sql: """
                INSERT INTO due SELECT id, app, ?2 FROM sessions WHERE id = ?1
                ON CONFLICT (session) DO UPDATE SET due_at = excluded.due_at WHERE due_at <> excluded.due_at
                """
        ).execute(arguments: [session.description, moment.seconds])
    }

    /// Forgets that a session needs looking after, and its lease.
    func removeDue(of session: SessionID) throws {
        let id = session.description
        try database.cachedStatement(sql: "DELETE FROM due WHERE session = ?").execute(arguments: [id])
        if database.changesCount > 0 { try endLease(of: session) }
    }

    // MARK: Leases

    /// Leases sessions of an app that are due and not leased, longest overdue first.
    func leaseDue(by now: Timestamp, of app: String, limit: Int) throws -> [SessionID] {
        let due = try String.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT session FROM due WHERE app = ? AND due_at <= ?
                    AND NOT EXISTS (SELECT 1 FROM leases WHERE leases.session = due.session)
                    ORDER BY due_at, session LIMIT ?
                    """), arguments: [app, now.seconds, max(0, limit)]
        ).map(session)
        for session in due { try insertLease(of: session) }
        return due
    }

    /// Leases a session; false where nothing is pending in it.
    func lease(_ session: SessionID) throws -> Bool {
        let isPending = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM due WHERE session = ?)"),
            arguments: [session.description])
        guard isPending == true else { return false }
        try insertLease(of: session)
        return true
    }

    /// True where a session is leased.
    func isLeased(_ session: SessionID) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM leases WHERE session = ?)"),
            arguments: [session.description]) ?? false
    }

    func endLease(of session: SessionID) throws {
        try database.cachedStatement(sql: "DELETE FROM leases WHERE session = ?").execute(
            arguments: [session.description])
    }

    private func insertLease(of session: SessionID) throws {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO leases VALUES (?)").execute(
            arguments: [session.description])
    }
}
