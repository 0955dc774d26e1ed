internal import Coordinate
internal import CoordinateSessions

/// The creation of sessions that have no parent.
struct Creation: Sendable {
    let total: SessionTotal
    let commits: CommitCounter

    /// The most entries that are added in one statement. Sessions with no more than these are created together.
    private static let limit = 1_000

    /// A session with the first of its entries.
    private struct Beginning {
        let new: SessionInsertion
        var entries: [NewEntry]
        /// The moment from which the session's pending work is due, after these entries.
        let wake: Timestamp?
    }

    /// Creates sessions, and reports each result.
    ///
    /// - Returns: The sessions whose creation was not begun, since the connection is lost.
    func create(_ sessions: [SessionInsertion], _ link: inout Link) -> [SessionInsertion] {
        var together: [Beginning] = []
        var count = 0
        var remaining = sessions[...]
        while link.isConnected, let new = remaining.popFirst() {
            // Some histories can be iterated only once.
            var entries = Entries(new)
            let first = entries.next(Self.limit + 1)
            guard first.count <= Self.limit else {
                new.caller.resume(returning: createLarge(new, first, entries, &link))
                continue
            }
            if count + first.count > Self.limit {
                create(together, &link)
                (together, count) = ([], 0)
            }
            together.append(Beginning(new: new, entries: first, wake: entries.wake))
            count += first.count
        }
        create(together, &link)
        return Array(remaining)
    }

    /// Creates sessions in one transaction; or each in its own if there is no room for all of them, or one of them
    /// fails.
    private func create(_ beginnings: [Beginning], _ link: inout Link) {
        guard let limit = beginnings.map(\.new.limit).min() else { return }
        let checked = total.limit(limit, for: beginnings.count)
        let start = ContinuousClock.now
        do throws(PostgreSQLError) {
            if let named = try ask(beginnings, below: checked, &link) {
                let added = beginnings.filter {
                    $0.new.record.key == nil || named.contains($0.new.record.id.description)
                }
                total.add(added.count)
                commits.count(entries: added.reduce(0) { $0 + $1.entries.count }, took: start.duration(to: .now))
                for beginning in beginnings {
                    let record = beginning.new.record
                    let isAdded = record.key == nil || named.contains(record.id.description)
                    beginning.new.caller.resume(returning: isAdded ? .success(()) : .failure(.keyTaken))
                }
            } else if beginnings.count == 1 {
                beginnings[0].new.caller.resume(returning: .failure(.tooManySessions))
            } else {
                for beginning in beginnings { create([beginning], &link) }
            }
        } catch {
            if beginnings.count > 1, error.concernsOne {
                for beginning in beginnings { create([beginning], &link) }
            } else {
                for beginning in beginnings { beginning.new.caller.resume(returning: .failure(error.ofCreation)) }
            }
        }
    }

    /// Creates sessions, unless others have their keys. No other server does so meanwhile if PostgreSQL has to count the
    /// sessions.
    ///
    /// - Returns: The sessions with a key that were created; `nil` if there was no room.
    private func ask(
        _ beginnings: [Beginning], below limit: Int64?, _ link: inout Link
    ) throws(PostgreSQLError) -> Set<String>? {
        let create = Statements.create { parameters in
            parameters.append(beginnings.map(\.new))
            parameters.append(beginnings.flatMap(\.entries))
            parameters.append(
                due: beginnings.compactMap { beginning in beginning.wake.map { (beginning.new.record, $0) } })
            parameters.append(.long(orNull: limit))
        }
        let rows = try limit == nil ? link.ask(create) : link.ask(Statements.lockRoom(), create).last
        guard let rows, rows.count > 0 else { return nil }
        return Set((0..<rows.count).filter { !rows.isNull($0, 0) }.map { rows.text($0, 0) })
    }

    /// Creates a session with a long history, some entries at a time, in a separate transaction.
    private func createLarge(
        _ new: SessionInsertion, _ first: [NewEntry], _ others: Entries, _ link: inout Link
    ) -> Result<Void, JournalError> {
        let checked = total.limit(new.limit, for: 1)
        let start = ContinuousClock.now
        do throws(PostgreSQLError) {
            _ = try link.ask(Statement("BEGIN")())
            let named = try ask([Beginning(new: new, entries: [], wake: nil)], below: checked, &link)
            guard let named, new.record.key == nil || !named.isEmpty else {
                _ = try link.ask(Statement("ROLLBACK")())
                return .failure(named == nil ? .tooManySessions : .keyTaken)
            }
            var (chunk, entries, count) = (first, others, 0)
            while !chunk.isEmpty {
                _ = try link.ask(Statements.insertEntries { [chunk] in $0.append(chunk) })
                count += chunk.count
                chunk = entries.next(Self.limit)
            }
            if let wake = entries.wake {
                _ = try link.ask(
                    Statements.insertDue(
                        .text(new.record.id.description), .text(new.record.app), .long(Int64(wake.seconds))))
            }
            _ = try link.ask(Statement("COMMIT")())
            total.add(1)
            commits.count(entries: count, took: start.duration(to: .now))
            return .success(())
        } catch {
            link.abandon()
            return .failure(error.ofCreation)
        }
    }
}

/// The entries of a new session, as they are stored.
private struct Entries: IteratorProtocol {
    private let record: SessionRecord
    private var entries: any IteratorProtocol<JournalEntry>
    private var pending: Int32
    /// The moment from which the session's pending work is due, after the entries returned so far.
    private(set) var wake: Timestamp?

    init(_ new: SessionInsertion) {
        record = new.record
        pending = Int32(clamping: new.record.begun.count)
        wake = new.record.wake
        entries = new.history.makeIterator()
    }

    mutating func next() -> NewEntry? {
        guard let entry = entries.next() else { return nil }
        pending += Int32(clamping: entry.pendingChange)
        wake = record.wake(after: entry)
        return NewEntry(
            session: record.id, version: Int32(clamping: entry.version), pending: pending, mark: entry.mark,
            content: entry.stored)
    }

    /// Returns the next entries, at most `limit`.
    mutating func next(_ limit: Int) -> [NewEntry] {
        var entries: [NewEntry] = []
        while entries.count < limit, let entry = next() { entries.append(entry) }
        return entries
    }
}

extension Parameters {
    /// Appends parameters for sessions with pending work: ids, apps, the moments from which it is due.
    fileprivate mutating func append(due sessions: [(record: SessionRecord, moment: Timestamp)]) {
        appendIDs(of: sessions) { $0.record.id }
        appendTexts(of: sessions) { $0.record.app }
        appendLongs(of: sessions) { Int64($0.moment.seconds) }
    }
}
