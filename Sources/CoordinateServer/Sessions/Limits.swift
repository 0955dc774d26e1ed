/// How long a session is kept, and how much of it.
struct Limits: Sendable {
    /// How long it may be idle before it is ended, in seconds.
    var idleTime: Int
    /// How long it may be idle before its tree is dropped and only its events are kept, in seconds.
    var passivationTime: Int
    /// The most events it may have: what has to be replayed, at most, to make its tree again.
    var maximumEvents: Int
}
