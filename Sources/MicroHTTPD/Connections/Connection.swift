internal import Glibc
internal import Synchronization

/// The worker's record of a client's connection and of the request on it.
///
/// There is one per connection, not one per request, so a request without query and body allocates nothing. Only the
/// worker's event loop uses it, from the connection's first notification to its last.
///
/// Each property access is a plain load or store. The compiler then knows that accesses do not overlap, and does not
/// check that at run time (https://www.swift.org/blog/swift-5-exclusivity).
@safe final class Connection {
    /// The progress of libmicrohttpd's calls for one request.
    enum Stage {
        /// Before the first call of the access handler.
        case fresh
        /// The header is well-formed. The body is being collected.
        case collecting
        /// The header is well-formed. The body goes to a receiver.
        case streaming(any HTTPBodyReceiver)
        /// The connection is suspended until the answer is ready.
        case parked(PendingAnswer)
        /// The connection was resumed, or is about to be, for this answer.
        case answered(HTTPResponse)
        /// The answer is a stream, which is written piece by piece.
        case sending(HTTPStream)
        /// The body is being discarded before the request is answered.
        case discarding(HTTPResponse)
        /// The client left while its request was parked. The connection must be closed.
        case abandoned
    }

    var stage = Stage.fresh
    /// The length of the request's target up to its first NUL, as libmicrohttpd passed it on.
    var targetLength = 0
    /// The path within the target.
    var pathRange = 0..<0
    var query: [UInt8]?
    /// A bit per header name length. Most missing headers are recognized by it without a search.
    var nameLengths: UInt64 = 0
    var body: [UInt8] = []
    /// The headers that occurred more than once although they may occur only once.
    var repeatedHeaders: [String] = []
    /// The fields that the handler adds to any response to this request.
    var answerHeaders: HTTPFields = [:]
    /// The conversion of any response to this request; `nil` for none.
    var answerConversion: (@Sendable (HTTPResponse) -> HTTPResponse)?
    /// The object that the handler keeps for this request; `nil` for none.
    var context: (any AnyObject & Sendable)?
    /// The caller that waits for the response to a request without a socket.
    var local: LocalExchange?
    /// The bytes charged for the body, and the quota charged.
    private var held: (bytes: Int, quota: MemoryQuota)?
    /// The reader of a large response that is sent whole; `nil` for any other response.
    var reader: WholeResponseReader?
    /// The account for the memory of connections themselves, and the part charged to it.
    private let ownMemory: MemoryQuota?
    private var ownSize = 0
    /// The memory of a connection before its first request, in bytes: two buffer pages and its records.
    private static let idleSize = 12 * 1024
    /// The memory of a connection that has had a request: its whole buffer has been written.
    private static let usedSize = HTTPServerConfiguration.connectionSize
    /// The bytes of a streamed body received since the deadline began.
    private var streamedSize = 0
    /// The progress of a body in chunks; `nil` for any other body.
    var chunks: ChunkedBody?
    /// Whether libmicrohttpd ignores the connection until it is resumed.
    var isSuspended = false
    /// Whether the connection is about to be resumed.
    var isReady = false

    /// The least bytes of a streamed body per deadline. Slower clients are disconnected.
    static let minimumProgress = 256 * 1024

    var timeout = ConnectionTimeout()
    /// The part that other threads see; `nil` for a request without a socket.
    let entry: ConnectionEntry?
    /// The connection of libmicrohttpd; `nil` for a request without a socket.
    let raw: OpaquePointer?
    /// The loop that serves the connection and outlives it.
    private unowned(unsafe) let loop: EventLoop?
    /// The address of the client, or of the proxy in front of the server.
    let peer: IPAddress
    /// The record of the request; `nil` if none is kept.
    let record: ExchangeRecord?

    init(
        _ entry: ConnectionEntry, raw: OpaquePointer, in loop: EventLoop, isObserved: Bool,
        chargedTo memory: MemoryQuota?
    ) {
        self.entry = entry
        ownMemory = memory
        unsafe self.raw = unsafe raw
        unsafe self.loop = loop
        peer = entry.peer
        record = isObserved ? ExchangeRecord() : nil
        charge(Self.idleSize)
    }

    /// Creates the connection of a request without a socket.
    init(from peer: IPAddress) {
        self.peer = peer
        ownMemory = nil
        entry = nil
        unsafe raw = nil
        unsafe loop = nil
        record = nil
    }

    deinit {
        held.map { $0.quota.use(-$0.bytes) }
        reader?.end()
        charge(0)
    }

    private func charge(_ size: Int) {
        ownMemory?.use(size - ownSize)
        ownSize = size
    }

    /// Records the beginning of a request.
    func begin() {
        advance(to: .receiving)
        if ownSize < Self.usedSize, ownMemory != nil { charge(Self.usedSize) }
    }

    /// The number of the connection; 0 for a request without a socket.
    var id: ConnectionID { entry?.id ?? 0 }

