package import Coordinate
internal import Logging

/// What all sessions of a server share: the app, their journal, the time, what is counted, and where long work is done.
package final class SessionHost: Sendable {
    package let app: HostedApp
    package let journal: any Journal
    package let clock: SessionClock
    package let counters: SessionCounters
    package let limits: SessionLimits
    package let lanes: Lanes
    let hooks: SessionHooks
    package let budget: MemoryBudget
    let newcomers = Newcomers()
    /// Makes the bytes of a route, once a version.
    package let encode: RouteEncoder
    let overdue = Overdue()
    let lookBacks = LookBacks()
    /// Looks after what is pending; nobody where nothing is to be begun.
    let keeper = WorkKeeperSlot()

    package init(
        app: HostedApp, journal: any Journal, clock: SessionClock = .system, counters: SessionCounters = .init(),
        limits: SessionLimits, lanes: Lanes = Lanes(), hooks: SessionHooks = SessionHooks(),
        budget: MemoryBudget? = nil, encode: @escaping RouteEncoder
    ) {
        self.app = app
        self.journal = journal
        self.clock = clock
        self.counters = counters
        self.limits = limits
        self.lanes = lanes
        self.hooks = hooks
        self.budget = budget ?? MemoryBudget(journal: journal)
        self.encode = encode
    }

    /// To be called when a session was ended, or has expired.
    func didEnd(_ session: SessionID) {
        newcomers.remove(session)
        hooks.didEnd(session)
    }

    /// The moment until which the journal is to keep a session that was used at another, by the clock that never jumps.
    ///
    /// Where the journal goes by the latest moment that it is told, the allowance for uses that it is told of lazily is
    /// always added: so what it knows of two sessions tells which of them was used last.
    func expiry(afterUseAt uptime: Int) -> Int {
        uptime + limits.idleTime + (journal.isShared ? limits.idleTime / 10 : 0)
    }

    /// The moment at which a session was last used that is kept until another one, by the clock that never jumps: no later
    /// than now, and no earlier than it was.
    func use(before expiry: Timestamp) -> Int {
        min(clock.uptime(), clock.uptime(at: expiry) - limits.idleTime)
    }
}

/// A session's navigation state as somebody outside wants to have it: bytes, for instance. Sessions keep and hand on what
/// they are given, and never look into it.
package protocol EncodedRoute: AnyObject, Sendable {
    /// The memory that it takes, in bytes, more or less.
    var size: Int { get }
}

extension EncodedRoute {
    package var size: Int { 0 }
}

/// Makes something of a session's navigation state at a version. It is called under the session's lock.
package typealias RouteEncoder = @Sendable (NavigationState, SessionID, _ version: Int) -> any EncodedRoute
