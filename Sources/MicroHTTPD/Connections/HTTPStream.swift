internal import CMicroHTTPD
internal import Dispatch
internal import Synchronization

/// The body of one answer, written piece by piece as long as the client stays.
///
/// ```swift
/// let stream = HTTPStream(heartbeat: .init(every: .seconds(15), piece: .init(":\n\n"))) { clients.remove(id) }
/// clients.add(stream, id)
/// return .now(HTTPResponse(status: 200, headers: [("Content-Type", "text/event-stream")], stream: stream))
/// // … from any thread, as long as it returns true:
/// stream.send(piece)
/// ```
///
/// Pieces may be sent before the stream is returned. They come first. A stream has no deadline. Its client is
/// disconnected if it reads so slowly that the capacity is exceeded, if it reads nothing for the configuration's
/// `idleTimeout` although data is waiting, or if it reads slower than the least rate of a reader. The server notices
/// within two seconds that a client has left or closed its sending side. A stream ends with its connection. An answer
/// to `HEAD` ends it at once.
public final class HTTPStream: Sendable {
    private enum Phase {
        case open
        /// Queued pieces are still sent.
        case ending
        /// Nothing more is sent: the client was disconnected, or everything is sent.
        case over
    }

    /// The connection of a stream that is the answer to a request.
    private struct Seat {
        let connection: WorkerBound
        let worker: HTTPWorker
        let id: ConnectionID
        /// Whether the connection waits for something to send.
        var isSuspended = false
        /// Whether the worker has been notified that there is something to send.
        var isReady = false
    }

    private struct State {
        var phase = Phase.open
        var queue: PieceQueue
        /// The connection, from the answer until the connection has finished with it.
        var seat: Seat?
        /// The reader in this process; `nil` for a stream that a connection sends.
        var local: AsyncThrowingStream<[UInt8], any Error>.Continuation?
        var wasAnswer = false
        /// Whether to disconnect the client without sending the queued pieces.
        var isCutOff = false
        /// The time of the last send. Kept only for the heartbeat.
        var lastSent: ContinuousClock.Instant?
        /// Whether the source has been asked for the next piece.
        var isAsked = false
        /// The steps of ``HTTPReaders`` that the queue counts for.
        var counted = 0
        /// `nil` after it was called.
        var onEnd: (@Sendable () -> Void)?

        /// Whether there is a reason to resume the connection.
        var hasWork: Bool { !queue.isEmpty || phase != .open }
    }

    /// The most unread bytes per client in the system's buffer. Linux doubles it.
    private static let unreadLimit: Int32 = 64 * 1024

    private let capacity: Capacity
    private let readers: HTTPReaders?
    let groups: [HTTPReaders.Group]
    private let heartbeat: Heartbeat?
    private let source: (@Sendable (HTTPStream) -> Void)?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - capacity: The most that may wait to be sent. A piece is always accepted if no other is waiting, whatever its
    ///     size.
    ///   - quota: Charged for waiting pieces, once per piece, however many streams it waits in.
    ///   - readers: The limit, shared with others, on what clients have not read yet.
    ///   - groups: The stream's groups of readers.
    ///   - onEnd: Called exactly once: when everything is sent after `end()`, when the client leaves or is
    ///     disconnected, when the server stops, or when the stream or its response is released unused. It is called on
    ///     the connection's worker without locks, never within a call of this stream. It should be quick, because
    ///     requests wait for it.
    ///   - source: Called when the client has read everything that was sent, so that nothing is created before it is
    ///     needed. It must send the next piece, now or later, and is then called again; or it ends the stream with the
    ///     last piece, with `end(with:)`. A stopping server waits for such a stream until its deadline. It is called on
    ///     the connection's worker, and should be quick.
    public init(
        capacity: Capacity = Capacity(),
        quota: MemoryQuota? = nil,
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
        state = Mutex(State(queue: PieceQueue(sharing: quota), onEnd: onEnd))
    }

    deinit {
        finish()
    }

    /// Whether nothing more can be sent.
    public var isOver: Bool { state.withLock { $0.phase != .open } }

    /// Sends a piece after those before it. Does not wait for the client.
    ///
    /// - Returns: Whether the piece is queued; `false` if the stream has ended, also if it ended because there was no
    ///   room for this piece.
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

    /// Sends a last piece, then ends the stream and the connection, in one step. The source is not called in between.
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

    /// Ends the stream and the connection at once, without the queued pieces. The client sees that the answer is
    /// incomplete.
    public func abort() {
        drop()
    }

    /// Ends the stream and the connection after the queued pieces.
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

