public import CoordinateSessions

extension JournalProvider {
    /// Sessions in a PostgreSQL database, for any number of servers: `postgres://USER@HOST/DATABASE`. Where a standby may
    /// take over, both hosts are named, with a comma between them.
    public static let postgreSQL = JournalProvider(
        .uri(schemes: ["postgres", "postgresql"], form: "postgres://USER@HOST[,HOST]/DATABASE"),
        open: { address throws(JournalOpeningError) in try PostgreSQLJournal(address) },
        openForReading: { address throws(JournalOpeningError) in try PostgreSQLJournal(address, access: .readOnly) })
}
