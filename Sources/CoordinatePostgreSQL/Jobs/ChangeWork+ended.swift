internal import Coordinate
internal import CoordinateSessions
internal import Synchronization

/// The time for which sessions that end are kept, in seconds; shared by a journal and its worker.
final class EndedTime: Sendable {
    private let value = Atomic(0)

    var seconds: Int { value.load(ordering: .relaxed) }

    func set(_ seconds: Int) { value.store(max(0, seconds), ordering: .relaxed) }
}

/// Work on sessions that have ended and are kept, and the end of all traces.
extension ChangeWork {
    /// The least time for which sessions are kept that end here, in seconds.
    private static let leastTime = 86_400
    /// The time that an erasure may take: a session may have many entries, and all records are searched.
    private static let patience = Duration.seconds(600)

    func ended(_ query: EndedQuery, _ link: inout Link) -> Result<[SessionHead], JournalError> {
        do throws(PostgreSQLError) {
            let time = max(Self.leastTime, endedTime.seconds)
            while try expire(by: query.now, keptFor: time, &link).count == Int(Self.limits.sessions) {}
            let rows = try link.ask(
                Statements.listEnded { parameters in
                    parameters.add(query.app)
                    parameters.add(query.after?.description ?? "")
                    parameters.add(Int32(clamping: max(0, query.limit)))
                })
            return .success(
                (0..<rows.count).compactMap { row in
                    SessionID(rows.text(row, 0)).map { SessionHead($0, rows, row) }
                })
        } catch {
            return .failure(.unavailable)
        }
    }

    func removeEnded(_ session: SessionID, _ link: inout Link) -> Result<Void, JournalError> {
        let result = changeRow(Statements.removeEnded { $0.add(session.description) }, &link)
        // Servers continue with what is left.
        if case .success = result { _ = try? collectGarbage(&link) }
        return result
    }

    // MARK: Erasing

    func erase(_ session: SessionID, _ link: inout Link) -> Result<Erasure, JournalError> {
        let id = session.description
        do throws(PostgreSQLError) {
            _ = try link.ask(
                Statement("BEGIN")(), Statement("SET LOCAL statement_timeout = 0")(),
                Statement("SET LOCAL idle_in_transaction_session_timeout = 0")(), Statements.lockToEnd { $0.add(id) })
            let remains = try ask(Statements.remains { $0.add(id) }, &link)
            guard !remains.isNull(0, 0) || remains.bool(0, 1) else {
                _ = try link.ask(Statement("ROLLBACK")())
                return .failure(.noSuchSession)
            }
            let content = remains.isNull(0, 0) ? nil : remains.bytes(0, 0)
            let record = content.flatMap { try? SessionRecord(id: session, app: "", stored: $0) }
            let erasure = try erasure(of: session, forkedAt: record?.parent, &link)
            let owners = try ask(Statements.owners { $0.add(id) }, &link)
            let names = (0..<owners.count).map { owners.text($0, 0) }
            let end = Statements.end { parameters in
                parameters.add(id)
                parameters.addNull()
            }
            let answers = try link.ask(
                end, Statements.removeEnded { $0.add(id) }, Statements.deleteAllEntries { $0.add(names) },
                Statements.deleteGarbage { $0.add(names) }, Statement("COMMIT")(), within: Self.patience)
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
        let id = session.description
        let shares = try ask(Statements.shares { $0.add(id) }, &link)
        let sharing = (0..<shares.count).compactMap { row in
            SessionID(shares.text(row, 0)).map { (session: $0, version: shares.int(row, 1)) }
        }
        let named = try ask(Statements.children { $0.add(id) }, &link)
        let children = (0..<named.count).compactMap { row -> SessionRecord? in
            guard let child = SessionID(named.text(row, 0)) else { return nil }
            let record = try? SessionRecord(id: child, app: "", stored: named.bytes(row, 1))
            return record?.parent?.session == session ? record : nil
        }
        let all = sharing.map(\.session) + children.map(\.id) + (point.map { [$0.session] } ?? [])
        let states = try ask(Statements.states { $0.add(all) }, &link)
        let known = Dictionary(
            (0..<states.count).map { (states.text($0, 0), states.bool($0, 1)) }, uniquingKeysWith: { $0 && $1 })
        return Erasure(
            original: point.flatMap { known[$0.session.description] == nil ? nil : $0 }, shares: sharing,
            children: children, hasEnded: { known[$0.description] ?? true }, remnants: Self.remnants)
    }

    /// What an erasure cannot reach.
    private static let remnants = """
        PostgreSQL keeps copies for a while. The rows' bytes stay in the tables until a vacuum lets others overwrite \
        them; VACUUM (FULL) coordinate_sessions, coordinate_ended, coordinate_entries, coordinate_lineage, \
        coordinate_due, coordinate_keys, coordinate_attributes, coordinate_garbage removes them at once, and keeps servers waiting meanwhile. The write-ahead \
        log has them until its segments are overwritten or removed, which checkpoints, replication slots and \
        wal_keep_size decide. Standbys follow with their replay. Archived segments and backups have them until you \
        delete those.
        """
}
