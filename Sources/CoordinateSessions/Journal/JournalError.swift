/// The reason why an operation of a journal failed.
public enum JournalError: Error, Equatable, Sendable {
    /// The session has another version.
    case conflict
    /// There is no such session, or it has ended.
    case noSuchSession
    /// The session's history has reached its size limit.
    case full
    /// The number of sessions has reached its limit.
    case tooManySessions
    /// Another session of the app has the key.
    case keyTaken
    /// The journal cannot be reached. It has done nothing.
    case unavailable
    /// The journal cannot be reached. It may have made the change.
    case outcomeUnknown
    /// An entry of the session cannot be read; with the first such version among those requested, 0 for the session's
    /// record.
    case damaged(version: Int)
}
