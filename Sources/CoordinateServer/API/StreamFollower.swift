internal import CoordinateSessions
internal import MicroHTTPD
internal import Synchronization

/// A live stream of one client, which gets every version, none missing, after those that the client missed.
///
/// While the missed versions are being made by a replay, newly committed ones wait here.
final class StreamFollower: SessionFollower {
    /// The most versions that a stream may be behind and still get each of them; one that is further behind begins
    /// anew.
    static let longestCatchUp = 256
    /// The most bytes of missed versions that a stream gets; as many again may wait behind them.
    static let largestCatchUp = capacity.bytes / 2

    /// The most that may wait for a client that reads slowly. A message is shared by all streams that follow the
    /// session.
    private static let capacity = HTTPStream.Capacity(pieces: 512, bytes: 4 * 1024 * 1024)
    /// Section 8 of the contract: a comment at least every 15 seconds.
    private static let heartbeat = HTTPStream.Heartbeat(every: .seconds(10), piece: StreamMessage.heartbeat)

    private struct State {
        /// The route of the version at which it joined.
        var first: PublishedRoute?
        /// The versions committed since then, until the missed ones are sent; nil from then on.
        var waiting: [PublishedRoute]? = []
        var hasEnded = false
    }

    let stream: HTTPStream
    private let state = Mutex(State())

    private let allowance: HTTPAllowance
    /// The most bytes of missed versions that this stream gets: many may catch up at once.
    private let catchUpLimit: Int

    /// - Parameters:
    ///   - allowance: Charged with what waits for the client.
    ///   - readers: The limit that it shares with other readers.
    init(
        _ following: Following, sharing allowance: HTTPAllowance, _ readers: HTTPReaders, as groups: [HTTPReaders.Group]
    ) {
        self.allowance = allowance
        catchUpLimit = min(Self.largestCatchUp, readers.limit / 16)
        stream = HTTPStream(
            capacity: Self.capacity, allowance: allowance, readers: readers, groups: groups, heartbeat: Self.heartbeat,
            onEnd: following.end)
    }

    // MARK: Being told

    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool {
        state.withLock { state in
            guard let waiting = state.waiting else { return stream.send(route.published.asMessage) }
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
            if state.waiting == nil { sayFarewell() }
        }
    }

    /// Ends the stream without the message `end`: the client may connect again, and gets the rest then.
    func wasLetGo() {
        stream.end()
    }

    private func sayFarewell() {
        stream.send(StreamMessage.end)
        stream.end()
    }

    // MARK: Beginning

    /// Notes the route of the version at which the stream joins the session.
    func join(at route: PublishedRoute) -> Bool {
        state.withLock { $0.first = route }
        return true
    }

    /// Sends the versions that the client missed, and then those that were committed since the stream joined.
    ///
    /// - Parameters:
    ///   - lastSeen: The last version that the client got, as it says; nil for a new client.
    ///   - isBrief: True where there is no memory for more than the current route.
    func catchUp(
        with session: Session, after lastSeen: Int?, for requester: Requester,
        on executor: any CoordinateSessions.Executor, isBrief: Bool = false
    ) -> Future<Void, SessionError> {
        guard let first = state.withLock({ $0.first }) else { return .failed(.hasEnded) }
        guard let lastSeen else { return .now(begin(with: first.asMessage)) }
        let reset = first.asReset
        guard lastSeen >= 0, lastSeen <= first.version, first.version - lastSeen <= Self.longestCatchUp else {
            return .now(begin(with: reset))
        }
        guard lastSeen < first.version else { return .now(begin(with: nil)) }
        guard !isBrief else { return .now(begin(with: reset)) }
        let missed = MissedRoutes(upTo: catchUpLimit, chargedTo: allowance)
        return session.forEachRoute(after: lastSeen, upTo: first.version - 1, for: requester) {
            missed.add($1.published)
        }.map(on: executor) { _ in
            _ = missed.add(first)
            self.begin(with: missed.message ?? reset)
        }
    }

    private func begin(with messages: HTTPBody?) {
        state.withLock { state in
            // The first message of a stream never exceeds its own capacity.
            if let messages { stream.send(messages) }
            for route in state.waiting ?? [] { stream.send(route.asMessage) }
            (state.waiting, state.first) = (nil, nil)
            if state.hasEnded { sayFarewell() }
        }
    }
}

/// The registration of a stream as a follower of a session, given up when its client is gone.
final class Following: Sendable {
    private enum Place {
        case none
        case taken(FollowerID)
        case givenUp
    }

    private let session: Session
    private let requester: Requester
    private let metrics: Metrics
    private let place = Mutex(Place.none)

    init(_ session: Session, for requester: Requester, _ metrics: Metrics) {
        self.session = session
        self.requester = requester
        self.metrics = metrics
        metrics.countStream(1)
    }

    func begin(as follower: FollowerID) {
        let isOver = place.withLock { place in
            if case .givenUp = place { return true }
            place = .taken(follower)
            return false
        }
        if isOver { session.unfollow(follower, for: requester) }
    }

    /// Ends the registration. Nothing happens the second time.
    func end() {
        let former = place.withLock { place in
            defer { place = .givenUp }
            return place
        }
        if case .givenUp = former { return }
        metrics.countStream(-1)
        if case .taken(let follower) = former { session.unfollow(follower, for: requester) }
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
    private let allowance: HTTPAllowance

    /// - Parameters:
    ///   - limit: The most bytes.
    ///   - allowance: Charged with the routes.
    init(upTo limit: Int, chargedTo allowance: HTTPAllowance) {
        self.limit = limit
        self.allowance = allowance
    }

    deinit {
        allowance.use(-state.withLock(\.size))
    }

    /// Adds the next route.
    ///
    /// - Returns: Whether there is room for more.
    func add(_ route: PublishedRoute) -> Bool {
        state.withLock { state in
            state.messages.append(route.asMessage)
            state.size += route.asMessage.count
            allowance.use(route.asMessage.count)
            return state.size <= limit
        }
    }

    /// All messages in one; nil where they are too large, and none of them is to be sent.
    var message: HTTPBody? {
        state.withLock { state in
            guard state.size <= limit else { return nil }
            var writer = HTTPBodyWriter(capacity: state.size)
            for message in state.messages { writer.append(message) }
            return writer.finish()
        }
    }
}
