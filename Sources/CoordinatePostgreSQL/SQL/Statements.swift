/// The statements of each worker, which its connection prepares.
enum Statements {
    static let appends = [append, appendAndSchedule, present]
    static let heads = [Self.head, time]
    static let changes = [
        lockRoom, create, insertEntries, insertDue, read, fork, lockParent, lockToEnd, end, keep, recordCrash,
        updateRecord, expire, lockGarbage, deleteEntries, deleteGarbage, total, probe, endProbe,
    ]
    static let reads = [read, list, listByID, withKey, withReference, counts, listByAttribute]
    static let following = [follow]
    static let leases = [leaseDue, lease, renewLeases, endLeases, backOff]

    // MARK: Appending

    /// Adds the next entries of some sessions, at most one each: `$1` sessions, `$2` versions, `$3` changes of the
    /// number pending, `$4` marks, `$5` contents. It returns the sessions whose entries were added.
    ///
    /// The locks on the sessions keep an entry from following an end. They are acquired one after the other, in the
    /// order of ids, since only nested loops are allowed here; so the time per entry does not grow with the group.
    ///
    /// The previous entry is looked up by a session and a version from the same row. If they came from different rows,
    /// PostgreSQL might look up the session alone, if its statistics show sessions with one entry each, and read all
    /// entries of a longer session.
    static let append = Statement(name: "append", appending)

    private static let appending = """
        INSERT INTO coordinate_entries (session, version, pending, mark, content)
        SELECT s.id, n.version, COALESCE(p.pending, s.base_pending) + n.change, n.mark, n.content
        FROM (
            SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::bigint[], $5::bytea[])
                AS n(session, version, change, mark, content)
            ORDER BY session COLLATE "C"
        ) n
        CROSS JOIN LATERAL (
            SELECT id, base, base_pending, n.version - 1 AS version FROM coordinate_sessions WHERE id = n.session
            FOR KEY SHARE
        ) s
        LEFT JOIN coordinate_entries p ON p.session = s.id AND p.version = s.version
        WHERE p.session IS NOT NULL OR n.version = s.base + 1
        ORDER BY s.id
        ON CONFLICT DO NOTHING
        RETURNING session
        """

    /// Like ``append``, for groups in which some entries change what is pending: `$6` their sessions, `$7` the moments
    /// at which those are due, or null.
    ///
    /// Only entries that were added count. Due rows are locked in the order of ids, after all entries. With `IS TRUE`,
    /// PostgreSQL looks up each session among the added ones by a hash; without it, PostgreSQL would scan all of them
    /// for each.
    static let appendAndSchedule = Statement(
        name: "appendAndSchedule",
        """
        WITH added AS (\(appending)), changed AS (
            SELECT n.session, n.due_at FROM unnest($6::text[], $7::bigint[]) AS n(session, due_at)
            WHERE (n.session IN (SELECT session FROM added)) IS TRUE
        ), locked AS (
            SELECT d.session FROM (SELECT session FROM changed ORDER BY session COLLATE "C") c
            CROSS JOIN LATERAL (SELECT session FROM coordinate_due WHERE session = c.session FOR UPDATE) d
        ), gone AS (
            DELETE FROM coordinate_due d USING changed c
            WHERE d.session = c.session AND c.due_at IS NULL AND (SELECT count(*) FROM locked) > 0
        ), scheduled AS (
            INSERT INTO coordinate_due (session, app, due_at)
            SELECT s.id, s.app, c.due_at FROM changed c JOIN coordinate_sessions s ON s.id = c.session
            WHERE c.due_at IS NOT NULL AND NOT s.work_withheld AND (SELECT count(*) FROM locked) >= 0
            ON CONFLICT (session) DO UPDATE SET due_at = excluded.due_at, failures = 0
            WHERE coordinate_due.due_at <> excluded.due_at OR coordinate_due.failures > 0
        )
        SELECT session FROM added
        """)

    /// Returns the given sessions that exist.
    static let present = Statement(
        name: "present", "SELECT id FROM coordinate_sessions WHERE id = ANY ($1::text[])")

    // MARK: Reading

    /// The last entry of a session, `s`: `e`; or, for a fork without an entry of its own, its parent's, `b`.
    private static let lastEntry = """
        LEFT JOIN LATERAL (
            SELECT version, pending, content FROM coordinate_entries WHERE session = s.id ORDER BY version DESC LIMIT 1
        ) e ON true
        LEFT JOIN LATERAL (
            SELECT owner, last FROM coordinate_lineage
            WHERE e.version IS NULL AND session = s.id AND last = s.base LIMIT 1
        ) l ON true
        LEFT JOIN coordinate_entries b ON b.session = l.owner AND b.version = l.last
        """

    /// The heads of some sessions, with each session's position in the query.
    static let head = Statement(
        name: "head",
        """
        SELECT n.place::int, s.app, s.content, s.expires_at, COALESCE(e.version, s.base),
            COALESCE(e.pending, s.base_pending), COALESCE(e.content, b.content),
            s.crash_version, s.crash_is_repeated, s.crash_event, s.crash_app_version, s.crash_times, s.work_withheld
        FROM unnest($1::text[]) WITH ORDINALITY AS n(id, place)
        JOIN coordinate_sessions s ON s.id = n.id
        \(lastEntry)
        """)

    /// Appends an entry to no session. ``endProbe`` deletes it in the same transaction.
    static let probe = Statement(
        name: "probe",
        "INSERT INTO coordinate_entries (session, version, pending, content) VALUES ('' || pg_backend_pid(), 0, 0, '')")

