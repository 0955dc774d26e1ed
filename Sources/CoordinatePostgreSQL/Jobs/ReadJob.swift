internal import CoordinateSessions

/// A question for entries or sessions.
enum ReadJob: LaneJob {
    case read(SessionID, after: Int, limit: Int, Promise<[JournalEntry], JournalError>)
    case list(SessionQuery, Promise<SessionPage, JournalError>)
    /// How many sessions there are; nobody waits for it.
    case total

    func refuse() {
        switch self {
        case .read(_, _, _, let promise): promise.fulfil(.failure(.unavailable))
        case .list(_, let promise): promise.fulfil(.failure(.unavailable))
        case .total: break
        }
    }
}

/// The work of the lanes that read.
struct ReadWork: Sendable {
    let total: SessionTotal

    /// How many sessions are looked at in one listing, and in one statement of it, where their paths matter.
    private static let limits = (all: 10_000, batch: 500)

    func callAsFunction(_ link: inout Link, _ jobs: [ReadJob], _ intake: Lane<ReadJob>.Intake) {
        var rest = jobs[...]
        while let job = rest.first {
            do throws(PostgreSQLError) {
                try carryOut(job, &link)
                rest.removeFirst()
            } catch {
                guard case .noConnection = error else {
                    job.refuse()
                    rest.removeFirst()
                    continue
                }
                return intake.putBack(Array(rest))
            }
        }
    }

    private func carryOut(_ job: ReadJob, _ link: inout Link) throws(PostgreSQLError) {
        switch job {
        case .read(let session, let version, let limit, let promise):
            promise.fulfil(try read(session, after: version, limit: limit, &link))
        case .list(let query, let promise): promise.fulfil(try list(query, &link))
        case .total:
            let rows = try link.ask(Statements.total())
            total.note(rows.int(0, 0))
        }
    }

    private func read(
        _ session: SessionID, after version: Int, limit: Int, _ link: inout Link
    ) throws(PostgreSQLError) -> Result<[JournalEntry], JournalError> {
        let after = Int32(clamping: max(0, version))
        let (last, isTooLarge) = after.addingReportingOverflow(Int32(clamping: max(0, limit)))
        let rows = try link.ask(
            Statements.read { parameters in
                parameters.add(session.description)
                // One more would be out of bounds.
                parameters.add(min(after, .max - 1))
                parameters.add(isTooLarge ? .max : last)
            })
        guard rows.count > 0 else { return .failure(.noSuchSession) }
        do throws(StoredForm.Unreadable) {
            var entries: [JournalEntry] = []
            entries.reserveCapacity(rows.count)
            for row in 0..<rows.count where !rows.isNull(row, 0) {
                let mark = rows.isNull(row, 1) ? nil : UInt64(bitPattern: Int64(rows.int(row, 1)))
                let entry = try JournalEntry(version: rows.int(row, 0), mark: mark, stored: rows.bytes(row, 2))
                entries.append(rows.bool(row, 3) ? entry : entry.inherited)
            }
            return .success(entries)
        } catch {
            link.outages.unreadable(error.reason)
            return .failure(.unavailable)
        }
    }

    private func list(
        _ query: SessionQuery, _ link: inout Link
    ) throws(PostgreSQLError) -> Result<SessionPage, JournalError> {
        guard query.limit > 0 else { return .success(SessionPage(sessions: [], next: query.after)) }
        var place = query.after.flatMap(Place.init) ?? .first
        var found: [SessionHead] = []
        var looked = 0
        while looked < Self.limits.all {
            // One more than wanted tells whether there is more; where paths matter, most may not be wanted.
            let batch = query.path == nil ? min(query.limit - found.count + 1, Self.limits.batch) : Self.limits.batch
            let rows = try link.ask(
                Statements.list { parameters in
                    parameters.add(Int64(place.expiresAt))
                    parameters.add(place.id)
                    parameters.add(Int32(batch))
                })
            for row in 0..<rows.count {
                let id = rows.text(row, 0)
                if rows.text(row, 1) == query.app, let session = SessionID(id) {
                    do throws(StoredForm.Unreadable) {
                        let head = try SessionHead(session, rows, row)
                        if query.path.map(head.path.hasPrefix) ?? true {
                            if found.count == query.limit {
                                return .success(SessionPage(sessions: found, next: place.text))
                            }
                            found.append(head)
                        }
                    } catch {
                        link.outages.unreadable(error.reason)
                    }
                }
                place = Place(expiresAt: rows.int(row, 3), id: id)
            }
            guard rows.count == batch else { return .success(SessionPage(sessions: found, next: nil)) }
            looked += rows.count
        }
        return .success(SessionPage(sessions: found, next: place.text))
    }
}

/// A place in the order of sessions, in which those used last come first.
private struct Place {
    let expiresAt: Int
    let id: String

    /// The one before all sessions.
    static let first = Place(expiresAt: .max, id: "")

    init(expiresAt: Int, id: String) {
        self.expiresAt = expiresAt
        self.id = id
    }

    /// Nil for any text that ``text`` would not give.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let expiresAt = Int(parts[0]), SessionID(String(parts[1])) != nil else { return nil }
        self.init(expiresAt: expiresAt, id: String(parts[1]))
    }

    var text: String { "\(expiresAt).\(id)" }
}
