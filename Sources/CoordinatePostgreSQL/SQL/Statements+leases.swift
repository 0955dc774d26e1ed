extension Statements {
    /// Leases at most `$3` sessions of an app, `$1`, that are due at `$2` and that no server has leased: for an owner,
    /// `$4`, and some milliseconds, `$5`. It returns them, longest overdue first.
    ///
    /// Sessions whose due rows another transaction has locked at this moment are skipped.
    static let leaseDue = Statement(
        name: "leaseDue",
        """
        WITH free AS (
            SELECT session FROM coordinate_due
            WHERE app = $1::text AND due_at <= $2::bigint AND (leased_until IS NULL OR leased_until <= now())
            ORDER BY due_at LIMIT $3::int FOR UPDATE SKIP LOCKED
        ), leased AS (
            UPDATE coordinate_due d SET owner = $4::bigint, leased_until = \(end("$5"))
            FROM free WHERE d.session = free.session RETURNING d.session, d.due_at
        )
        SELECT session FROM leased ORDER BY due_at
        """)

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
    /// still has; a lease that ran out is still the owner's as long as no other has taken it.
    static let renewLeases = Statement(
        name: "renewLeases",
        """
        WITH \(locked(where: "owner = $2::bigint")), renewed AS (
            UPDATE coordinate_due d SET leased_until = \(end("$3"))
            FROM locked WHERE d.session = locked.session RETURNING d.session
        )
        SELECT session FROM renewed
        """)

    /// Gives leases of an owner, `$2`, on sessions, `$1`, back.
    static let endLeases = Statement(
        name: "endLeases",
        """
        WITH \(locked(where: "owner = $2::bigint"))
        UPDATE coordinate_due d SET owner = NULL, leased_until = NULL
        FROM locked WHERE d.session = locked.session
        """)

    /// Gives all leases of an owner, `$1`, back.
    static let endAllLeases = Statement(
        name: "endAllLeases",
        """
        WITH locked AS (SELECT session FROM coordinate_due WHERE owner = $1::bigint ORDER BY session FOR UPDATE)
        UPDATE coordinate_due d SET owner = NULL, leased_until = NULL
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

    /// The end of a lease, by the server's clock, as all servers that share the journal have to agree.
    private static func end(_ milliseconds: String) -> String {
        "now() + \(milliseconds)::int * interval '1 millisecond'"
    }
}
