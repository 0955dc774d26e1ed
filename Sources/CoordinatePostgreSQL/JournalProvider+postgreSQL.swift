public import CoordinateSessions

extension JournalProvider {
    /// A journal in a PostgreSQL database, for any number of servers: `postgres://USER@HOST/DATABASE`.
    public static let postgreSQL = JournalProvider(
        .uri(schemes: ["postgres", "postgresql"], form: "postgres://USER@HOST/DATABASE"),
        open: { address throws(JournalOpeningError) in try PostgreSQLJournal(address) },
        openForReading: { address throws(JournalOpeningError) in try PostgreSQLJournal(address, access: .readOnly) })
}