    static let endProbe = Statement(
        name: "endProbe", "DELETE FROM coordinate_entries WHERE session = '' || pg_backend_pid() AND version = 0")

    /// Returns entries of a session, `$1`, after a version, `$2`, up to another one, `$3`, and possibly rows without an
    /// entry; no row if there is no such session.
    static let read = Statement(
        name: "read",
        """
        SELECT e.version, e.mark, e.content, e.session = s.id
        FROM coordinate_sessions s
        LEFT JOIN LATERAL (
            SELECT owner, GREATEST(first, $2::int + 1) AS first, LEAST(last, $3::int) AS last
            FROM coordinate_lineage WHERE session = s.id AND last > $2::int AND first <= $3::int
            UNION ALL SELECT s.id, GREATEST(s.base, $2::int) + 1, $3::int
        ) p ON true
        LEFT JOIN coordinate_entries e ON e.session = p.owner AND e.version BETWEEN p.first AND p.last
        WHERE s.id = $1::text
        ORDER BY e.version
        """)

    /// Returns sessions of all apps, latest use first, after a position in that order, `$1` and `$2`; at most `$3`.
    static let list = Statement(
        name: "list",
        listing(
            """
            SELECT * FROM coordinate_sessions WHERE (expires_at, id) < ($1::bigint, $2::text)
            ORDER BY expires_at DESC, id DESC LIMIT $3::int
            """, by: "s.expires_at DESC, s.id DESC"))

    /// Returns sessions of all apps, by id, after an id, `$1`; at most `$2`.
    static let listByID = Statement(
        name: "listByID",
        listing("SELECT * FROM coordinate_sessions WHERE id > $1::text ORDER BY id LIMIT $2::int", by: "s.id"))

    // MARK: Finding

    /// Returns the session of an app, `$1`, with a key, `$2`.
    static let withKey = Statement(
        name: "withKey", "SELECT session FROM coordinate_keys WHERE app = $1::text AND key = $2::bytea")

    /// Returns the session of an app, `$1`, with a reference, `$2`.
    static let withReference = Statement(
        name: "withReference",
        "SELECT id FROM coordinate_sessions WHERE reference = $2::text AND app = $1::text")

    /// Returns how many sessions of an app, `$1`, have each of some attributes: `$2` names, `$3` values. It counts at
    /// most 1,000, and returns each attribute's position in the query.
    static let counts = Statement(
        name: "counts",
        """
        SELECT n.place::int, (SELECT count(*) FROM (
            SELECT FROM coordinate_attributes WHERE app = $1::text AND name = n.name AND value = n.value LIMIT 1000
        ) a)
        FROM unnest($2::text[], $3::bytea[]) WITH ORDINALITY AS n(name, value, place)
        """)

    /// Like ``list``, of the sessions of an app, `$4`, that have an attribute: `$5` name, `$6` value.
    static let listByAttribute = Statement(
        name: "listByAttribute",
        listing(
            """
            SELECT a.session AS id, a.expires_at, s.app, s.content, s.base, s.base_pending, s.crash_version,
                s.crash_is_repeated, s.crash_event, s.crash_app_version, s.crash_times, s.work_withheld
            FROM (
                SELECT session, expires_at FROM coordinate_attributes
                WHERE app = $4::text AND name = $5::text AND value = $6::bytea
                    AND (expires_at, session) < ($1::bigint, $2::text)
                ORDER BY expires_at DESC, session DESC LIMIT $3::int
            ) a LEFT JOIN coordinate_sessions s ON s.id = a.session
            """, by: "s.expires_at DESC, s.id DESC"))

    private static func listing(_ sessions: String, by order: String) -> String {
        """
        SELECT s.id, s.app, s.content, s.expires_at, COALESCE(e.version, s.base),
            COALESCE(e.pending, s.base_pending), COALESCE(e.content, b.content),
            s.crash_version, s.crash_is_repeated, s.crash_event, s.crash_app_version, s.crash_times, s.work_withheld
        FROM (\(sessions)) s
        \(lastEntry)
        ORDER BY \(order)
        """
    }

    /// The number of sessions.
    static let total = Statement(name: "total", "SELECT \(count)")

    /// The number of sessions. A large number is not counted, but PostgreSQL's own estimate, as of the last vacuum or
    /// analysis (https://www.postgresql.org/docs/15/catalog-pg-class.html).
    static let count = """
        (SELECT CASE WHEN c.reltuples < 200000 THEN (SELECT count(*) FROM coordinate_sessions) ELSE c.reltuples::bigint END
        FROM pg_class c WHERE c.oid = 'coordinate_sessions'::regclass)
        """

    /// The time by PostgreSQL's clock, in milliseconds.
    static let time = Statement(name: "time", "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint")

    /// The time by PostgreSQL's clock, in seconds, or by a server's clock if that is earlier, so that nothing happens
    /// too early because of a server's clock.
    static func earliest(_ moment: String) -> String {
        "LEAST(\(moment)::bigint, \(now))"
    }

    /// The time by PostgreSQL's clock, in seconds.
    static let now = "floor(extract(epoch FROM now()))::bigint"

    /// The versions of some sessions, with each session's position in the query.
    static let follow = Statement(
        name: "follow",
        """
        SELECT n.place::int, COALESCE(e.version, s.base)
        FROM unnest($1::text[]) WITH ORDINALITY AS n(id, place)
        JOIN coordinate_sessions s ON s.id = n.id
        LEFT JOIN LATERAL (
            SELECT version FROM coordinate_entries WHERE session = s.id ORDER BY version DESC LIMIT 1
        ) e ON true
        """)
}
