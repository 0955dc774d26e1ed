internal import Coordinate
internal import CoordinateSessions

/// The end of all traces of a session.
extension ChangeWork {
    /// The time that an erasure may take: a session may have many entries, and all records are searched.
    private static let patience = Duration.seconds(600)

    func erase(_ session: SessionID, _ link: inout Link) -> Result<Erasure, JournalError> {
        let id = Parameter.text(session.description)
        do throws(PostgreSQLError) {
            _ = try link.ask(
                Statement("BEGIN")(), Statement("SET LOCAL statement_timeout = 0")(),
                Statement("SET LOCAL idle_in_transaction_session_timeout = 0")(), Statements.lockToEnd(id))
            let row = try ask(Statements.record(id), &link)
            guard row.count == 1 else {
                _ = try link.ask(Statement("ROLLBACK")())
                return .failure(.noSuchSession)
            }
            let record = try? SessionRecord(id: session, app: "", stored: row.bytes(0, 0))
            let erasure = try erasure(of: session, forkedAt: record?.parent, &link)
            let owners = Parameter.texts(try ask(Statements.owners(id), &link).texts)
            let answers = try link.ask(
                Statements.end(id, .null), Statements.deleteAllEntries(owners), Statements.deleteGarbage(owners),
                Statement("COMMIT")(), within: Self.patience)
            total.add(-answers[0].count)
            return .success(erasure)
        } catch {
            link.abandon()
            return .failure(error.ofChange)
        }
    }

    private func ask(_ call: Call, _ link: inout Link) throws(PostgreSQLError) -> Rows {
        try link.ask(call, within: Self.patience)
    }

    /// Finds the sessions that have some of a session's events.
    private func erasure(
        of session: SessionID, forkedAt point: ForkPoint?, _ link: inout Link
    ) throws(PostgreSQLError) -> Erasure {
        let id = Parameter.text(session.description)
        let shares = try ask(Statements.shares(id), &link)
        let sharing = (0..<shares.count).compactMap { row in
            SessionID(shares.text(row, 0)).map { (session: $0, version: shares.int(row, 1)) }
        }
        let named = try ask(Statements.children(id), &link)
        let children = (0..<named.count).compactMap { row -> SessionRecord? in
            guard let child = SessionID(named.text(row, 0)) else { return nil }
            let record = try? SessionRecord(id: child, app: "", stored: named.bytes(row, 1))
            return record?.parent?.session == session ? record : nil
        }
        var original = point
        if let point, try ask(Statements.record(.text(point.session.description)), &link).count == 0 { original = nil }
        return Erasure(original: original, shares: sharing, children: children, remnants: Self.remnants)
    }

    /// What an erasure cannot reach.
    private static let remnants = """
        PostgreSQL keeps copies for a while. The rows' bytes stay in the tables until a vacuum lets others overwrite \
        them; VACUUM (FULL) coordinate_sessions, coordinate_entries, coordinate_lineage, coordinate_due, coordinate_keys, \
        coordinate_attributes, coordinate_garbage removes them at once, and keeps servers waiting meanwhile. The \
        write-ahead log has them until its segments are overwritten or removed, which checkpoints, replication slots \
        and wal_keep_size decide. Standbys follow with their replay. Archived segments and backups have them until you \
        delete those.
        """
}
