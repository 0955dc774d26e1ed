extension Statements {
    /// Returns the record of a session, `$1`.
    static let record = Statement("SELECT content FROM coordinate_sessions WHERE id = $1::text")

    /// Returns the owners of a session's entries, `$1`, itself included.
    static let owners = Statement(
        "SELECT owner FROM coordinate_lineage WHERE session = $1::text UNION SELECT $1::text")

    /// Returns the sessions that share a session's own entries, `$1`: the last version that they share.
    static let shares = Statement(
        "SELECT session, max(last) FROM coordinate_lineage WHERE owner = $1::text GROUP BY session")

    /// Returns the sessions in whose records a session, `$1`, may be named, with the records.
    static let children = Statement(
        "SELECT id, content FROM coordinate_sessions WHERE position(convert_to($1::text, 'UTF8') IN content) > 0")

    /// Deletes all entries of former owners, `$1`, that no session shares.
    static let deleteAllEntries = Statement(
        """
        DELETE FROM coordinate_entries e USING unnest($1::text[]) AS o(id)
        WHERE e.session = o.id AND NOT EXISTS (SELECT FROM coordinate_sessions s WHERE s.id = o.id)
            AND e.version > COALESCE(
                (SELECT l.last FROM coordinate_lineage l WHERE l.owner = o.id ORDER BY l.last DESC LIMIT 1), 0)
        """)
}