    var socket: Int32 { entry?.socket ?? -1 }

    /// Whether the connection has no regular place. It gets one answer, which is a refusal except for a probe.
    var isOnReserve: Bool { entry?.isOnReserve ?? false }

    /// The worker that serves the connection; `nil` for a request without a socket.
    var worker: HTTPWorker? { unsafe loop?.worker }

    /// Suspends the connection in libmicrohttpd until it is resumed. Call it only within a callback for the connection.
    func suspend() {
        unsafe loop?.suspend(self)
    }

    /// Sends a response that libmicrohttpd does not know, and ends the connection. Nothing else must have been sent
    /// since the last response.
    func end(with response: HTTPResponse) {
        var head = "HTTP/1.1 \(response.status)\r\nDate: \(Self.date())\r\n"
        for field in response.headers { head += "\(field.name.rawName): \(field.value)\r\n" }
        head += "Content-Length: \(response.body.count)\r\nConnection: close\r\n\r\n"
        let bytes = Array(head.utf8) + response.body.bytes
        stage = .abandoned
        record?.add(response, method: nil, to: peer)
        _ = unsafe send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        shutDown()
    }

    /// The current time as a header has it (RFC 9110, section 5.6.7).
    private static func date() -> String {
        var now = time(nil)
        var parts = unsafe tm()
        unsafe gmtime_r(&now, &parts)
        return unsafe String(unsafeUninitializedCapacity: 64) { text in
            unsafe text.withMemoryRebound(to: CChar.self) {
                unsafe strftime($0.baseAddress, 64, "%a, %d %b %Y %T GMT", &parts)
            }
        }
    }

    /// Closes both directions of the connection. libmicrohttpd notices this even while it waits for the client to read.
    func shutDown() {
        if let entry { shutdown(entry.socket, Int32(SHUT_RDWR)) }
    }

    /// Limits the system's buffer of data that the client has not read.
    func limitUnread(to bytes: Int32) {
        guard let entry else { return }
        var bytes = bytes
        _ = unsafe setsockopt(entry.socket, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The bytes charged for the body.
    var heldSize: Int { held?.bytes ?? 0 }

    /// Charges more bytes to a quota until the request ends.
    func hold(_ bytes: Int, of quota: MemoryQuota) {
        quota.use(bytes)
        held = (heldSize + bytes, quota)
    }

    /// Whether the request is arriving.
    var isReceiving: Bool { entry?.progress.load(ordering: .relaxed).phase == .receiving }

    /// Publishes the connection's phase to other threads.
    func advance(to phase: Progress.Phase) {
        guard let entry else { return }
        var progress = entry.progress.load(ordering: .relaxed)
        progress.advance(to: phase)
        entry.progress.store(progress, ordering: .relaxed)
    }

    /// Passes a part of the body to its receiver. A streamed body may be large, so its deadline restarts after each
    /// ``minimumProgress``.
    func stream(_ part: [UInt8], to receiver: any HTTPBodyReceiver) {
        receiver.receive(part)
        streamedSize += part.count
        guard streamedSize >= Self.minimumProgress else { return }
        streamedSize = 0
        timeout.restart()
    }

    /// Reserves space for a body.
    func reserve(_ bytes: Int) {
        var empty: [UInt8] = []
        empty.reserveCapacity(bytes)
        body = empty
    }

    /// Adds a part to the body.
    func collect(_ part: UnsafeRawBufferPointer) {
        var collected = body
        // Releases the connection's reference, so that the array is not copied.
        body = []
        unsafe collected.append(contentsOf: part)
        body = collected
    }

    /// Clears the finished request.
    func reset() {
        if case .sending(let stream) = stage { stream.finish() }
        stage = .fresh
        streamedSize = 0
        if chunks != nil { chunks = nil }
        nameLengths = 0
        query = nil
        if body.capacity > 0 { body = [] }
        if !repeatedHeaders.isEmpty { repeatedHeaders = [] }
        if !answerHeaders.isEmpty { answerHeaders = [:] }
        if answerConversion != nil { answerConversion = nil }
        if context != nil { context = nil }
        if let reader {
            reader.end()
            self.reader = nil
        }
        if let held {
            held.quota.use(-held.bytes)
            self.held = nil
        }
        entry?.lastUse.store(ConnectionTable.now, ordering: .relaxed)
        advance(to: .waiting)
    }
}

/// The progress of a body in chunks, whose length is not known before its end.
struct ChunkedBody {
    /// The bytes received.
    var count = 0
    /// The largest body, in bytes.
    var limit: Int
    /// The reason why the rest of the body is discarded; `nil` while the body is kept.
    var refusal: HTTPRefusal.Reason?

    /// The bytes over the limit after which a client is disconnected without an answer. libmicrohttpd accepts an answer
    /// only at the end of the body.
    static let longestDiscarded = 16 * 1024 * 1024
}
