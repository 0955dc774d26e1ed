public import CoordinateSessions

extension JournalProvider {
    /// Sessions in a PostgreSQL database, for any number of servers: `postgres://USER@HOST/DATABASE`. If a standby may
    /// take over, name both hosts, separated by a comma.
    public static let postgreSQL = JournalProvider(
        .uri(schemes: ["postgres", "postgresql"], form: "postgres://USER@HOST[,HOST]/DATABASE"),
        open: { address throws(JournalOpeningError) in try PostgreSQLJournal(address) },
        openForReading: { address throws(JournalOpeningError) in try PostgreSQLJournal(address, access: .readOnly) })
}
