internal import CoordinateSessions

extension PostgreSQLJournal {
    /// Connects to one of the hosts, and creates the tables if necessary.
    ///
    /// - Returns: Whether the server's settings are durable.
    static func open(
        _ settings: ConnectionSettings, _ access: Access, _ total: SessionTotal, _ clock: StoreClock
    ) throws(JournalOpeningError) -> Bool {
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
            return try Self.open(&connection, settings, access, total, clock)
        }
    }

    private static func open(
        _ connection: inout Connection, _ settings: ConnectionSettings, _ access: Access, _ total: SessionTotal,
        _ clock: StoreClock
    ) throws(JournalOpeningError) -> Bool {
        do throws(SchemaError) {
            let isDurable = try Schema.open(&connection, isWriting: access == .readWrite)
            // Counting many sessions may take too long. In that case they are counted again soon.
            if let rows = try? Schema.ask(Statements.total.once(), on: &connection) { total.record(rows.int(0, 0)) }
            let start = ContinuousClock.now
            clock.record(try Schema.ask(Statements.time.once(), on: &connection).int(0, 0), since: start)
            return isDurable
        } catch {
            switch error {
            case .unusable(let reason):
                throw .unusable("The PostgreSQL database cannot be used: \(settings.message(reason)).")
            case .unreachable(let reason):
                throw .unreachable("PostgreSQL cannot be reached: \(settings.message(reason)).")
            }
        }
    }
}
