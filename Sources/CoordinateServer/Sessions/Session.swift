internal import Coordinate
internal import MicroHTTPD
internal import Synchronization

/// One coordinator tree with its version and its published bytes.
///
/// All of it is under one lock. The state is what the app makes of the events in the journal, so the tree can be dropped
/// whenever it is not to be trusted; it is made again when it is next needed.
final class Session: Sendable {
    let id: SessionID
    let createdAt: Timestamp

    let host: AppHost
    /// When it was last asked for, by the clock that never jumps.
    private let lastUse: Atomic<Int>
    private let state = Mutex(State())

    struct State {
        /// Nil before the first use, after a failed turn, and in the end.
        var root: CoordinatorNode?
        var version = 0
        /// The route document of this version, encoded when it is first needed.
        var routeBytes: [UInt8]?
        /// The same as an answer, which all who ask for it share.
        var routeResponse: HTTPResponse?
        var hasEnded = false
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
    var expiry: Int { lastUse.load(ordering: .relaxed) + host.idleTime }

    // MARK: Reading

    func summary() throws(SessionError) -> SessionSummary {
        try withTree { root, state throws(SessionError) in
            SessionSummary(
                id: id, version: state.version, path: root.path, createdAt: createdAt,
                expiresAt: Timestamp(seconds: host.clock.timestamp().seconds + host.idleTime)
            )
        }
    }

    /// The route as an answer, made at most once a version.
    func routeResponse() throws(SessionError) -> HTTPResponse {
        try withTree { root, state throws(SessionError) in
            if let response = state.routeResponse { return response }
            let response = HTTPResponse.route(routeBytes(of: root, &state), of: id, version: state.version)
            state.routeResponse = response
            state.routeBytes = nil
            return response
        }
    }

    /// The route as an answer for one client alone, with headers of its own.
    func routeResponse(introducedBy headers: [(name: String, value: String)]) throws(SessionError) -> HTTPResponse {
        try withTree { root, state throws(SessionError) in
            .route(routeBytes(of: root, &state), of: id, version: state.version, headers: headers, isSecret: true)
        }
    }

    /// A page of the journal.
    func entries(after version: Int, limit: Int) throws(SessionError) -> (entries: [JournalEntry], next: Int?) {
        try withTree { _, state throws(SessionError) in
            let entries: [JournalEntry]
            do throws(JournalError) {
                entries = try host.journal.read(id, after: version, limit: limit)
            } catch {
                throw .journal(error)
            }
            guard let last = entries.last, last.version < state.version else { return (entries, nil) }
            return (entries, last.version)
        }
    }

    // MARK: The end

    /// Stops the tree, frees it, and forgets its history. Does nothing the second time.
    func end() {
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.hasEnded = true
            discardTree(&state)
        }
        host.journal.end(id)
    }

    // MARK: The tree

    /// Runs the body under the lock, with the tree as of the last committed version.
    func withTree<Result: Sendable>(
        _ body: (CoordinatorNode, inout State) throws(SessionError) -> Result
    ) throws(SessionError) -> Result {
        try state.withLock { state throws(SessionError) in
            guard !state.hasEnded else { throw .hasEnded }
            if let root = state.root { return try body(root, &state) }
            let root = try host.makeTree(of: id, version: state.version)
            state.root = root
            return try body(root, &state)
        }
    }

    /// Lets go of a tree that is not needed, or not to be trusted.
    func discardTree(_ state: inout State) {
        guard let root = state.root else { return }
        state.root = nil
        state.routeBytes = nil
        state.routeResponse = nil
        // Stopping lets go of screens that hold their coordinators strongly. An app that fails here fails in vain.
        _ = try? root.turn { root.stop() }
    }

    /// The route document of the tree as it is, encoded at most once a version.
    func routeBytes(of root: CoordinatorNode, _ state: inout State) -> [UInt8] {
        if let bytes = state.routeBytes { return bytes }
        let bytes = RouteDocument.encode(root.navigationState, session: id, version: state.version)
        host.metrics.countRouteEncoding()
        state.routeBytes = bytes
        return bytes
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
