internal import CMicroHTTPD
internal import Dispatch
internal import Synchronization

/// The body of one answer, written piece by piece for as long as the client stays.
///
/// ```swift
/// let stream = HTTPStream(heartbeat: .init(every: .seconds(15), piece: .init(":\n\n"))) { clients.remove(id) }
/// clients.add(stream, id)
/// return .now(HTTPResponse(status: 200, headers: [("Content-Type", "text/event-stream")], stream: stream))
/// // … from any thread, for as long as it returns true:
/// stream.send(piece)
/// ```
///
/// It may be written to before it is returned: pieces sent then come first. A stream has no deadline. Its client is
/// disconnected when it reads so slowly that the capacity is exceeded, reads nothing for the configuration's
/// `idleTimeout` although something is waiting for it, or reads less than the least rate of a reader. A client that
/// left, or that closed its sending side, is noticed within two seconds. A stream ends with its connection; an answer
/// to `HEAD` ends it at once.
public final class HTTPStream: Sendable {
    private enum Phase {
        case open
        /// The queued pieces are still sent.
        case ending
        /// Nothing is sent any more: the client was disconnected, or everything is sent.
        case over
    }

    /// The connection of a stream that is the answer to a request.
    private struct Seat {
        let connection: WorkerBound
        let worker: HTTPWorker
        let id: ConnectionID
        /// Whether the connection waits until there is something to send.
        var isSuspended = false
        /// Whether the worker was told that there is.
        var isReady = false
    }

    private struct State {
        var phase = Phase.open
        var queue: PieceQueue
        /// The connection, from the answer until it is done with it.
        var seat: Seat?
        var wasAnswer = false
        /// Whether the client is to be disconnected, without the queued pieces.
        var isCutOff = false
        /// The time at which something was last sent; kept for the heartbeat alone.
        var lastSent: ContinuousClock.Instant?
        /// True where the source was asked for the next piece.
        var isAsked = false
        /// The bytes in the queue that count for its groups of readers.
        var counted = 0
        /// Nil once it was called.
        var onEnd: (@Sendable () -> Void)?

        /// True where there is a reason to resume the connection.
        var hasWork: Bool { !queue.isEmpty || phase != .open }
    }

    /// The most unread bytes of a client that the system should hold; Linux doubles it.
    private static let unreadLimit: Int32 = 64 * 1024

    private let capacity: Capacity
    private let readers: HTTPReaders?
    let groups: [HTTPReaders.Group]
    private let heartbeat: Heartbeat?
    private let source: (@Sendable (HTTPStream) -> Void)?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - capacity: The most that may wait to be sent. A piece before which nothing waits is accepted whatever its
    ///     size.
    ///   - allowance: Charged with the pieces that wait: once for each, however many streams it waits in.
    ///   - readers: The limit that it shares with others for what their clients have not read.
    ///   - groups: Its groups of readers.
    ///   - onEnd: Called exactly once: when everything is sent after `end()`, the client left or was disconnected, the
    ///     server stopped, or the stream or its response was released unused. It is called on a thread of its own with
    ///     nothing locked, never within a call of this stream, and should be quick, since other closures wait for their
    ///     turn.
    ///   - source: Called when the client has read all that was sent, so that nothing is made before it is wanted. It
    ///     has to send the next piece, now or later, after which it is called again; or to end the stream with the last
    ///     one, by `end(with:)`. A server that stops waits for such a stream until its deadline. It is called on a
    ///     thread of its own, and should be quick.
    public init(
        capacity: Capacity = Capacity(),
        allowance: HTTPAllowance? = nil,
        readers: HTTPReaders? = nil,
        groups: [HTTPReaders.Group] = [],
        heartbeat: Heartbeat? = nil,
        onEnd: @escaping @Sendable () -> Void = {},
        source: (@Sendable (HTTPStream) -> Void)? = nil
    ) {
        self.capacity = capacity
        self.readers = readers
        self.groups = groups
        self.heartbeat = heartbeat
        self.source = source
        state = Mutex(State(queue: PieceQueue(sharing: allowance), onEnd: onEnd))
    }

    deinit {
        finish()
    }

    /// True once nothing can be sent any more.
    public var isOver: Bool { state.withLock { $0.phase != .open } }

    /// Sends a piece after those before it. It does not wait for the client.
    ///
    /// - Returns: True where the piece is queued; false once the stream has ended, also if this very piece ended it,
    ///   for which there was no room.
    @discardableResult
    public func send(_ piece: HTTPBody) -> Bool {
        change { state in
            guard state.phase == .open else { return false }
            guard piece.count > 0 else { return true }
            state.isAsked = false
            guard hasRoom(for: piece, after: state.queue) else {
                Self.drop(&state)
                return false
            }
            state.queue.append(piece)
            if heartbeat != nil { state.lastSent = .now }
            return true
        }
    }

    /// Sends a last piece, and ends the stream and the connection after it, in one step: the source is not called in
    /// between.
    public func end(with piece: HTTPBody) {
        change { state in
            guard state.phase == .open else { return }
            if piece.count > 0 { state.queue.append(piece) }
            state.phase = .ending
        }
    }

    private func hasRoom(for piece: HTTPBody, after queue: PieceQueue) -> Bool {
        queue.isEmpty || queue.count < capacity.pieces && queue.size + piece.count <= capacity.bytes
    }

    /// Ends the stream and the connection at once, without the queued pieces: the client sees that the answer is
    /// incomplete.
    public func abort() {
        drop()
    }

    /// Ends the stream, and the connection, after the queued pieces.
    public func end() {
        change { state in
            if state.phase == .open { state.phase = .ending }
        }
    }

