extension Statements {
    /// Leases sessions of an app, `$1`, that are due at `$2` and that no server has leased: for an owner, `$4`, and some
    /// milliseconds, `$5`. First come those that became due last, at most `$7`, then those that are longest overdue, at most
    /// `$3`, then some that have failed before, at most `$6`. It returns them in this order.
    ///
    /// Sessions whose due rows another transaction has locked at this moment are skipped.
    static let leaseDue = Statement(
        name: "leaseDue",
        """
        WITH oldest AS (
            \(due(where: "failures = 0")) ORDER BY due_at LIMIT $3::int FOR UPDATE SKIP LOCKED
        ), newest AS (
            \(due(where: "failures = 0")) ORDER BY due_at DESC LIMIT $7::int FOR UPDATE SKIP LOCKED
        ), failed AS (
            \(due(where: "failures > 0")) ORDER BY due_at LIMIT $6::int FOR UPDATE SKIP LOCKED
        ), free AS (
            SELECT session FROM oldest UNION SELECT session FROM newest UNION SELECT session FROM failed
        ), leased AS (
            UPDATE coordinate_due d SET owner = $4::bigint, leased_until = \(end("$5"))
            FROM free WHERE d.session = free.session RETURNING d.session, d.failures, d.due_at
        )
        SELECT l.session FROM leased l LEFT JOIN newest n ON n.session = l.session
        ORDER BY l.failures > 0, n.session IS NULL, l.due_at
        """)

    /// The due rows of an app for which a condition holds, and that no server has leased.
    private static func due(where condition: String) -> String {
        """
        SELECT session FROM coordinate_due
        WHERE app = $1::text AND \(condition) AND due_at <= \(earliest("$2"))
            AND (leased_until IS NULL OR leased_until <= now())
        """
    }

    /// Leases sessions, `$1`, for an owner, `$2`, and some milliseconds, `$3`, except those that others have leased, or
    /// in which nothing is pending. It returns those that the owner has leased now.
    static let lease = Statement(
        name: "lease",
        """
        WITH \(locked(where: "owner = $2::bigint OR leased_until IS NULL OR leased_until <= now()")), leased AS (
            UPDATE coordinate_due d SET owner = $2::bigint, leased_until = \(end("$3"))
            FROM locked WHERE d.session = locked.session RETURNING d.session
        )
        SELECT session FROM leased
        """)

    /// Renews leases of an owner, `$2`, on sessions, `$1`, for some milliseconds, `$3`. It returns those that the owner
    /// still has. A lease that expired still belongs to the owner until another owner leases the session.
    static let renewLeases = Statement(
        name: "renewLeases",
        """
        WITH \(locked(where: "owner = $2::bigint")), renewed AS (
            UPDATE coordinate_due d SET leased_until = \(end("$3"))
            FROM locked WHERE d.session = locked.session RETURNING d.session
        )
        SELECT session FROM renewed
        """)

    /// Gives back leases of an owner, `$2`, on sessions, `$1`.
    static let endLeases = Statement(
        name: "endLeases",
        """
        WITH \(locked(where: "owner = $2::bigint"))
        UPDATE coordinate_due d SET owner = NULL, leased_until = NULL, failures = 0
        FROM locked WHERE d.session = locked.session
        """)

    /// Gives back leases of an owner, `$2`, on sessions, `$1`, and makes the sessions back off: see `SessionBackoff`.
    static let backOff = Statement(
        name: "backOff",
        """
        WITH \(locked(where: "owner = $2::bigint"))
        UPDATE coordinate_due d SET owner = NULL, leased_until = NULL, failures = LEAST(d.failures + 1, 30),
            due_at = GREATEST(d.due_at, \(now) + LEAST(1 << LEAST(d.failures, 12), 3600))
        FROM locked WHERE d.session = locked.session
        """)

    /// The due rows of sessions, `$1`, for which a condition holds, locked in the order of ids.
    private static func locked(where condition: String) -> String {
        """
        locked AS (
            SELECT d.session FROM (SELECT unnest($1::text[]) COLLATE "C" AS id ORDER BY id) n
            CROSS JOIN LATERAL (
                SELECT session FROM coordinate_due WHERE session = n.id AND (\(condition)) FOR UPDATE
            ) d
        )
        """
    }

    /// The end of a lease, by PostgreSQL's clock, since all servers that share the journal must agree.
    private static func end(_ milliseconds: String) -> String {
        "now() + \(milliseconds)::int * interval '1 millisecond'"
    }
}
