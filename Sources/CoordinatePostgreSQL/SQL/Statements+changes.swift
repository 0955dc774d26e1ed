extension Statements {
    // MARK: Beginning

    /// Keeps other servers from creating sessions until the transaction is over: near the limit, only one server at a
    /// time creates sessions. The number is arbitrary, and the same in all versions of this program.
    static let lockRoom = Statement(name: "lockRoom", "SELECT pg_advisory_xact_lock(3708460719274382)")

    /// Adds sessions with their histories, if there is room for all of them below a limit, `$15`; without a check if
    /// that is null. Sessions: `$1` ids, `$2` apps, `$3` contents, `$4` pending, `$5` expiries, `$6` whether work is
    /// withheld; entries: `$7` sessions, `$8` versions, `$9` pending, `$10` marks, `$11` contents; due rows: `$12`
    /// sessions, `$13` apps, `$14` moments. It returns a row if they were added.
    static let create = Statement(
        name: "create",
        """
        WITH room AS (\(room(for: "cardinality($1::text[])", below: "$15"))), added AS (
            INSERT INTO coordinate_sessions (id, slice, app, content, base, base_pending, expires_at, work_withheld)
            SELECT n.id, \(slice(of: "n.id")), n.app, n.content, 0, n.pending, n.expires_at, n.withheld <> 0
            FROM room, unnest($1::text[], $2::text[], $3::bytea[], $4::int[], $5::bigint[], $6::int[])
                AS n(id, app, content, pending, expires_at, withheld)
        ), history AS (
            INSERT INTO coordinate_entries (session, version, pending, mark, content)
            SELECT n.session, n.version, n.pending, n.mark, n.content
            FROM room, unnest($7::text[], $8::int[], $9::int[], $10::bigint[], $11::bytea[])
                AS n(session, version, pending, mark, content)
        ), noted AS (
            INSERT INTO coordinate_due (session, app, due_at)
            SELECT n.session, n.app, n.due_at
            FROM room, unnest($12::text[], $13::text[], $14::bigint[]) AS n(session, app, due_at)
        )
        SELECT FROM room
        """)

    /// Returns a row if there is room for some more sessions below a limit, or that is null. They are counted only with
    /// a limit.
    private static func room(for count: String, below limit: String) -> String {
        "SELECT WHERE \(limit)::bigint IS NULL OR \(Self.count) + \(count) <= \(limit)::bigint"
    }

    /// Adds a session whose history follows in parts, all in one transaction, if there is room for it below a limit,
    /// `$7`; without a check if that is null. `$6` says whether its work is withheld. It returns a row if the session
    /// was added.
    static let addSession = Statement(
        name: "addSession",
        """
        INSERT INTO coordinate_sessions (id, slice, app, content, base, base_pending, expires_at, work_withheld)
        SELECT $1::text, \(slice(of: "$1::text")), $2::text, $3::bytea, 0, $4::int, $5::bigint, $6::int <> 0
        FROM (\(room(for: "1", below: "$7"))) room
        RETURNING id
        """)

    static let addEntries = Statement(
        name: "addEntries",
        """
        INSERT INTO coordinate_entries (session, version, pending, mark, content)
        SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::bigint[], $5::bytea[])
        """)

    static let addDue = Statement(
        name: "addDue",
        "INSERT INTO coordinate_due (session, app, due_at) VALUES ($1::text, $2::text, $3::bigint)")

    /// The slice of an id: see `SessionID.slice`.
    private static func slice(of id: String) -> String {
        func place(_ position: Int) -> String {
            "strpos('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', substr(\(id), \(position), 1)) - 1"
        }
        return "((\(place(1))) * 16 + (\(place(2))) / 4)::smallint"
    }

    /// Whether a session has no slice.
    static let lacksSlices = Statement("SELECT EXISTS (SELECT FROM coordinate_sessions WHERE slice IS NULL)")

    /// Writes the missing slices of the next `$2` sessions after an id, `$1`. It returns the last of these sessions, or
    /// null.
    static let fillInSlices = Statement(
        """
        WITH next AS (
            SELECT id FROM coordinate_sessions WHERE id > $1::text ORDER BY id LIMIT $2::int
        ), locked AS (
            SELECT s.id FROM next CROSS JOIN LATERAL (
                SELECT id FROM coordinate_sessions WHERE id = next.id AND slice IS NULL FOR NO KEY UPDATE
            ) s
        ), filled AS (
            UPDATE coordinate_sessions s SET slice = \(slice(of: "s.id")) FROM locked WHERE s.id = locked.id
        )
        SELECT max(id) FROM next
        """)

    /// Keeps a session from ending until the transaction is over.
    static let lockParent = Statement(
        name: "lockParent", "SELECT FROM coordinate_sessions WHERE id = $1::text FOR KEY SHARE")

    /// Adds a fork, if there is room for it below a limit, `$10`; without a check if that is null. `$1` id, `$2` app,
    /// `$3` content, `$4` expiry, `$5` parent, `$6` version, `$7` the number pending at version 0, `$8` the moment at
    /// which it is due, or null, `$9` whether its work is withheld. Its parent must be locked before. It returns
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
            INSERT INTO coordinate_sessions (id, slice, app, content, base, base_pending, expires_at, work_withheld)
            SELECT $1::text, \(slice(of: "$1::text")), $2::text, $3::bytea, $6::int, beginning.pending, $4::bigint,
                $9::int <> 0
            FROM room, beginning
        ), line AS (
            INSERT INTO coordinate_lineage (session, first, last, owner)
            SELECT $1::text, l.first, LEAST(l.last, $6::int), l.owner
            FROM room, beginning, coordinate_lineage l WHERE l.session = $5::text AND l.first <= $6::int
            UNION ALL SELECT $1::text, beginning.base + 1, $6::int, $5::text
            FROM room, beginning WHERE $6::int > beginning.base
        ), noted AS (
            INSERT INTO coordinate_due (session, app, due_at)
            SELECT $1::text, $2::text, $8::bigint FROM room, beginning WHERE $8::bigint IS NOT NULL
        )
        SELECT EXISTS (SELECT FROM beginning), EXISTS (SELECT FROM room)
        """)

    // MARK: Ending

    /// Waits until no other transaction uses a session, and keeps others from it until this transaction is over.
    static let lockToEnd = Statement(
        name: "lockToEnd", "SELECT FROM coordinate_sessions WHERE id = $1::text FOR UPDATE")

    /// Deletes the due rows of sessions that are `gone`.
    private static let undue = """
        locked AS (
            SELECT d.session FROM (SELECT id FROM gone ORDER BY id) g
            CROSS JOIN LATERAL (SELECT session FROM coordinate_due WHERE session = g.id FOR UPDATE) d
        ), undue AS (
            DELETE FROM coordinate_due d USING locked WHERE d.session = locked.session RETURNING 1
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

    /// Ends a session, `$1`, if it is at a version, `$2`, or at any version if that is null. The session must be locked
    /// before. It returns whether the session has ended; no row if there is no such session.
    static let end = Statement(
        name: "end",
        """
        WITH found AS (
            SELECT s.id, COALESCE(
                (SELECT version FROM coordinate_entries WHERE session = s.id ORDER BY version DESC LIMIT 1), s.base
            ) AS version
            FROM coordinate_sessions s WHERE s.id = $1::text
        ), gone AS (
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
        WITH found AS (
            SELECT s.id, COALESCE(
                (SELECT version FROM coordinate_entries WHERE session = s.id ORDER BY version DESC LIMIT 1), s.base
            ) AS version
            FROM coordinate_sessions s WHERE s.id = $1::text
        ), gone AS (
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

    // MARK: Erasing

    /// Returns the record of a session, `$1`, ended or not, and whether the tables have anything of it.
    static let remains = Statement(
        """
        SELECT (
            SELECT content FROM coordinate_sessions WHERE id = $1::text
            UNION ALL SELECT content FROM coordinate_ended WHERE id = $1::text LIMIT 1
        ), EXISTS (SELECT FROM coordinate_entries WHERE session = $1::text)
        """)

    /// Returns the owners of a session's entries, `$1`, itself included.
    static let owners = Statement(
        "SELECT owner FROM coordinate_lineage WHERE session = $1::text UNION SELECT $1::text")

    /// Returns the sessions that share a session's own entries, `$1`: the last version that they share.
    static let shares = Statement(
        """
        SELECT session, max(last) FROM coordinate_lineage WHERE owner = $1::text AND session <> $1::text GROUP BY session
        """)

    /// Returns the sessions in whose records a session, `$1`, may be named, with the records.
    static let children = Statement(
        """
        SELECT id, content FROM coordinate_sessions WHERE position(convert_to($1::text, 'UTF8') IN content) > 0
        UNION ALL SELECT id, content FROM coordinate_ended WHERE position(convert_to($1::text, 'UTF8') IN content) > 0
        """)

    /// Returns those of some sessions, `$1`, that exist, with whether they have ended.
    static let states = Statement(
        """
        SELECT id, false FROM coordinate_sessions WHERE id = ANY ($1::text[])
        UNION ALL SELECT id, true FROM coordinate_ended WHERE id = ANY ($1::text[])
        """)

    /// Replaces the content, `$2`, of a session, `$1`.
    static let updateRecord = Statement(
        name: "updateRecord",
        "UPDATE coordinate_sessions SET content = $2::bytea WHERE id = $1::text RETURNING id")

    /// Notes a crash of a session, `$1`: `$2` version, `$3` whether that existed before, `$4` event, `$5` version of
    /// the app. The count goes up if the former crash was the same, whatever its event.
    static let noteCrash = Statement(
        name: "noteCrash",
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
        )
        UPDATE coordinate_sessions s SET expires_at = GREATEST(s.expires_at, later.expires_at)
        FROM later WHERE s.id = later.id
        """)

    // MARK: Garbage

    /// Reads and locks some owners of garbage that no other transaction has locked. Another transaction that adds one
    /// of them again has to wait.
    static let takeGarbage = Statement(
        name: "takeGarbage",
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

    /// Deletes all entries of former owners, `$1`, that no session shares.
    static let deleteAllEntries = Statement(
        """
        DELETE FROM coordinate_entries e USING unnest($1::text[]) AS o(id)
        WHERE e.session = o.id AND NOT EXISTS (SELECT FROM coordinate_sessions s WHERE s.id = o.id)
            AND e.version > COALESCE(
                (SELECT l.last FROM coordinate_lineage l WHERE l.owner = o.id ORDER BY l.last DESC LIMIT 1), 0)
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
