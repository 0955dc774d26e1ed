extension JournalProvider {
    /// Sessions in memory, which end with the process: `memory`.
    public static let memory = JournalProvider(
        .word("memory"), open: { _ throws(JournalOpeningError) in MemoryJournal() })
}