    /// Ends the stream without the queued pieces.
    private func drop() {
        change { Self.drop(&$0) }
    }

    private static func drop(_ state: inout State) {
        state.phase = .over
        state.isCutOff = true
        state.queue.removeAll()
    }

    /// Makes a change, and tells the worker if there is something to do for it.
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, seat, change) = state.withLock { state in
            let result = body(&state)
            let change = countUnread(&state)
            guard let seat = state.seat, seat.isSuspended && state.hasWork || state.isCutOff, !seat.isReady else {
                return (result, Seat?.none, change)
            }
            state.seat?.isReady = true
            return (result, seat, change)
        }
        if let seat { seat.worker.post(.ready(seat.id)) }
        readers?.count(change, of: self)
        return result
    }

    /// - Returns: The change of the bytes that count for its groups of readers.
    private func countUnread(_ state: inout State) -> Int {
        guard readers != nil else { return 0 }
        let counted = HTTPReaders.counted(state.queue.size)
        defer { state.counted = counted }
        return counted - state.counted
    }

    // MARK: On the worker

    /// Makes this the answer to a request.
    ///
    /// - Returns: Whether it was not the answer to another one.
    func attach(to connection: Connection, in loop: EventLoop) -> Bool {
        let isFirst = state.withLock { state in
            guard !state.wasAnswer else { return false }
            state.wasAnswer = true
            state.seat = Seat(connection: WorkerBound(connection), worker: loop.worker, id: connection.id)
            state.lastSent = .now
            return true
        }
        guard isFirst else { return false }
        connection.limitUnread(to: Self.unreadLimit)
        if let heartbeat { loop.enter(connection, at: .now + heartbeat.interval) }
        switch loop.phase {
        case .open, .closing: break
        case .ending: if source == nil { end() } else { drop() }
        case .closed, .over: drop()
        }
        return true
    }

    /// Fills a buffer with the next bytes. If there are none, suspends the connection and returns 0.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (count, change) = state.withLock { state in
            guard state.phase != .over else { return (cmhd_end_with_error, 0) }
            let count = unsafe state.queue.move(into: buffer)
            guard count == 0 else { return (count, countUnread(&state)) }
            guard state.phase == .open, let seat = state.seat else { return (cmhd_end_of_stream, 0) }
            state.seat?.isSuspended = true
            seat.connection.suspend()
            if let source, !state.isAsked {
                state.isAsked = true
                seat.worker.enqueue { source(self) }
            }
            return (0, 0)
        }
        readers?.count(change, of: self)
        return count
    }

    /// Whether the client is to be disconnected.
    var isCutOff: Bool { state.withLock { $0.isCutOff } }

    /// Notes that the worker looks at the stream.
    ///
    /// - Returns: Whether the connection is to be resumed.
    func prepareToResume() -> Bool {
        state.withLock { state in
            state.seat?.isReady = false
            guard state.seat?.isSuspended == true, state.hasWork else { return false }
            state.seat?.isSuspended = false
            return true
        }
    }

    /// Sends the heartbeat if nothing was sent for its interval.
    ///
    /// - Returns: The time at which it may be due next.
    func beat(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let heartbeat else { return nil }
        return state.withLock { state in
            guard state.phase == .open, let lastSent = state.lastSent else { return nil }
            guard lastSent + heartbeat.interval <= now else { return lastSent + heartbeat.interval }
            // A client that has not taken what there is for it is not helped by more.
            if state.queue.isEmpty && heartbeat.piece.count > 0 { state.queue.append(heartbeat.piece) }
            state.lastSent = now
            return now + heartbeat.interval
        }
    }

    /// Ends a stream that nothing more is sent to: the server has answered all requests.
    func endUnlessSourced() {
        if source == nil { end() }
    }

    /// Notes that the response is released. A stream that was never an answer ends with that.
    func responseIsGone() {
        let wasAnswer = state.withLock { state in
            defer { state.wasAnswer = true }
            return state.wasAnswer
        }
        if !wasAnswer { finish() }
    }

    /// Notes that the connection is done with the answer: libmicrohttpd may free it when this returns.
    func finish() {
        let (onEnd, worker, change) = state.withLock { state in
            state.phase = .over
            state.queue.removeAll()
            defer {
                state.seat = nil
                state.onEnd = nil
            }
            return (state.onEnd, state.seat?.worker, countUnread(&state))
        }
        readers?.count(change, of: self)
        guard let onEnd else { return }
        if let worker { worker.enqueue(onEnd) } else { DispatchQueue.global().async(execute: onEnd) }
    }
}

extension HTTPStream: HTTPReaders.Reader {
    func disconnect() {
        abort()
    }
}

/// A connection in the state of a stream, which other threads share: only its worker looks at it.
private struct WorkerBound: @unchecked Sendable {
    // Unchecked: `suspend()` is called in the reader's callback alone, on the worker's thread.
    private let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
    }

    func suspend() {
        connection.suspend()
    }
}

extension HTTPStream {
    /// The most that may wait for a client that reads more slowly than pieces are sent.
    ///
    /// Bytes that the system has accepted to send do not count: up to some 100 KiB more.
    public struct Capacity: Hashable, Sendable {
        public var pieces: Int
        public var bytes: Int

        public init(pieces: Int = 256, bytes: Int = 256 * 1024) {
            self.pieces = pieces
            self.bytes = bytes
        }
    }

    /// A piece that is sent when nothing else was for a while, so that no proxy on the way closes the connection.
    public struct Heartbeat: Sendable {
        /// The longest silence; it may be a tenth of a second longer.
        public var interval: Duration
        public var piece: HTTPBody

        public init(every interval: Duration, piece: HTTPBody) {
            self.interval = interval
            self.piece = piece
        }
    }
}
