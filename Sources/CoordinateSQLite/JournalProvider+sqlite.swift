public import CoordinateSessions

extension JournalProvider {
    /// Sessions in a file, for one server: `sqlite:PATH`.
    public static let sqlite = JournalProvider(
        .path(scheme: "sqlite"),
        open: { path throws(JournalOpeningError) in try SQLiteJournal(path: path) },
        openForReading: { path throws(JournalOpeningError) in try SQLiteJournal(reading: path) })
}
