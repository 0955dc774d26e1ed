extension Statements {
    // MARK: Ending

    /// Waits until no other transaction uses a session, and keeps others from it until this transaction is over.
    static let lockToEnd = Statement(
        name: "lockToEnd", "SELECT FROM coordinate_sessions WHERE id = $1::text FOR UPDATE")

    /// Deletes the due rows, the keys and the attributes of sessions that are `gone`.
    private static let undue = """
        locked AS (
            SELECT d.session FROM (SELECT id FROM gone ORDER BY id) g
            CROSS JOIN LATERAL (SELECT session FROM coordinate_due WHERE session = g.id FOR UPDATE) d
        ), undue AS (
            DELETE FROM coordinate_due d USING locked WHERE d.session = locked.session RETURNING 1
        ), unnamed AS (
            DELETE FROM coordinate_keys k USING gone WHERE k.session = gone.id
        ), unlisted AS (
            DELETE FROM coordinate_attributes a USING gone WHERE a.session = gone.id
        )
        """

    /// Removes the traces of sessions that are `gone`: deletes their due rows and their lineage, and adds them and the
    /// owners of their entries to the garbage.
    private static let traces = """
        \(undue), line AS (
            DELETE FROM coordinate_lineage l USING gone WHERE l.session = gone.id RETURNING l.owner
        ), garbage AS (
            INSERT INTO coordinate_garbage (owner)
            SELECT owner FROM (SELECT owner FROM line UNION SELECT id FROM gone) AS o
            WHERE (SELECT count(*) FROM undue) >= 0 ORDER BY owner
            ON CONFLICT (owner) DO UPDATE SET owner = excluded.owner
        )
        """

    /// Finds a session, `$1`, and its version.
    private static let found = """
        found AS (
            SELECT s.id, COALESCE(
                (SELECT version FROM coordinate_entries WHERE session = s.id ORDER BY version DESC LIMIT 1), s.base
            ) AS version
            FROM coordinate_sessions s WHERE s.id = $1::text
        )
        """

    /// Ends a session, `$1`, if it is at a version, `$2`, or at any version if that is null. The session must be locked
    /// before. It returns whether the session has ended; no row if there is no such session.
    static let end = Statement(
        name: "end",
        """
        WITH \(found), gone AS (
            DELETE FROM coordinate_sessions s USING found
            WHERE s.id = found.id AND ($2::int IS NULL OR found.version = $2::int) RETURNING s.id
        ), \(traces)
        SELECT EXISTS (SELECT FROM gone) FROM found
        """)

    /// Ends at most `$2` sessions whose expiry has passed, at `$1` by the clock of a server, and by PostgreSQL's;
    /// except those in use at this moment. It returns each of them and its app.
    static let expire = Statement(
        name: "expire",
        """
        WITH due AS (
            SELECT id FROM coordinate_sessions WHERE expires_at <= \(earliest("$1"))
            ORDER BY expires_at, id LIMIT $2::int FOR UPDATE SKIP LOCKED
        ), gone AS (
            DELETE FROM coordinate_sessions s USING due WHERE s.id = due.id RETURNING s.id, s.app
        ), \(traces)
        SELECT gone.id, gone.app FROM gone
        """)

    // MARK: Keeping ended sessions

    /// Keeps sessions that are `gone` for some seconds: notes them, and makes their lineage name their own entries. The
    /// session's version must be in `gone`.
    private static func kept(for seconds: String) -> String {
        """
        \(undue), kept AS (
            INSERT INTO coordinate_ended (id, app, content, version, ended_at, kept_until, work_withheld)
            SELECT id, app, content, version, \(now), \(now) + \(seconds)::bigint, work_withheld FROM gone
            ON CONFLICT DO NOTHING
        ), own AS (
            INSERT INTO coordinate_lineage (session, first, last, owner)
            SELECT id, base + 1, version, id FROM gone WHERE version > base
            ON CONFLICT DO NOTHING
        )
        """
    }

    /// Like ``end``, but keeps the session for some seconds, `$3`.
    static let endAndKeep = Statement(
        name: "endAndKeep",
        """
        WITH \(found), gone AS (
            DELETE FROM coordinate_sessions s USING found
            WHERE s.id = found.id AND ($2::int IS NULL OR found.version = $2::int)
            RETURNING s.id, s.app, s.content, s.base, s.work_withheld, found.version
        ), \(kept(for: "$3"))
        SELECT EXISTS (SELECT FROM gone) FROM found
        """)

    /// Like ``expire``, but keeps the sessions for some seconds, `$3`.
    static let expireAndKeep = Statement(
        name: "expireAndKeep",
        """
        WITH due AS (
            SELECT id, base FROM coordinate_sessions WHERE expires_at <= \(earliest("$1"))
            ORDER BY expires_at, id LIMIT $2::int FOR UPDATE SKIP LOCKED
        ), found AS (
            SELECT due.id, COALESCE(e.version, due.base) AS version FROM due
            LEFT JOIN LATERAL (
                SELECT version FROM coordinate_entries WHERE session = due.id ORDER BY version DESC LIMIT 1
            ) e ON true
        ), gone AS (
            DELETE FROM coordinate_sessions s USING found WHERE s.id = found.id
            RETURNING s.id, s.app, s.content, s.base, s.work_withheld, found.version
        ), \(kept(for: "$3"))
        SELECT gone.id, gone.app FROM gone
        """)

    /// Deletes ended sessions that are `due`, and adds the owners of their entries to the garbage. It returns them.
    private static func removal(of due: String) -> String {
        """
        WITH due AS (\(due)), gone AS (
            DELETE FROM coordinate_ended d USING due WHERE d.id = due.id RETURNING d.id
        ), line AS (
            DELETE FROM coordinate_lineage l USING gone WHERE l.session = gone.id RETURNING l.owner
        ), garbage AS (
            INSERT INTO coordinate_garbage (owner)
            SELECT owner FROM (SELECT owner FROM line UNION SELECT id FROM gone) AS o ORDER BY owner
            ON CONFLICT (owner) DO UPDATE SET owner = excluded.owner
        )
        SELECT id FROM gone
        """
    }

    /// Deletes an ended session, `$1`.
    static let removeEnded = Statement(
        name: "removeEnded",
        removal(of: "SELECT id FROM coordinate_ended WHERE id = $1::text FOR UPDATE"))

    /// Deletes at most `$1` ended sessions that were kept long enough.
    static let removeKept = Statement(
        name: "removeKept",
        removal(
            of: """
                SELECT id FROM coordinate_ended WHERE kept_until <= \(now) ORDER BY id LIMIT $1::int
                FOR UPDATE SKIP LOCKED
                """))

    /// Returns ended sessions of an app, `$1`, by id, after an id, `$2`; at most `$3`.
    static let listEnded = Statement(
        name: "listEnded",
        """
        SELECT d.id, d.app, d.content, d.kept_until, d.version, 0, e.content, NULL::int, NULL::boolean, NULL::bytea,
            NULL::bytea, NULL::int, d.work_withheld
        FROM (
            SELECT * FROM coordinate_ended WHERE app = $1::text AND id > $2::text ORDER BY id LIMIT $3::int
        ) d
        LEFT JOIN LATERAL (
            SELECT owner FROM coordinate_lineage WHERE session = d.id AND d.version BETWEEN first AND last LIMIT 1
        ) l ON true
        LEFT JOIN coordinate_entries e ON e.session = l.owner AND e.version = d.version
        ORDER BY d.id
        """)

    /// Like ``read``, for a session that has ended and is kept. It is not prepared, because tools also read tables of
    /// an older version, without ended sessions.
    static let readEnded = Statement(
        """
        SELECT e.version, NULL::bigint, e.content, false
        FROM coordinate_ended d
        LEFT JOIN LATERAL (
            SELECT owner, GREATEST(first, $2::int + 1) AS first, LEAST(last, $3::int) AS last
            FROM coordinate_lineage WHERE session = d.id AND last > $2::int AND first <= $3::int
        ) p ON true
        LEFT JOIN coordinate_entries e ON e.session = p.owner AND e.version BETWEEN p.first AND p.last
        WHERE d.id = $1::text
        ORDER BY e.version
        """)
}
