extension Statements {
    /// Waits until no other transaction uses a session, and keeps others from it until this transaction is over.
    static let lockToEnd = Statement(
        name: "lockToEnd", "SELECT FROM coordinate_sessions WHERE id = $1::text FOR UPDATE")

    /// Removes the traces of sessions that are `gone`: deletes their due rows, their keys, their attributes and their
    /// lineage, and adds them and the owners of their entries to the garbage.
    private static let traces = """
        locked AS (
            SELECT d.session FROM (SELECT id FROM gone ORDER BY id) g
            CROSS JOIN LATERAL (SELECT session FROM coordinate_due WHERE session = g.id FOR UPDATE) d
        ), undue AS (
            DELETE FROM coordinate_due d USING locked WHERE d.session = locked.session RETURNING 1
        ), unnamed AS (
            DELETE FROM coordinate_keys k USING gone WHERE k.session = gone.id
        ), unlisted AS (
            DELETE FROM coordinate_attributes a USING gone WHERE a.session = gone.id
        ), line AS (
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
}
