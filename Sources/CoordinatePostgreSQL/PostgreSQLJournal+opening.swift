internal import CoordinateSessions

extension PostgreSQLJournal {
    /// Connects to one of the hosts, and creates or updates the tables.
    static func open(
        _ settings: ConnectionSettings, _ access: Access, _ total: SessionTotal, _ clock: StoreClock,
        _ report: (String) -> Void
    ) throws(JournalOpeningError) -> Schema.Opening {
        var attempt = 0
        while true {
            var connection: Connection
            do throws(PostgreSQLError) {
                // No request waits for this yet.
                connection = try Connection.open(
                    settings, preparing: [], until: .now + .seconds(5))
            } catch {
                attempt += 1
                guard attempt >= settings.hostCount else { continue }
                // libpq often ends with advice of its own, as a question.
                let reason = settings.message(error.description)
                let advice = reason.hasSuffix("?") ? "" : ". Check the address, and that PostgreSQL is running."
                throw .unreachable("PostgreSQL cannot be reached: \(reason)\(advice)")
            }
            return try Self.open(&connection, settings, access, total, clock, report)
        }
    }

    private static func open(
        _ connection: inout Connection, _ settings: ConnectionSettings, _ access: Access, _ total: SessionTotal,
        _ clock: StoreClock, _ report: (String) -> Void
    ) throws(JournalOpeningError) -> Schema.Opening {
        do throws(SchemaError) {
            let opening = try Schema.open(&connection, isWriting: access == .readWrite, report)
            // Counting many sessions may take too long. In that case they are counted again soon.
            if let rows = try? Schema.ask(Statements.total.once(), on: &connection) { total.note(rows.int(0, 0)) }
            let start = ContinuousClock.now
            clock.note(try Schema.ask(Statements.time.once(), on: &connection).int(0, 0), since: start)
            return opening
        } catch {
            switch error {
            case .unusable(let reason):
                throw .unusable("The PostgreSQL database cannot be used: \(settings.message(reason)).")
            case .unreachable(let reason):
                throw .unreachable("PostgreSQL cannot be reached: \(settings.message(reason)).")
            case .locked(let reason):
                throw .unreachable(
                    "The tables in PostgreSQL cannot be updated while other connections use them:"
                        + " \(settings.message(reason)). Start the server again later.")
            }
        }
    }
}
