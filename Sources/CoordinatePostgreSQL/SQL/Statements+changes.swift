extension Statements {
    // MARK: Beginning

    /// Keeps other servers from creating sessions until the transaction is over: near the limit, only one server at a
    /// time creates sessions. The number is arbitrary, and the same in all versions of this program.
    static let lockRoom = Statement(name: "lockRoom", "SELECT pg_advisory_xact_lock(3708460719274382)")

    /// Adds sessions with their histories, if there is room for all of them below a limit, `$22`; without a check if
    /// that is null. Sessions: `$1` ids, `$2` apps, `$3` contents, `$4` pending, `$5` expiries, `$6` whether work is
    /// withheld, `$7` references, `$8` keys, or null; attributes: `$9` sessions, `$10` apps, `$11` expiries, `$12` names,
    /// `$13` values; entries: `$14` sessions, `$15` versions, `$16` pending, `$17` marks, `$18` contents; due rows: `$19`
    /// sessions, `$20` apps, `$21` moments. It returns null if there was room, and the sessions with a key that were
    /// added: those whose key another session has are not.
    static let create = Statement(
        name: "create",
        """
        WITH room AS (\(room(for: "cardinality($1::text[])", below: "$22"))), new AS (
            SELECT n.* FROM room, unnest(
                $1::text[], $2::text[], $3::bytea[], $4::int[], $5::bigint[], $6::int[], $7::text[], $8::bytea[]
            ) AS n(id, app, content, pending, expires_at, withheld, reference, key)
        ), named AS (
            INSERT INTO coordinate_keys (session, app, key)
            SELECT id, app, key FROM new WHERE key IS NOT NULL ORDER BY app, key
            ON CONFLICT (app, key) DO NOTHING RETURNING session
        ), added AS (
            INSERT INTO coordinate_sessions
                (id, app, content, base, base_pending, expires_at, work_withheld, reference)
            SELECT n.id, n.app, n.content, 0, n.pending, n.expires_at, n.withheld <> 0, n.reference
            FROM new n WHERE n.key IS NULL OR (n.id IN (SELECT session FROM named)) IS TRUE
            RETURNING id
        ), listed AS (
            INSERT INTO coordinate_attributes (session, app, expires_at, name, value)
            SELECT n.session, n.app, n.expires_at, n.name, n.value
            FROM unnest($9::text[], $10::text[], $11::bigint[], $12::text[], $13::bytea[])
                AS n(session, app, expires_at, name, value)
            WHERE \(isAdded("n.session"))
        ), history AS (
            INSERT INTO coordinate_entries (session, version, pending, mark, content)
            SELECT n.session, n.version, n.pending, n.mark, n.content
            FROM unnest($14::text[], $15::int[], $16::int[], $17::bigint[], $18::bytea[])
                AS n(session, version, pending, mark, content)
            WHERE \(isAdded("n.session"))
        ), scheduled AS (
            INSERT INTO coordinate_due (session, app, due_at)
            SELECT n.session, n.app, n.due_at
            FROM unnest($19::text[], $20::text[], $21::bigint[]) AS n(session, app, due_at)
            WHERE \(isAdded("n.session"))
        )
        SELECT NULL::text FROM room UNION ALL SELECT session FROM named
        """)

    /// Whether a session was `added`. With `IS TRUE`, PostgreSQL looks it up by a hash.
    private static func isAdded(_ session: String) -> String { "(\(session) IN (SELECT id FROM added)) IS TRUE" }

    /// Returns a row if there is room for some more sessions below a limit, or that is null. They are counted only with
    /// a limit.
    private static func room(for count: String, below limit: String) -> String {
        "SELECT WHERE \(limit)::bigint IS NULL OR \(Self.count) + \(count) <= \(limit)::bigint"
    }

    static let insertEntries = Statement(
        name: "insertEntries",
        """
        INSERT INTO coordinate_entries (session, version, pending, mark, content)
        SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::bigint[], $5::bytea[])
        """)

    static let insertDue = Statement(
        name: "insertDue",
        "INSERT INTO coordinate_due (session, app, due_at) VALUES ($1::text, $2::text, $3::bigint)")

    /// Keeps a session from ending until the transaction is over.
    static let lockParent = Statement(
        name: "lockParent", "SELECT FROM coordinate_sessions WHERE id = $1::text FOR KEY SHARE")

    /// Adds a fork, if there is room for it below a limit, `$10`; without a check if that is null. `$1` id, `$2` app,
    /// `$3` content, `$4` expiry, `$5` parent, `$6` version, `$7` the number pending at version 0, `$8` the moment at
    /// which it is due, or null, `$9` whether its work is withheld, `$11` reference. Its parent must be locked before. It returns
    /// whether its parent has that version, and whether there was room.
    static let fork = Statement(
        name: "fork",
        """
        WITH point AS (
            SELECT CASE WHEN $6::int > p.base THEN p.id ELSE l.owner END AS owner, p.base
            FROM coordinate_sessions p
            LEFT JOIN coordinate_lineage l ON l.session = p.id AND $6::int BETWEEN l.first AND l.last
            WHERE p.id = $5::text
        ), beginning AS (
            SELECT COALESCE(e.pending, $7::int) AS pending, point.base
            FROM point LEFT JOIN coordinate_entries e ON e.session = point.owner AND e.version = $6::int
            WHERE $6::int = 0 OR e.session IS NOT NULL
        ), room AS (\(room(for: "1", below: "$10"))), added AS (
            INSERT INTO coordinate_sessions
                (id, app, content, base, base_pending, expires_at, work_withheld, reference)
            SELECT $1::text, $2::text, $3::bytea, $6::int, beginning.pending, $4::bigint, $9::int <> 0, $11::text
            FROM room, beginning
        ), line AS (
            INSERT INTO coordinate_lineage (session, first, last, owner)
            SELECT $1::text, l.first, LEAST(l.last, $6::int), l.owner
            FROM room, beginning, coordinate_lineage l WHERE l.session = $5::text AND l.first <= $6::int
            UNION ALL SELECT $1::text, beginning.base + 1, $6::int, $5::text
            FROM room, beginning WHERE $6::int > beginning.base
        ), scheduled AS (
            INSERT INTO coordinate_due (session, app, due_at)
            SELECT $1::text, $2::text, $8::bigint FROM room, beginning WHERE $8::bigint IS NOT NULL
        )
        SELECT EXISTS (SELECT FROM beginning), EXISTS (SELECT FROM room)
        """)

    // MARK: Changing

    /// Replaces the content, `$2`, of a session, `$1`, and its attributes: `$3` names, `$4` values; unless the content is
    /// another one than `$5` by now. It returns whether it did.
    static let updateRecord = Statement(
        name: "updateRecord",
        """
        WITH changed AS (
            UPDATE coordinate_sessions SET content = $2::bytea WHERE id = $1::text AND content = $5::bytea
            RETURNING id, app, expires_at
        ), unlisted AS (
            DELETE FROM coordinate_attributes a USING changed
            WHERE a.session = changed.id AND a.name <> ALL ($3::text[])
        ), listed AS (
            INSERT INTO coordinate_attributes (session, name, app, value, expires_at)
            SELECT changed.id, n.name, changed.app, n.value, changed.expires_at
            FROM changed, unnest($3::text[], $4::bytea[]) AS n(name, value)
            ON CONFLICT (session, name) DO UPDATE SET value = excluded.value
            WHERE coordinate_attributes.value <> excluded.value
        )
        SELECT EXISTS (SELECT FROM changed) FROM coordinate_sessions WHERE id = $1::text
        """)

    /// Records a crash of a session, `$1`: `$2` version, `$3` whether that existed before, `$4` event, `$5` version of
    /// the app. The count goes up if the former crash was the same, whatever its event.
    static let recordCrash = Statement(
        name: "recordCrash",
        """
        UPDATE coordinate_sessions SET
            crash_times = CASE
                WHEN crash_version = $2::int AND crash_is_repeated = ($3::int = 1) AND crash_app_version = $5::bytea
                THEN crash_times + 1 ELSE 1 END,
            crash_version = $2::int, crash_is_repeated = ($3::int = 1), crash_event = $4::bytea,
            crash_app_version = $5::bytea
        WHERE id = $1::text
        RETURNING id
        """)

    /// Keeps sessions, `$1`, until given moments, `$2`, if these are later than before.
    static let keep = Statement(
        name: "keep",
        """
        WITH later AS (
            SELECT s.id, n.expires_at
            FROM unnest($1::text[], $2::bigint[]) AS n(id, expires_at)
            JOIN coordinate_sessions s ON s.id = n.id
            WHERE s.expires_at < n.expires_at ORDER BY s.id FOR NO KEY UPDATE OF s
        ), kept AS (
            UPDATE coordinate_sessions s SET expires_at = GREATEST(s.expires_at, later.expires_at)
            FROM later WHERE s.id = later.id RETURNING s.id, s.expires_at
        )
        UPDATE coordinate_attributes a SET expires_at = kept.expires_at FROM kept WHERE a.session = kept.id
        """)

    // MARK: Garbage

    /// Reads and locks some owners of garbage that no other transaction has locked. Another transaction that adds one
    /// of them again has to wait.
    static let lockGarbage = Statement(
        name: "lockGarbage",
        "SELECT owner FROM coordinate_garbage ORDER BY owner LIMIT $1::int FOR UPDATE SKIP LOCKED")

    /// Deletes at most `$2` entries of former owners, `$1`, that no fork shares. It returns their number.
    static let deleteEntries = Statement(
        name: "deleteEntries",
        """
        WITH left_behind AS (
            SELECT e.session, e.version FROM unnest($1::text[]) AS o(id)
            JOIN coordinate_entries e ON e.session = o.id
            WHERE NOT EXISTS (SELECT FROM coordinate_sessions s WHERE s.id = o.id) AND e.version > COALESCE(
                (SELECT l.last FROM coordinate_lineage l WHERE l.owner = o.id ORDER BY l.last DESC LIMIT 1), 0)
            LIMIT $2::int
        ), gone AS (
            DELETE FROM coordinate_entries e USING left_behind l
            WHERE e.session = l.session AND e.version = l.version RETURNING 1
        )
        SELECT count(*) FROM gone
        """)

    /// Deletes the given garbage owners, `$1`, that exist as sessions or have no such entries left.
    static let deleteGarbage = Statement(
        name: "deleteGarbage",
        """
        DELETE FROM coordinate_garbage g
        WHERE g.owner = ANY ($1::text[]) AND (
            EXISTS (SELECT FROM coordinate_sessions s WHERE s.id = g.owner)
            OR NOT EXISTS (
                SELECT FROM coordinate_entries e WHERE e.session = g.owner AND e.version > COALESCE(
                    (SELECT l.last FROM coordinate_lineage l WHERE l.owner = g.owner ORDER BY l.last DESC LIMIT 1), 0)))
        """)
}
