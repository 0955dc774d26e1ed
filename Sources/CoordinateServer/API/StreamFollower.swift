internal import CoordinateSessions
internal import MicroHTTPD
internal import Synchronization

/// A live stream of one client. It sends every version without gaps, starting with those that the client missed.
///
/// New commits wait here until a replay has created the missed versions.
final class StreamFollower: SessionFollower {
    /// The most versions that a stream may be behind and still get each of them. A stream further behind starts anew
    /// with the current route.
    static let longestCatchUp = 256
    /// The most bytes of missed versions that a stream gets. New versions may use as many again.
    static let largestCatchUp = capacity.bytes / 2

    /// The most that may wait for a client that reads slowly. All streams that follow the session share a message.
    private static let capacity = HTTPStream.Capacity(pieces: 512, bytes: 4 * 1024 * 1024)
    /// Sends a comment before 15 seconds pass, the longest silence that the API promises.
    private static let heartbeat = HTTPStream.Heartbeat(every: .seconds(10), piece: StreamMessage.heartbeat)

    private struct State {
        /// The route of the version at which the stream joined.
        var first: PublishedRoute?
        /// The versions committed since then, until the missed ones are sent; `nil` afterwards.
        var waiting: [PublishedRoute]? = []
        var hasEnded = false
    }

    let stream: HTTPStream
    private let state = Mutex(State())

    private let quota: MemoryQuota
    /// The most bytes of missed versions that this stream gets. Many streams may catch up at once.
    private let catchUpLimit: Int
    /// What hides the session's id from the client; `nil` for nothing.
    private let redaction: Redaction?
    /// Returns whether the client's right to read has ended; `nil` if it does not end.
    private let isOver: (@Sendable () -> Bool)?

    /// - Parameters:
    ///   - quota: Charged for what waits for the client.
    ///   - readers: The limit that the stream shares with other readers.
    init(
        _ following: Following, sharing quota: MemoryQuota, _ readers: HTTPReaders, as groups: [HTTPReaders.Group],
        _ redaction: Redaction? = nil, until isOver: (@Sendable () -> Bool)? = nil
    ) {
        self.quota = quota
        self.redaction = redaction
        self.isOver = isOver
        catchUpLimit = min(Self.largestCatchUp, readers.limit / 16)
        stream = HTTPStream(
            capacity: Self.capacity, quota: quota, readers: readers, groups: groups, heartbeat: Self.heartbeat,
            onEnd: following.end)
    }

    // MARK: Following

    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool {
        state.withLock { state in
            guard let waiting = state.waiting else { return send(route.published.asMessage) }
            guard waiting.count < Self.capacity.pieces else {
                stream.end()
                return false
            }
            state.waiting?.append(route.published)
            return true
        }
    }

    func didEnd() {
        state.withLock { state in
            state.hasEnded = true
            if state.waiting == nil { sendFarewell() }
        }
    }

    /// Ends the stream without the message `end`. The client may connect again and then gets the rest.
    func wasReleased() {
        stream.end()
    }

    private func sendFarewell() {
        stream.send(StreamMessage.end)
        stream.end()
    }

    // MARK: Joining

    /// Records the route of the version at which the stream joins the session.
    func join(at route: PublishedRoute) -> Bool {
        state.withLock { $0.first = route }
        return true
    }

    /// Sends the versions that the client missed, then those committed since the stream joined.
    ///
    /// - Parameters:
    ///   - lastSeen: The last version that the client has received, by its own account; `nil` for a new client.
    ///   - isBrief: Whether there is memory for the current route only.
    func catchUp(
        with session: Session, after lastSeen: Int?, for client: ClientKey, isBrief: Bool = false
    ) async throws(SessionError) {
        guard let first = state.withLock({ $0.first }) else { throw .hasEnded }
        guard let lastSeen else { return begin(with: first.asMessage) }
        guard lastSeen != first.version else { return begin(with: nil) }
        let versions = max(0, first.version - Self.longestCatchUp)..<first.version
        guard versions.contains(lastSeen), !isBrief else { return begin(with: first.asReset) }
        let missed = MissedRoutes(upTo: catchUpLimit, chargedTo: quota)
        try await session.forEachRoute(after: lastSeen, upTo: first.version - 1, for: client) {
            missed.append($1.published)
        }
        _ = missed.append(first)
        begin(with: missed.message ?? first.asReset)
    }

    @discardableResult
    private func send(_ message: HTTPBody) -> Bool {
        guard isOver?() != true else {
            stream.end()
            return false
        }
        return stream.send(redaction?(message) ?? message)
    }

    private func begin(with messages: HTTPBody?) {
        state.withLock { state in
            // The first message of a stream never exceeds its own capacity.
            if let messages { send(messages) }
            for route in state.waiting ?? [] { send(route.asMessage) }
            (state.waiting, state.first) = (nil, nil)
            if state.hasEnded { sendFarewell() }
        }
    }
}

/// The registration of a stream as a follower of a session. It ends when the client is gone.
final class Following: Sendable {
    private enum Position {
        case none
        case registered(FollowerID)
        case ended
    }

    private let session: Session
    private let metrics: Metrics
    private let position = Mutex(Position.none)

    init(_ session: Session, _ metrics: Metrics) {
        self.session = session
        self.metrics = metrics
        metrics.countStream(1)
    }

    func begin(as follower: FollowerID) {
        let isOver = position.withLock { position in
            if case .ended = position { return true }
            position = .registered(follower)
            return false
        }
        if isOver { session.unfollow(follower) }
    }

    /// Ends the registration. A second call has no effect.
    func end() {
        let former = position.withLock { position in
            defer { position = .ended }
            return position
        }
        if case .ended = former { return }
        metrics.countStream(-1)
        if case .registered(let follower) = former { session.unfollow(follower) }
    }
}

/// The routes that a client missed, joined into one message.
private final class MissedRoutes: Sendable {
    private struct State {
        var messages: [HTTPBody] = []
        var size = 0
    }

    private let state = Mutex(State())
    private let limit: Int
    private let quota: MemoryQuota

    /// - Parameters:
    ///   - limit: The most bytes.
    ///   - quota: Charged for the routes.
    init(upTo limit: Int, chargedTo quota: MemoryQuota) {
        self.limit = limit
        self.quota = quota
    }

    deinit {
        quota.use(-state.withLock(\.size))
    }

    /// Appends the next route.
    ///
    /// - Returns: Whether there is room for more.
    func append(_ route: PublishedRoute) -> Bool {
        state.withLock { state in
            state.messages.append(route.asMessage)
            state.size += route.asMessage.count
            quota.use(route.asMessage.count)
            return state.size <= limit
        }
    }

    /// All messages in one; `nil` if they are too large, and then none is sent.
    var message: HTTPBody? {
        state.withLock { state in
            guard state.size <= limit else { return nil }
            var writer = HTTPBodyWriter(capacity: state.size)
            for message in state.messages { writer.append(message) }
            return writer.finish()
        }
    }
}
