/// The circumstances under which a piece of work runs.
///
/// A task that runs work is cancelled when the coordinator that asked ends, when its session does, and when its time is
/// over: what it then brings is ignored.
public struct WorkContext: Sendable {
    /// A name of this piece of work that is the same on every attempt, also after a crash and on another server, and that no
    /// other one has. Hand it to the outside, as an idempotency key for instance, so that a repetition is recognised.
    ///
    /// It holds the session's id, and who knows that controls the session.
    public let key: String
    /// The number of the attempt, from 1. It is at least 2 where an earlier one was made here, or by a process that is known to
    /// have had the session before. Only the ``key`` tells for certain that something was done already.
    public let attempt: Int

    /// Makes a context: for tests of work by itself.
    public init(key: String, attempt: Int = 1) {
        self.key = key
        self.attempt = attempt
    }
}
