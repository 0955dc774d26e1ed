/// How long sessions are kept, and how much of each.
package struct SessionLimits: Sendable {
    /// How many there may be.
    package var maximumSessions: Int
    /// How long one may be idle before it is ended, in seconds.
    package var idleTime: Int
    /// How long one may be idle before its tree is dropped and only its events are kept, in seconds.
    package var passivationTime: Int
    /// The most events one may have: what has to be replayed, at most, to make its tree again.
    package var maximumEvents: Int
    /// The most pieces of work under way at a time, of all sessions; more wait.
    package var maximumWork: Int

    package init(
        maximumSessions: Int, idleTime: Int, passivationTime: Int, maximumEvents: Int, maximumWork: Int = 256
    ) {
        self.maximumWork = maximumWork
        self.maximumSessions = maximumSessions
        self.idleTime = idleTime
        self.passivationTime = passivationTime
        self.maximumEvents = maximumEvents
    }
}
