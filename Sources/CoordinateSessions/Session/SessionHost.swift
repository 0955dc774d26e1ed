package import Coordinate
internal import Logging

/// The objects that all sessions of a server share: the app, the journal, the clock, the counters, and the lanes.
package final class SessionHost: Sendable {
    package let app: HostedApp
    package let journal: any Journal
    package let clock: SessionClock
    package let counters: SessionCounters
    package let limits: SessionLimits
    package let scheduler: FairScheduler
    /// The executor for code that no client's request leads to: timers, work, the host's events, and other servers'
    /// changes.
    package let executor: any TaskExecutor
    let hooks: SessionHooks
    package let budget: MemoryBudget
    /// The sessions that clients have created on this server.
    let created: CreatedSessions
    private let encode: RouteEncoder
    let retryList = RetryList()
    let formerRoutes = SharedReplays<any EncodedRoute>()
    let formerOutcomes = SharedReplays<EventOutcome>()
    /// The keeper that looks after pending work; empty if no work may begin.
    let keeper = WorkKeeperSlot()

    /// - Parameter executor: The lanes by default.
    package init(
        app: HostedApp, journal: any Journal, clock: SessionClock = .system, counters: SessionCounters = .init(),
        limits: SessionLimits, scheduler: FairScheduler = FairScheduler(), executor: (any TaskExecutor)? = nil,
        hooks: SessionHooks = SessionHooks(),
        budget: MemoryBudget? = nil, encode: @escaping RouteEncoder
    ) {
        self.app = app
        self.journal = journal
        self.clock = clock.following(journal)
        self.counters = counters
        self.limits = limits
        self.scheduler = scheduler
        self.executor = executor ?? scheduler
        self.hooks = hooks
        created = CreatedSessions(isShared: journal.isShared)
        self.budget = budget ?? MemoryBudget(journal: journal)
        self.encode = encode
    }

    /// Encodes the route of a session at the version of its tree.
    func route(of tree: SessionTree, in session: SessionID) -> any EncodedRoute {
        tree.withLiveState { encode($0, session, tree.version) }
    }

    /// Notes that a session was ended, or has expired.
    func didEnd(_ session: SessionID) {
        created.remove(session)
        hooks.didEnd(session)
    }

    /// The time until which the journal keeps a session that was used at a time, both by the monotonic clock.
    ///
    /// A shared journal keeps the latest of all times that it receives. Such a journal is notified rarely, so an
    /// allowance for later uses is always added: then its times show which of two sessions was used last.
    func expiry(afterUseAt uptime: Int) -> Int {
        uptime + limits.idleTime + (journal.isShared ? limits.idleTime / 10 : 0)
    }

    /// The time at which a session was last used that is kept until a moment, by the monotonic clock: no later than
    /// now, and no earlier than the actual use.
    ///
    /// - Parameter allowance: The seconds by which servers that share the journal keep sessions longer.
    func use(before expiry: Timestamp, allowance: Int = 0) -> Int {
        min(clock.uptime(), clock.uptime(at: expiry) - limits.idleTime - allowance)
    }
}

/// A session's navigation state in the form that clients want, such as bytes. Sessions store it and pass it on, and
/// never read it.
package protocol EncodedRoute: AnyObject, Sendable {
    /// Its approximate memory, in bytes.
    var size: Int { get }
}

extension EncodedRoute {
    package var size: Int { 0 }
}

/// A function that encodes a session's navigation state at a version. It is called with the session's lock held.
package typealias RouteEncoder = @Sendable (LiveState, SessionID, _ version: Int) -> any EncodedRoute

/// The limits of sessions: their number, size, and lifetime.
package struct SessionLimits: Sendable {
    /// The maximum number of sessions.
    package var maximumSessions: Int
    /// The time for which a session may be idle before it is ended, in seconds.
    package var idleTime: Int
    /// The time for which a session may be idle before its tree is released and only its events are kept, in seconds.
    package var passivationTime: Int
    /// The maximum number of events of a session. That many may have to be replayed to rebuild its tree.
    package var maximumEvents: Int
    /// The maximum number of pieces of work under way, in all sessions; more wait.
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

/// The functions that are called when sessions begin and end, and for their events.
///
/// ```swift
/// let hooks = SessionHooks(didEnd: { session in carts.remove(session.description) })
/// let server = try Server(app: MyApp(), hooks: hooks)
/// ```
///
/// The server on which it happens calls them once, on a thread that must not be blocked.
public struct SessionHooks: Sendable {
    /// A session was created: a new one, a fork, or an import. It is in the journal.
    public var didBegin: @Sendable (SessionID) -> Void
    /// A session was ended, or has expired.
    public var didEnd: @Sendable (SessionID) -> Void
    /// An event was committed; `nil` costs nothing. The calls for one session come in the order of its versions, before
    /// the event's client gets its answer. The events that a fork or an import begins with are not reported.
    public var didCommit: (@Sendable (CommittedEvent) -> Void)?

    /// Creates hooks, which do nothing by default.
    public init(
        didBegin: @escaping @Sendable (SessionID) -> Void = { _ in },
        didEnd: @escaping @Sendable (SessionID) -> Void = { _ in },
        didCommit: (@Sendable (CommittedEvent) -> Void)? = nil
    ) {
        self.didBegin = didBegin
        self.didEnd = didEnd
        self.didCommit = didCommit
    }
}
