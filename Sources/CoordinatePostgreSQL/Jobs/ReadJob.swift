internal import CoordinateSessions

/// The work of the workers that read.
struct ReadWork: Sendable {
    func callAsFunction(_ link: inout Link, _ jobs: [SingleJob], _ intake: ConnectionWorker<SingleJob>.Intake) {
        var remaining = jobs[...]
        while let job = remaining.first {
            do throws(PostgreSQLError) {
                try job.carryOut(&link)
            } catch {
                if case .noConnection = error { return intake.putBack(Array(remaining)) }
                job.refuse()
            }
            remaining.removeFirst()
        }
    }

    static func list(_ query: SessionQuery, _ link: inout Link) throws(PostgreSQLError) -> SessionPage {
        let attribute = try rarestAttribute(of: query, &link)
        return try query.page { position, limit throws(PostgreSQLError) in
            try heads(of: query, with: attribute, after: position, limit: limit, &link)
        }
    }

    /// Returns that attribute of a query which the fewest sessions have, as far as a look at some shows; `nil` if it
    /// has none.
    private static func rarestAttribute(
        of query: SessionQuery, _ link: inout Link
    ) throws(PostgreSQLError) -> (key: String, value: String)? {
        let attributes = Array(query.attributes)
        guard attributes.count > 1 else { return attributes.first }
        let rows = try link.read(
            Statements.counts { parameters in
                parameters.append(.text(query.app))
                parameters.append(attributes)
            })
        let rarest = (0..<rows.count).min { rows.int($0, 1) < rows.int($1, 1) }
        return rarest.map { attributes[rows.int($0, 0) - 1] }
    }

    static func read(
        _ session: SessionID, after version: Int, limit: Int, _ link: inout Link
    ) throws -> [JournalEntry] {
        let after = Int32(clamping: max(0, version))
        let (last, isTooLarge) = after.addingReportingOverflow(Int32(clamping: max(0, limit)))
        let rows = try link.read(
            // A higher number would be out of bounds.
            Statements.read(
                .text(session.description), .int(min(after, .max - 1)), .int(isTooLarge ? .max : last)))
        guard rows.count > 0 else { throw JournalError.noSuchSession }
        var entries: [JournalEntry] = []
        entries.reserveCapacity(rows.count)
        for row in 0..<rows.count where !rows.isNull(row, 0) {
            let version = Int(after) + entries.count + 1
            do throws(UnreadableJSON) {
                guard rows.int(row, 0) == version else { throw UnreadableJSON(reason: "entry \(version) is missing") }
                let mark = rows.isNull(row, 1) ? nil : UInt64(bitPattern: Int64(rows.int(row, 1)))
                let entry = try JournalEntry(version: version, mark: mark, stored: rows.bytes(row, 2))
                entries.append(rows.bool(row, 3) ? entry : entry.inherited)
            } catch {
                link.outages.unreadable(error.reason)
                throw JournalError.damaged(version: version)
            }
        }
        return entries
    }

    /// Returns the rows of the list for sessions of all apps. A row has no head if the session belongs to another app,
    /// or its head cannot be read.
    ///
    /// - Parameter attribute: An attribute that the sessions have, if they are listed by their last use.
    private static func heads(
        of query: SessionQuery, with attribute: (key: String, value: String)?, after position: ListPosition?,
        limit: Int, _ link: inout Link
    ) throws(PostgreSQLError) -> [(position: ListPosition, head: SessionHead?)] {
        let id = Parameter.text(position?.id ?? "")
        let call =
            switch query.order {
            case .lastUse:
                if let attribute {
                    Statements.listByAttribute(
                        .long(Int64(position?.expiresAt ?? .max)), id, .int(Int32(limit)), .text(query.app),
                        .text(attribute.key), .bytes(Array(attribute.value.utf8)))
                } else {
                    Statements.list(.long(Int64(position?.expiresAt ?? .max)), id, .int(Int32(limit)))
                }
            case .id: Statements.listByID(id, .int(Int32(limit)))
            }
        let rows = try link.read(call)
        return (0..<rows.count).map { row in
            let id = rows.text(row, 0)
            let session = rows.text(row, 1) == query.app ? SessionID(id) : nil
            return (ListPosition(expiresAt: rows.int(row, 3), id: id), session.map { SessionHead($0, rows, row) })
        }
    }
}
