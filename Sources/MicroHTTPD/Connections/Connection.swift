internal import Glibc
internal import Synchronization

/// The worker's record of one client's connection, and of the request on it.
///
/// There is one for each connection, not for each request: a request without query and body allocates nothing. It
/// belongs to the event loop of its worker from the connection's first notification to its last, and no other thread
/// touches it.
///
/// Each access to its properties is a plain load or store: then the compiler knows that none of them overlap, and does
/// not check that at run time (https://www.swift.org/blog/swift-5-exclusivity).
@safe final class Connection {
    /// The progress of libmicrohttpd's calls for one request.
    enum Stage {
        /// Before the first call of the access handler.
        case fresh
        /// The header was found well-formed; the body is being collected.
        case collecting
        /// The header was found well-formed; the body goes to a receiver.
        case streaming(any HTTPBodyReceiver)
        /// The connection is suspended until the answer is there.
        case parked(PendingAnswer)
        /// The connection was resumed, or is about to be, for this answer.
        case answered(HTTPResponse)
        /// The answer is a stream, which is written piece by piece.
        case sending(HTTPStream)
        /// The body is being discarded before the request is answered.
        case discarding(HTTPResponse)
        /// The client has left while its request was parked: the connection is to be closed.
        case abandoned
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
    /// The reader of a large response that is sent as a whole; `nil` for any other.
    var reader: WholeResponseReader?
    /// The account of the memory that connections take by themselves, and the part that is charged to it.
    private let ownMemory: HTTPAllowance?
    private var ownSize = 0
    /// The memory of a connection before its first request, in bytes: two pages of its buffer, and the records of it.
    private static let idleSize = 12 * 1024
    /// The memory of one that has had a request: its whole buffer was written to.
    private static let usedSize = HTTPServerConfiguration.connectionSize
    /// The bytes of a streamed body that came since the deadline began.
    private var streamedSize = 0
    /// Whether libmicrohttpd leaves it alone until it is resumed.
    var isSuspended = false
    /// Whether it is going to be resumed.
    var isReady = false

    /// The least bytes of a streamed body in a deadline: slower clients are disconnected.
    static let minimumProgress = 256 * 1024

    var timeout = ConnectionTimeout()
    /// What other threads know of it; nil for a request that comes from no socket.
    let entry: ConnectionEntry?
    /// The connection of libmicrohttpd; nil for a request that comes from no socket.
    let raw: OpaquePointer?
    /// The loop that serves it, and outlives it.
    private unowned(unsafe) let loop: EventLoop?
    /// The address of the client, or of the proxy in front of the server.
    let peer: IPAddress
    /// The record of the request; nil if none is kept.
    let record: ExchangeRecord?

    init(
        _ entry: ConnectionEntry, raw: OpaquePointer, in loop: EventLoop, isObserved: Bool,
        chargedTo memory: HTTPAllowance?
    ) {
        self.entry = entry
        ownMemory = memory
        unsafe self.raw = unsafe raw
        unsafe self.loop = loop
        peer = entry.peer
        record = isObserved ? ExchangeRecord() : nil
        charge(Self.idleSize)
    }

    /// Creates the connection of a request that comes from no socket.
    init(from peer: IPAddress) {
        self.peer = peer
        ownMemory = nil
        entry = nil
        unsafe raw = nil
        unsafe loop = nil
        record = nil
    }

    deinit {
        held.map { $0.allowance.use(-$0.bytes) }
        reader?.end()
        charge(0)
    }

    private func charge(_ size: Int) {
        ownMemory?.use(size - ownSize)
        ownSize = size
    }

    /// Notes that a request begins.
    func begin() {
        advance(to: .receiving)
        if ownSize < Self.usedSize, ownMemory != nil { charge(Self.usedSize) }
    }

    /// The number of the connection; 0 for a request that comes from no socket.
    var id: ConnectionID { entry?.id ?? 0 }

    var socket: Int32 { entry?.socket ?? -1 }

    /// Whether it has no regular place: it gets one answer, which is a refusal except for a probe.
    var isOnReserve: Bool { entry?.isOnReserve ?? false }

    /// The worker that serves it; nil for a request that comes from no socket.
    var worker: HTTPWorker? { unsafe loop?.worker }

    /// Takes the connection from libmicrohttpd until it is resumed. In a call for it only.
    func suspend() {
        unsafe loop?.suspend(self)
    }

    /// Ends the connection for both sides: libmicrohttpd notices even while it waits for the client to read.
    func shutDown() {
        if let entry { shutdown(entry.socket, Int32(SHUT_RDWR)) }
    }

    /// Limits the unread bytes of the client that the system holds.
    func limitUnread(to bytes: Int32) {
        guard let entry else { return }
        var bytes = bytes
        _ = unsafe setsockopt(entry.socket, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Charges bytes to an allowance for as long as the request is under way.
    func hold(_ bytes: Int, of allowance: HTTPAllowance) {
        allowance.use(bytes)
        held = (bytes, allowance)
    }

    /// Tells other threads what the connection is doing.
    func advance(to phase: Progress.Phase) {
        guard let entry else { return }
        var progress = entry.progress.load(ordering: .relaxed)
        progress.advance(to: phase)
        entry.progress.store(progress, ordering: .relaxed)
    }

    /// Passes a part of the body on. A streamed body may be large: its deadline begins anew after each
    /// ``minimumProgress``.
    func stream(_ part: [UInt8], to receiver: any HTTPBodyReceiver) {
        receiver.receive(part)
        streamedSize += part.count
        guard streamedSize >= Self.minimumProgress else { return }
        streamedSize = 0
        timeout.restart()
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
        if let reader {
            reader.end()
            self.reader = nil
        }
        if let held {
            held.allowance.use(-held.bytes)
            self.held = nil
        }
        advance(to: .waiting)
    }
}
