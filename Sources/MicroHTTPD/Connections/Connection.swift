internal import Synchronization

/// The server's record of one client's connection, and of the request on it.
///
/// There is one for each connection, not for each request: a request without query and body allocates nothing. It
/// belongs to the `ConnectionRegistry` from the connection's first notification to its last.
///
/// While a request is parked, and while a stream is sent, the connection counts as answering: no deadline applies.
final class Connection: @unchecked Sendable {
    // Unchecked: the plain properties belong to the worker thread that serves the connection, and while it is suspended
    // to the waiting room's. The sweeper's thread reads `progress`, and takes the lock of `timeout`.
    //
    // Each access to them is a plain load or store: then the compiler knows that none of them overlap, and nobody has to
    // check that at run time (https://www.swift.org/blog/swift-5-exclusivity).

    /// The progress of libmicrohttpd's calls for one request.
    enum Stage {
        /// Before the first call of the access handler.
        case fresh
        /// The header was found well-formed; the body is being collected.
        case collecting
        /// The header was found well-formed; the body goes to a receiver.
        case streaming(any HTTPBodyReceiver)
        /// The connection is suspended until the answer is there.
        case parked
        /// The connection was resumed for this answer.
        case answered(HTTPResponse)
        /// The answer is a stream, which is written piece by piece.
        case sending(HTTPStream)
        /// The body is being discarded before the request is answered.
        case discarding(HTTPResponse)
    }

    var stage = Stage.fresh
    /// The length of the request's target up to its first NUL, as libmicrohttpd passed it on.
    var targetLength = 0
    /// The path within the target.
    var pathRange = 0..<0
    var query: [UInt8]?
    /// A bit for each length of a header's name, by which most headers are known to be missing without being searched.
    var nameLengths: UInt64 = 0
    var body: [UInt8] = []
    /// The headers that came more than once, of those that may come only once.
    var repeatedHeaders: [String] = []
    /// The fields that the handler adds to any response to this request.
    var answerHeaders: HTTPFields = [:]
    /// The caller that waits for the response to a request that comes from no socket.
    var local: LocalExchange?
    /// The bytes for which the body is charged, and the allowance that is charged.
    private var held: (bytes: Int, allowance: HTTPAllowance)?
    /// The bytes of a streamed body that came since the deadline began.
    private var streamedSize = 0

    /// The least bytes of a streamed body in a deadline: slower clients are disconnected.
    static let minimumProgress = 256 * 1024

    let progress = Atomic<Progress>(Progress())
    let timeout: Mutex<ConnectionTimeout>
    /// The address of the client, or of the proxy in front of the server.
    let peer: IPAddress
    /// The place of a connection, for the registry alone.
    enum Place {
        case none, regular, reserve
    }

    /// Protected by the registry's lock.
    var place = Place.none
    /// True where it came when all regular places were in use: it gets one answer, which is a refusal except for a
    /// probe.
    var isOnReserve = false
    /// The worker thread that serves it.
    let worker: UInt64
    /// The record of the request; nil where none is kept.
    let record: ExchangeRecord?

    init(socket: Int32, worker: UInt64, isObserved: Bool) {
        peer = IPAddress(peerOf: socket)
        self.worker = worker
        record = isObserved ? ExchangeRecord() : nil
        timeout = Mutex(ConnectionTimeout(socket: socket))
    }

    /// Makes the connection of a request that comes from no socket.
    init(from peer: IPAddress) {
        self.peer = peer
        worker = 0
        record = nil
        timeout = Mutex(ConnectionTimeout(socket: nil))
    }

    deinit {
        held.map { $0.allowance.use(-$0.bytes) }
    }

    /// Charges bytes to an allowance for as long as the request is under way.
    func hold(_ bytes: Int, of allowance: HTTPAllowance) {
        allowance.use(bytes)
        held = (bytes, allowance)
    }

    /// True where a request is between its request line and the last byte of its answer.
    var isBusy: Bool { progress.load(ordering: .relaxed).phase != .waiting }

    /// True where an answer is being made.
    var isWorkedFor: Bool { progress.load(ordering: .relaxed).phase == .answering }

    /// Tells the sweeper what the connection is doing.
    func advance(to phase: Progress.Phase) {
        var progress = self.progress.load(ordering: .relaxed)
        progress.advance(to: phase)
        self.progress.store(progress, ordering: .relaxed)
    }

    /// Passes a part of the body on. A streamed body may be large: its deadline begins anew after each
    /// ``minimumProgress``.
    func stream(_ part: [UInt8], to receiver: any HTTPBodyReceiver) {
        receiver.receive(part)
        streamedSize += part.count
        guard streamedSize >= Self.minimumProgress else { return }
        streamedSize = 0
        timeout.withLock { $0.restart() }
    }

    /// Makes room for a body.
    func reserve(_ bytes: Int) {
        var empty: [UInt8] = []
        empty.reserveCapacity(bytes)
        body = empty
    }

    /// Adds a part to the body.
    func collect(_ part: UnsafeRawBufferPointer) {
        var collected = body
        // So that it is not copied.
        body = []
        unsafe collected.append(contentsOf: part)
        body = collected
    }

    /// Forgets the request, which is over.
    func reset() {
        if case .sending(let stream) = stage { stream.finish() }
        stage = .fresh
        streamedSize = 0
        nameLengths = 0
        query = nil
        if body.capacity > 0 { body = [] }
        if !repeatedHeaders.isEmpty { repeatedHeaders = [] }
        if !answerHeaders.isEmpty { answerHeaders = [:] }
        if let held {
            held.allowance.use(-held.bytes)
            self.held = nil
        }
        advance(to: .waiting)
    }
}

/// The activity of a connection, and the number of its request, in one word.
struct Progress: Equatable, AtomicRepresentable {
    enum Phase: UInt64 {
        /// Between requests, or within a request line.
        case waiting = 0
        /// After the request line, until the body is complete.
        case receiving = 1
        /// From the handler's call until its answer.
        case answering = 2
        /// Until the last byte of the answer.
        case sending = 3
    }

    private var word: UInt64 = 0

    /// The number of the connection's request, from 0.
    var request: UInt64 { word >> 2 }
    var phase: Phase { Phase(rawValue: word & 3) ?? .waiting }

    mutating func advance(to phase: Phase) {
        word = (phase == .waiting ? request + 1 : request) << 2 | phase.rawValue
    }

    static func encodeAtomicRepresentation(_ value: consuming Progress) -> UInt64.AtomicRepresentation {
        UInt64.encodeAtomicRepresentation(value.word)
    }

    static func decodeAtomicRepresentation(_ storage: consuming UInt64.AtomicRepresentation) -> Progress {
        var progress = Progress()
        progress.word = UInt64.decodeAtomicRepresentation(storage)
        return progress
    }

    typealias AtomicRepresentation = UInt64.AtomicRepresentation
}
