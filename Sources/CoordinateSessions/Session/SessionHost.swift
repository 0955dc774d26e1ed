package import Coordinate
internal import Logging

/// The part that all sessions of a server share: the app, the journal, the clock, the counters, and the lanes.
package final class SessionHost: Sendable {
    package let app: HostedApp
    package let journal: any Journal
    package let clock: SessionClock
    package let counters: SessionCounters
    package let limits: SessionLimits
    package let lanes: Lanes
    /// Where the code runs that no client's request leads to: timers, work, the host's events, and other servers' changes.
    package let executor: any Executor
    /// Where sessions are released when the server stops: on the thread that stops it, unless another runs for a session.
    let stopping: any Executor
    let hooks: SessionHooks
    package let budget: MemoryBudget
    let newcomers: Newcomers
    private let encode: RouteEncoder
    let overdue = Overdue()
    let formerRoutes = LookBacks<any EncodedRoute>()
    let formerOutcomes = LookBacks<EventOutcome>()
    /// The keeper that looks after pending work; empty where no work is to be begun.
    let keeper = WorkKeeperSlot()

    /// - Parameter executor: The lanes by default.
    package init(
        app: HostedApp, journal: any Journal, clock: SessionClock = .system, counters: SessionCounters = .init(),
        limits: SessionLimits, lanes: Lanes = Lanes(), executor: (any Executor)? = nil,
        hooks: SessionHooks = SessionHooks(),
        budget: MemoryBudget? = nil, encode: @escaping RouteEncoder
    ) {
        self.app = app
        self.journal = journal
        self.clock = clock.following(journal)
        self.counters = counters
        self.limits = limits
        self.lanes = lanes
        self.executor = executor ?? lanes
        stopping = StoppingThread(lanes)
        self.hooks = hooks
        newcomers = Newcomers(idleTime: limits.idleTime)
        self.budget = budget ?? MemoryBudget(journal: journal)
        self.encode = encode
    }

    /// The executor of a requester.
    func executor(of requester: Requester) -> any Executor { requester.executor ?? executor }

    /// Encodes the route of a session at the version of its tree.
    func route(of tree: SessionTree, in session: SessionID) -> any EncodedRoute {
        tree.withLiveState { encode($0, session, tree.version) }
    }

    /// Notes that a session was ended, or has expired.
    func didEnd(_ session: SessionID) {
        newcomers.remove(session)
        hooks.didEnd(session)
    }

    /// The time until which the journal keeps a session that was used at a time, both by the clock that never jumps.
    ///
    /// A shared journal keeps the latest of all times that it gets. There the allowance for later uses, of which it is
    /// notified only now and then, is always added: so its times show which of two sessions was used last.
    func expiry(afterUseAt uptime: Int) -> Int {
        uptime + limits.idleTime + (journal.isShared ? limits.idleTime / 10 : 0)
    }

    /// The time at which a session was last used that is kept until a moment, by the clock that never jumps: no later
    /// than now, and no earlier than the actual use.
    func use(before expiry: Timestamp) -> Int {
        min(clock.uptime(), clock.uptime(at: expiry) - limits.idleTime)
    }
}

/// The thread that stops a server. What it cannot do at once, a lane does.
private final class StoppingThread: Executor {
    private let lanes: Lanes

    init(_ lanes: Lanes) {
        self.lanes = lanes
    }

    func enqueue(_ job: @escaping @Sendable () -> Void) {
        lanes.enqueue(job)
    }

    var isCurrent: Bool { true }
}

/// A session's navigation state in the form that clients want: bytes, for instance. Sessions keep it and pass it on,
/// and never look into it.
package protocol EncodedRoute: AnyObject, Sendable {
    /// The approximate memory that it takes, in bytes.
    var size: Int { get }
}

extension EncodedRoute {
    package var size: Int { 0 }
}

/// A function that encodes a session's navigation state at a version. It is called under the session's lock.
package typealias RouteEncoder = @Sendable (LiveState, SessionID, _ version: Int) -> any EncodedRoute

/// The limits of sessions: how many there may be, how large, and for how long.
package struct SessionLimits: Sendable {
    /// The most sessions.
    package var maximumSessions: Int
    /// The time for which a session may be idle before it is ended, in seconds.
    package var idleTime: Int
    /// The time for which a session may be idle before its tree is dropped and only its events are kept, in seconds.
    package var passivationTime: Int
    /// The most events of a session: that many may have to be replayed to make its tree again.
    package var maximumEvents: Int
    /// The most pieces of work under way at a time, in all sessions; more wait.
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

/// The functions that are called when sessions begin and end.
///
/// ```swift
/// let hooks = SessionHooks(didEnd: { session in carts.forget(session.description) })
/// let server = try Server(app: MyApp(), hooks: hooks)
/// ```
///
/// They are called once for each session, by the server on which it happens, with nothing locked, on a thread that must
/// not be blocked.
public struct SessionHooks: Sendable {
    /// A session was made: a new one, a fork, or an import. It is in the journal.
    public var didBegin: @Sendable (SessionID) -> Void
    /// A session was ended, or has expired.
    public var didEnd: @Sendable (SessionID) -> Void

    /// Makes hooks, which do nothing by default.
    public init(
        didBegin: @escaping @Sendable (SessionID) -> Void = { _ in },
        didEnd: @escaping @Sendable (SessionID) -> Void = { _ in }
    ) {
        self.didBegin = didBegin
        self.didEnd = didEnd
    }
}
