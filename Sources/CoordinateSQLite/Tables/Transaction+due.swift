internal import Coordinate
internal import CoordinateSessions
internal import GRDB

/// The sessions with pending work, and their leases, which only the writer knows.
extension Transaction {
    /// Sets the moment from which a session's work is due; `nil` if nothing is pending in it any more. A session whose
    /// work is withheld is never due.
    func setDue(_ moment: Timestamp?, of session: SessionID) throws {
        guard let moment else { return try removeDue(of: session) }
        try execute(
            """
            INSERT INTO due (session, app, due_at) SELECT id, app, ?2 FROM sessions
            WHERE id = ?1 AND work_withheld = 0
            ON CONFLICT (session) DO UPDATE SET due_at = excluded.due_at, failures = 0
            WHERE due_at <> excluded.due_at OR failures > 0
            """, [session.description, moment.seconds])
    }

    /// Removes a session's due moment, and its lease.
    func removeDue(of session: SessionID) throws {
        try execute("DELETE FROM due WHERE session = ?", [session.description])
        if database.changesCount > 0 { try endLease(of: session) }
    }

    // MARK: Leases

    /// Leases sessions of an app that are due and not leased, longest overdue first: at most `limit` that have not
    /// failed before, then some that have. Of a large number, half are those that became due last. These come first, so
    /// that overdue sessions whose work cannot be done do not delay them.
    func leaseDue(by now: Timestamp, of app: String, limit: Int) throws -> [SessionID] {
        let limit = max(0, limit)
        let newest = SessionBackoff.newest(of: limit)
        var due = Array(try free("failures = 0", "due_at DESC", by: now, of: app, limit: newest).reversed())
        due += try free("failures = 0", "due_at", by: now, of: app, limit: limit - newest)
        due += try free("failures > 0", "due_at", by: now, of: app, limit: min(limit, SessionBackoff.limit))
        return due
    }

    private func free(
        _ condition: String, _ order: String, by now: Timestamp, of app: String, limit: Int
    ) throws -> [SessionID] {
        guard limit > 0 else { return [] }
        let due = try String.fetchAll(
            statement(
                """
                SELECT session FROM due WHERE app = ? AND \(condition) AND due_at <= ?
                AND NOT EXISTS (SELECT 1 FROM leases WHERE leases.session = due.session)
                ORDER BY \(order), session LIMIT ?
                """), arguments: [app, now.seconds, limit]
        ).map(session)
        for session in due { try insertLease(of: session) }
        return due
    }

    /// Gives back the lease of a session whose work could not be done, and makes it back off.
    func backOff(_ session: SessionID, from now: Timestamp) throws {
        guard try isLeased(session) else { return }
        let id = session.description
        try endLease(of: session)
        let failures = try Int.fetchOne(statement("SELECT failures FROM due WHERE session = ?"), arguments: [id])
        guard let failures else { return }
        let end = now.seconds + SessionBackoff.pause(afterFailures: failures + 1)
        try execute(
            "UPDATE due SET failures = min(failures + 1, 30), due_at = max(due_at, ?) WHERE session = ?", [end, id])
    }

    /// Gives back the lease of a session whose work was done.
    func endLeaseAndFailures(of session: SessionID) throws {
        try endLease(of: session)
        try execute("UPDATE due SET failures = 0 WHERE session = ? AND failures > 0", [session.description])
    }

    /// Leases a session; `false` if nothing is pending in it.
    func lease(_ session: SessionID) throws -> Bool {
        guard try hasRow(in: "due WHERE session = ?", session.description) else { return false }
        try insertLease(of: session)
        return true
    }

    /// Whether a session is leased.
    func isLeased(_ session: SessionID) throws -> Bool {
        try hasRow(in: "leases WHERE session = ?", session.description)
    }

    func endLease(of session: SessionID) throws {
        try execute("DELETE FROM leases WHERE session = ?", [session.description])
    }

    private func insertLease(of session: SessionID) throws {
        try execute("INSERT OR IGNORE INTO leases VALUES (?)", [session.description])
    }
}
