internal import Coordinate
internal import MicroHTTPD
internal import Synchronization

/// One coordinator tree with its version and its published bytes.
///
/// All of it is under one lock. The state is what the app makes of the events in the journal, so the tree can be dropped
/// whenever it is not to be trusted or not in use; it is made again when it is next needed.
final class Session: Sendable {
    let id: SessionID
    let createdAt: Timestamp

    let host: AppHost
    /// When it was last asked for, by the clock that never jumps.
    private let lastUse: Atomic<Int>
    private let state = Mutex(State())
    /// Whether the lock is held for as long as it takes to make the tree again.
    private let isWaking = Atomic(false)
    /// Whether somebody is being told of what happens: then it is in use.
    private let isFollowed = Atomic(false)

    struct State {
        /// Nil before the first use, after a failed turn, while the session is passive, and in the end.
        fileprivate(set) var tree: SessionTree?
        var version = 0
        /// Requests that may be repeated; like the tree made of the journal, and dropped with it.
        var retries = RetryWindow()
        /// The route document of this version, encoded when it is first needed.
        var routeBody: HTTPBody?
        /// The same as an answer, which all who ask for it share.
        var routeResponse: HTTPResponse?
        var audience = Audience()
        fileprivate var hasEnded = false
    }

    /// Starts a new tree.
    ///
    /// - Throws: ``SessionError/appFailed(_:)`` where the app cannot even start.
    init(host: AppHost) throws(SessionError) {
        self.host = host
        id = .random()
        createdAt = host.clock.timestamp()
        lastUse = Atomic(host.clock.uptime())
        try withTree { _, _ throws(SessionError) in }
    }

    // MARK: Age

    func touch() {
        lastUse.store(host.clock.uptime(), ordering: .relaxed)
    }

    /// When it expires unless it is used again, by the clock that never jumps.
    var expiry: Int { latestUse + host.limits.idleTime }

    /// When its tree is to be dropped unless it is used again, by the same clock.
    var passivation: Int { latestUse + host.limits.passivationTime }

    private var latestUse: Int {
        isFollowed.load(ordering: .relaxed) ? host.clock.uptime() : lastUse.load(ordering: .relaxed)
    }

    /// To be called whenever the audience has changed: the last one who leaves was the last use.
    func noteAudience(_ state: State) {
        if state.audience.isEmpty && isFollowed.load(ordering: .relaxed) { touch() }
        isFollowed.store(!state.audience.isEmpty, ordering: .relaxed)
    }

    /// Drops the tree, if nobody has used it in the meantime. The next request makes it again.
    func passivate() {
        state.withLock { state in
            guard passivation <= host.clock.uptime() else { return }
            discardTree(&state)
        }
    }

    // MARK: Reading

    func summary() throws(SessionError) -> SessionSummary {
        try withTree { tree, state throws(SessionError) in
            SessionSummary(
                id: id, version: state.version, path: tree.root.path, createdAt: createdAt,
                expiresAt: Timestamp(seconds: host.clock.timestamp().seconds + host.limits.idleTime)
            )
        }
    }

    // MARK: The end

    /// Stops the tree, frees it, and forgets its history. Does nothing the second time.
    func end() {
        try? end(if: .none)
    }

    /// Ends the session, where the client may do so.
    func end(if preconditions: Preconditions) throws(SessionError) {
        try withState { state throws(SessionError) in
            try check(preconditions, state)
            state.hasEnded = true
            dismissAudience(&state)
            discardTree(&state)
        }
        host.journal.end(id)
    }

    // MARK: The state

    /// Runs the body under the lock, with the tree as of the last committed version.
    func withTree<Result: Sendable>(
        _ body: (SessionTree, inout State) throws(SessionError) -> Result
    ) throws(SessionError) -> Result {
        try withState { state throws(SessionError) in try body(try tree(&state), &state) }
    }

    /// Runs the body under the lock, whether there is a tree or not; it is not made.
    func withState<Result: Sendable>(
        _ body: (inout State) throws(SessionError) -> Result
    ) throws(SessionError) -> Result {
        if isWaking.load(ordering: .relaxed) { try Patience.check(events: .max) }
        return try state.withLock { state throws(SessionError) in
            guard !state.hasEnded else { throw .hasEnded }
            return try body(&state)
        }
    }

    /// Runs a body that reads the journal without the lock: the session may end in the meantime, and its history with it.
    func unlessEnded<Result>(_ body: () throws(SessionError) -> Result) throws(SessionError) -> Result {
        do throws(SessionError) {
            return try body()
        } catch {
            try withState { _ throws(SessionError) in }
            throw error
        }
    }

    /// The tree as of the last committed version, made again from the journal where it was dropped.
    func tree(_ state: inout State) throws(SessionError) -> SessionTree {
        if let tree = state.tree { return tree }
        isWaking.store(state.version > Patience.limit, ordering: .relaxed)
        defer { isWaking.store(false, ordering: .relaxed) }
        var retries = RetryWindow()
        let tree = try SessionTree(host: host, replaying: id, upTo: state.version) { retries.note($0) }
        state.tree = tree
        state.retries = retries
        host.metrics.countTree(1)
        return tree
    }

    /// Lets go of a tree that is not needed, or not to be trusted, and of all that can be made with it.
    func discardTree(_ state: inout State) {
        guard state.tree != nil else { return }
        state.tree = nil
        state.retries = RetryWindow()
        state.routeBody = nil
        state.routeResponse = nil
        host.metrics.countTree(-1)
    }

    /// Throws where the client asks for something to be so that is not.
    func check(_ preconditions: Preconditions, _ state: State) throws(SessionError) {
        guard preconditions.allowChange(of: tag(of: state.version)) else {
            throw .versionConflict(current: state.version)
        }
    }
}

/// What there is to say of a session.
struct SessionSummary: Sendable {
    let id: SessionID
    let version: Int
    let path: String
    let createdAt: Timestamp
    let expiresAt: Timestamp
}
