/// The truth about every session: the events it accepted, in order.
///
/// A tree can be dropped at any time and made again by replaying them. An event is accepted when it is appended, and not
/// before: nothing of it may be seen until then.
protocol Journal: Sendable {
    /// Appends an entry to a session's history.
    ///
    /// - Throws: ``JournalError/conflict`` where the entry's version is not the next one.
    func append(_ entry: JournalEntry, to session: SessionID) throws(JournalError)

    /// A session's entries after a version, oldest first, at most `limit`. None for an unknown session.
    func read(_ session: SessionID, after version: Int, limit: Int) throws(JournalError) -> [JournalEntry]

    /// Forgets a session.
    func end(_ session: SessionID)

    /// Throws where it cannot be reached.
    func check() throws(JournalError)
}

/// Why a journal did not do as asked.
enum JournalError: Error {
    /// Somebody else appended in the meantime.
    case conflict
    /// The session's history is as large as it may be.
    case full
    /// It cannot be reached.
    case unavailable
}
