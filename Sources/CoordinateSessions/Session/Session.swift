internal import Coordinate
internal import Synchronization

/// A session in memory: its tree of coordinators, its version and its encoded route, all derived from the entries in
/// the journal.
///
/// The journal is the truth, and the session a cache of it: its tree can be released when it is not in use or must not
/// be used, and the whole session when nothing holds it.
///
/// Everything that needs the tree takes a turn, in the order of arrival: see ``inTurn(isBounded:_:)``. ``Shown``
/// contains everything that other code may read without waiting.
///
/// Facts that always hold: one entry at a time is on its way to the journal; nothing is published, answered or shown
/// before it is committed; the timers that are due when a request begins fire before it.
package final class Session: Sendable {
    package let id: SessionID
    /// The values with which it began.
    let beginning: SessionBeginning
    /// The names by which others know it, as far as this server knows them.
    let names: Mutex<SessionNames>
    let host: SessionHost
    /// The time of its last use, by the monotonic clock.
    let lastUse: Atomic<Int>
    /// The time until which the journal keeps it, as far as the journal was notified, by the same clock.
    let keptUntil: Atomic<Int>
    /// Whether it has followers. If so, it is in use.
    let hasFollowers = Atomic(false)
    let isOver = Atomic(false)
    private let isDraining = Atomic(false)
    private let isReleased = Atomic(false)
    /// The thread that may run the app; 0 for none.
    private let holder = Atomic(UInt64(0))
    /// Whether a retry is scheduled to catch up with the journal.
    let isOverdue = Atomic(false)
    /// Whether other servers may have made changes that are not read yet.
    let hasNews = Atomic(false)
    /// The time until which turns run on a lane, since one took long, by the monotonic clock.
    private let slowUntil = Atomic(0)
    /// The number of the last client that used it.
    private let lastClient = Atomic(ClientKey.host.number)
    /// The last version whose pending work the keeper knows.
    let keeperVersion = Atomic(-1)
    let turns = TurnQueue()
    /// Locked by the one task that has the turn, so no thread waits for it.
    private let state: Mutex<State>
    private let visible: Mutex<Shown>
    let following = Mutex(Following())

    /// The state that others can read without waiting.
    struct Shown: Sendable {
        let version: Int
        let published: (any EncodedRoute)?
        /// Whether the published route belongs to the version, and no other server can have changed it.
        let isReadable: Bool
        let hasTree: Bool
        /// The path of the tree; `nil` while something is under way, or without a tree.
        let path: String?
        let quarantine: Quarantine?
        /// See ``State/nextTimer``.
        let nextTimer: Timestamp?

        init(_ state: borrowing State, isShared: Bool) {
            nextTimer = state.nextTimer
            version = state.version
            published = state.published
            isReadable = !isShared && state.quarantine == nil && !state.hasEnded
            hasTree = state.tree != nil
            path = state.hasUsableTree ? state.tree?.path : nil
            quarantine = state.quarantine
        }
    }

    struct State {
        /// The last committed version that is known here.
        var version: Int
        /// The tree, at that version, behind it while it is built, or ahead by the event under way; `nil` before the
        /// first use, after a failed turn, and after the end.
        var tree: SessionTree?
        var underWay: EventUnderWay?
        /// The route of the committed version, encoded when it is first needed.
        var published: (any EncodedRoute)?
        /// The requests that can be repeated. Like the tree, they are derived from the journal, and released with it.
        var retries = RetryWindow()
        var failures = FailedTurns()
        /// The time of the last event. Times do not go back.
        var lastTime: Timestamp
        /// The bytes that are charged for its tree and route.
        var charge = 0
        /// The outcome of the event that led to the version, if its request can be repeated.
        var outcome: EventOutcome?
        /// The reason why the session accepts no more events; `nil` if it does.
        var quarantine: Quarantine?
        var hasEnded = false
        /// Whether the journal had no room for its last event. If so, no further turn runs, since it would be
        /// discarded.
        var isFull = false
        /// The mark of the entry that the journal may have, and the version at which it was found.
        var sought: UInt64?
        var found: Int?
        /// Whether the keeper was last notified that something is pending.
        var keeperHasWork = false
        /// The moment from which a timer of the committed version is to fire, or is not known not to; `nil` for none.
        var nextTimer: Timestamp?
        /// The timers that could not fire, by their ids.
        var delayedTimers: [String: DelayedTimer] = [:]

        /// Whether there is a tree at the committed version.
        var hasUsableTree: Bool { tree?.version == version && underWay == nil }
    }

    /// Creates the session from a head in the journal.
    ///
    /// - Parameter isUsed: Whether this counts as a use; if not, its last use is the one that the journal knows.
    init(_ head: SessionHead, host: SessionHost, isUsed: Bool = true) {
        self.host = host
        id = head.record.id
        beginning = head.record.beginning
        names = Mutex(SessionNames(head.record))
        let now = host.clock.uptime()
        let use = isUsed ? now : host.use(before: head.expiresAt)
        lastUse = Atomic(use)
        keptUntil = Atomic(isUsed ? now : host.expiry(afterUseAt: use))
        let state = State(
            version: head.version, lastTime: head.lastEventAt ?? head.record.startedAt,
            quarantine: host.quarantine(of: head),
            // Without a tree, any pending timer may be due.
            nextTimer: head.pending == 0 || beginning.isWorkWithheld ? nil : head.record.startedAt)
        visible = Mutex(Shown(state, isShared: host.journal.isShared))
        self.state = Mutex(state)
    }

    /// Creates a session that is about to be in the journal, with its tree.
    ///
    /// - Parameter expiry: The time until which it is kept, by the monotonic clock.
    init(
        _ record: SessionRecord, host: SessionHost, tree: sending SessionTree, retry: Retry?,
        published: (any EncodedRoute)?,
        until expiry: Int
    ) {
        self.host = host
        id = record.id
        beginning = record.beginning
        names = Mutex(SessionNames(record))
        lastUse = Atomic(host.clock.uptime())
        keptUntil = Atomic(expiry)
        tree.session = id
        let charge = MemoryBudget.size(ofTree: tree.root.treeSize, route: published?.size ?? 0)
        var state = State(
            version: tree.version, tree: tree, published: published, lastTime: record.startedAt, charge: charge,
            nextTimer: beginning.isWorkWithheld ? nil : tree.root.nextTimer)
        if let retry { state.retries.record(retry, version: tree.version) }
        visible = Mutex(Shown(state, isShared: host.journal.isShared))
        self.state = Mutex(state)
        host.counters.countTree(1)
        host.budget.charge(charge, to: .trees)
    }

    deinit {
        state.withLock { state in
            discardTree(&state)
            host.budget.charge(-state.charge, to: .trees)
        }
    }

    // MARK: Turns

    /// Calls a body that has the turn: nothing else changes the session until it returns. If a turn of the session took
    /// long recently, the body runs on a lane.
    ///
    /// - Parameters:
    ///   - isRequest: Whether it is a request, which is refused if too many wait, or the server stops.
    ///   - body: Begins with code of its own. Swift 6.3 leaves out the switch to the lane in a body that only calls
    ///     functions which run where their caller does.
    nonisolated(nonsending) func inTurn<Value>(
        isRequest: Bool = true, _ body: () async throws(SessionError) -> Value
    ) async throws(SessionError) -> Value {
        if isRequest, isStopping { throw hasEnded ? .hasEnded : .draining }
        try await turns.take(isBounded: isRequest)
        defer { endTurn() }
        guard isSlow else { return try await body() }
        return try await withTaskExecutorPreference(host.scheduler, operation: body)
    }

    /// Calls a body that has the turn, if the turn is free; `false` if it is not.
    @discardableResult
    func inTurnAtOnce(_ body: () -> Void) -> Bool {
        guard turns.takeAtOnce() else { return false }
        body()
        endTurn()
        return true
    }

    private func endTurn() {
        turns.pass()
        if isReleased.load(ordering: .sequentiallyConsistent) { releaseTree() }
    }

    /// Calls a body with the state. Only code that has the turn calls it.
    ///
    /// - Parameter shows: Whether to show the result to others. They do not see an event before it is committed.
    func withState<Value, Failure>(
        shows: Bool = true, _ body: @Sendable (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        holder.store(host.app.watch?.thread ?? 0, ordering: .relaxed)
        defer { holder.store(0, ordering: .relaxed) }
        return try state.withLock { state throws(Failure) in
            defer { if shows { show(state) } }
            return try body(&state)
        }
    }

    /// Shows the state to others.
    ///
    /// This comes before any client is notified of a version, because the client may read that version at once.
    func show(_ state: borrowing State) {
        let shown = Shown(state, isShared: host.journal.isShared)
        visible.withLock { $0 = shown }
    }

    /// The state that is known without waiting.
    var shown: Shown { visible.withLock { $0 } }

    /// Whether nothing is under way, no request waits, and there are no followers. If so, it can be released.
    var isIdle: Bool { turns.isFree && !isFollowed }

    // MARK: Clients

    /// The client to which its long work is assigned now.
    var client: ClientKey { ClientKey(number: lastClient.load(ordering: .relaxed)) }

    /// Records the client that uses it.
    func recordUse(by client: ClientKey) {
        // Usually it is the same client as before.
        guard lastClient.load(ordering: .relaxed) != client.number else { return }
        lastClient.store(client.number, ordering: .relaxed)
    }

    // MARK: An app that does not return

    /// Whether a turn does not return, so that other requests would wait as long.
    var isHeldUp: Bool {
        let holder = holder.load(ordering: .relaxed)
        return holder != 0 && host.app.watch?.isStuck(holder) == true
    }

    /// Refuses the requests that wait behind a turn that does not return. They no longer begin.
    package func refuseWaiting() {
        turns.refuseWaiting(.tooBusy)
    }

    /// Whether its turns run on a lane, since one took long recently.
    var isSlow: Bool {
        let end = slowUntil.load(ordering: .relaxed)
        return end != 0 && host.clock.uptime() < end
    }

    /// The time for which turns run on a lane after one that took long, in seconds.
    private static let slowTime = 30

    func recordSlowTurn() {
        slowUntil.store(host.clock.uptime() + Self.slowTime, ordering: .relaxed)
    }

    // MARK: The server's end

    /// Whether new requests are refused, and nothing is retried.
    var isStopping: Bool { isDraining.load(ordering: .relaxed) }

    /// Accepts no new request, and retries nothing.
    func drain() {
        isDraining.store(true, ordering: .relaxed)
    }

    /// Releases the followers and the tree. The session is in the journal, and continues when it is next found.
    func release() {
        releaseFollowers(hasEnded: false)
        isReleased.store(true, ordering: .sequentiallyConsistent)
        releaseTree()
    }

    /// Releases the tree, unless a task has the turn: it does that in the end.
    private func releaseTree() {
        guard turns.takeAtOnce() else { return }
        state.withLock { discardTree(&$0) }
        turns.pass()
    }
}

extension Journal {
    /// Whether this server knows everything that the journal contains.
    var isAsKnown: Bool { !isShared && !losesAnswers }
}