    /// Changes the state, and notifies the worker if there is something to do.
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, seat, change, isLocal) = state.withLock { state in
            let result = body(&state)
            let change = countUnread(&state)
            guard let seat = state.seat, seat.isSuspended && state.hasWork || state.isCutOff, !seat.isReady else {
                return (result, Seat?.none, change, state.local != nil)
            }
            state.seat?.isReady = true
            return (result, seat, change, false)
        }
        if let seat { seat.worker.post(.ready(seat.id)) }
        readers?.count(change, of: self)
        if isLocal { deliver() }
        return result
    }

    /// - Returns: The change in the steps that count for the stream's groups of readers.
    private func countUnread(_ state: inout State) -> Int {
        guard readers != nil else { return 0 }
        let counted = HTTPReaders.counted(state.queue.size)
        defer { state.counted = counted }
        return counted - state.counted
    }

    // MARK: Without a socket

    /// Reads the stream in this process, instead of sending it over a connection. Call it once, before the response is
    /// released. The stream ends when the sequence is released. There are no heartbeats.
    package func pieces() -> AsyncThrowingStream<[UInt8], any Error> {
        let (pieces, reader) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        reader.onTermination = { if case .cancelled = $0 { self.finish() } }
        state.withLock { state in
            state.local = reader
            state.wasAnswer = true
        }
        deliver()
        return pieces
    }

    /// Gives the queued pieces to the reader in this process, and asks the source for the next one.
    private func deliver() {
        let (isOver, next) = state.withLock { state -> (Bool, (@Sendable (HTTPStream) -> Void)?) in
            guard let reader = state.local else { return (false, nil) }
            if !state.queue.isEmpty {
                var bytes = [UInt8](repeating: 0, count: state.queue.size)
                _ = unsafe bytes.withUnsafeMutableBytes { unsafe state.queue.move(into: $0) }
                reader.yield(bytes)
            }
            switch state.phase {
            case .open:
                defer { state.isAsked = true }
                return (false, state.isAsked ? nil : source)
            case .ending:
                reader.finish()
                return (true, nil)
            case .over:
                reader.finish(throwing: AbortedStream())
                return (true, nil)
            }
        }
        if isOver { finish() }
        if let next { DispatchQueue.global().async { next(self) } }
    }

    // MARK: Worker

    /// Attaches the stream to a connection, as the answer to its request.
    ///
    /// - Returns: `false` if the stream already answers another request.
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

    /// Whether to disconnect the client.
    var isCutOff: Bool { state.withLock { $0.isCutOff } }

    /// Records that the worker processes the stream.
    ///
    /// - Returns: Whether to resume the connection.
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
    /// - Returns: The time at which the next heartbeat may be due.
    func beat(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let heartbeat else { return nil }
        return state.withLock { state in
            guard state.phase == .open, let lastSent = state.lastSent else { return nil }
            guard lastSent + heartbeat.interval <= now else { return lastSent + heartbeat.interval }
            // A client that has not read the waiting data does not need a heartbeat.
            if state.queue.isEmpty && heartbeat.piece.count > 0 { state.queue.append(heartbeat.piece) }
            state.lastSent = now
            return now + heartbeat.interval
        }
    }

    /// Ends a stream without a source, because the server has answered all requests.
    func endUnlessSourced() {
        if source == nil { end() }
    }

    /// Records that the response was released. A stream that was never an answer ends then.
    func responseIsGone() {
        let wasAnswer = state.withLock { state in
            defer { state.wasAnswer = true }
            return state.wasAnswer
        }
        if !wasAnswer { finish() }
    }

    /// Records that the connection has finished with the answer. libmicrohttpd may free it when this returns.
    func finish() {
        let (onEnd, worker, change) = state.withLock { state in
            state.phase = .over
            state.queue.removeAll()
            defer {
                (state.seat, state.local) = (nil, nil)
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

/// A connection in a stream's state, which other threads share. Only the connection's worker uses it.
private struct WorkerBound: @unchecked Sendable {
    // Unchecked: `suspend()` is called only in the reader's callback, on the worker's thread.
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
    /// Bytes that the system has accepted do not count, up to about 100 KiB more.
    public struct Capacity: Hashable, Sendable {
        public var pieces: Int
        public var bytes: Int

        public init(pieces: Int = 256, bytes: Int = 256 * 1024) {
            self.pieces = pieces
            self.bytes = bytes
        }
    }

    /// A piece that is sent after a period of silence, so that no proxy closes the connection.
    public struct Heartbeat: Sendable {
        /// The longest silence. It may last a tenth of a second longer.
        public var interval: Duration
        public var piece: HTTPBody

        public init(every interval: Duration, piece: HTTPBody) {
            self.interval = interval
            self.piece = piece
        }
    }
}

/// The error for a reader in this process whose stream ended before everything was sent.
package struct AbortedStream: Error {}
