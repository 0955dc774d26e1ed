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

/// The moments in a session's life that its host hears of.
///
/// ```swift
/// let hooks = SessionHooks(didEnd: { session in carts.forget(session.description) })
/// let server = try Server(app: MyApp(), hooks: hooks)
/// ```
///
/// They are called once for each session, by the server on which it happens, with nothing locked, on a thread that should not
/// be kept.
public struct SessionHooks: Sendable {
    /// A session was made: a new one, a fork, or an import. It is in the journal.
    public var didBegin: @Sendable (SessionID) -> Void
    /// A session was ended, or has expired.
    public var didEnd: @Sendable (SessionID) -> Void

    /// Makes hooks that do nothing unless told.
    public init(
        didBegin: @escaping @Sendable (SessionID) -> Void = { _ in },
        didEnd: @escaping @Sendable (SessionID) -> Void = { _ in }
    ) {
        self.didBegin = didBegin
        self.didEnd = didEnd
    }
}
