internal import CMicroHTTPD
internal import Glibc

/// The time-out of one connection, for requests that come in too slowly, and responses that are read too slowly.
///
/// The bytes of an unfinished request line or header reach none of libmicrohttpd's callbacks, and each of them restarts
/// its own time-out. So this asks the kernel whether any have arrived.
struct ConnectionTimeout {
    /// Nil once the connection is closed: its number may belong to another one by then.
    private var socket: Int32?
    private var seen = Progress()
    private var bytesBefore: UInt64 = 0
    /// The time at which that progress was first seen.
    private var seenSince = ContinuousClock.now
    /// The time at which the incoming request was first seen.
    private var begin: ContinuousClock.Instant?
    /// The time since which data has waited for the client to read it, and the bytes that it had read by then.
    private var reading: (begin: ContinuousClock.Instant, taken: UInt64)?
    /// The least bytes that a client has to read in a deadline, where more is waiting for it.
    private static let leastRead: UInt64 = 64 * 1024
    /// True where the client had left within a request at the last check.
    private var hadLeft = false

    init(socket: Int32?) {
        self.socket = socket
    }

    /// Forgets the socket. Call it before the socket is closed.
    mutating func forgetSocket() {
        socket = nil
    }

    /// Ends the connection for both sides: libmicrohttpd notices even while it waits for the client to read.
    ///
    /// - Returns: False where the connection is closed already.
    @discardableResult
    func shutDown() -> Bool {
        guard let socket else { return false }
        return shutdown(socket, Int32(SHUT_RDWR)) == 0
    }

    /// The time since which it has been between two requests, as far as is known; nil where a request has begun.
    func idleSince(_ progress: Progress) -> ContinuousClock.Instant? {
        guard let socket, progress.phase == .waiting, begin == nil else { return nil }
        if progress != seen { return .now }
        // A request may have arrived that is not worked on yet.
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0 ? nil : seenSince
    }

    /// Sends last bytes, as many as can be sent at once, and nothing after them.
    func end(with bytes: [UInt8]) {
        guard let socket else { return }
        unsafe send(socket, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        shutdown(socket, Int32(SHUT_WR))
        // A socket that is closed with something unread in it may take back what it has sent.
        var rest = [UInt8](repeating: 0, count: 16_384)
        for _ in 0..<4 where unsafe recv(socket, &rest, rest.count, Int32(MSG_DONTWAIT)) < rest.count { return }
    }

    /// Restarts the deadline: enough of a large body has come in.
    mutating func restart() {
        begin = nil
    }

    /// Closes the connection if its request has been coming in for longer than the deadline, or cannot be completed:
    /// libmicrohttpd may miss that a client left in the middle of a body.
    mutating func check(_ progress: Progress, now: ContinuousClock.Instant, deadline: Duration) {
        guard let socket else { return }
        if progress != seen { seenSince = now }
        if progress.request != seen.request {
            begin = nil
            bytesBefore = cmhd_bytes_received(socket)
        }
        seen = progress
        switch progress.phase {
        case .answering, .sending:
            begin = nil
            checkReading(socket, now: now, deadline: deadline)
        case .receiving:
            begin = begin ?? now
            reading = nil
        case .waiting:
            reading = nil
            if begin == nil && cmhd_bytes_received(socket) != bytesBefore { begin = now }
        }
        let hasLeft = progress.phase == .receiving && isAtEnd(socket)
        defer { hadLeft = hasLeft }
        // Twice in a row: the last part may be just being worked on.
        if hasLeft && hadLeft {
            shutDown()
        } else if let begin, now - begin >= deadline {
            shutDown()
        }
    }

    /// Closes the connection if its client reads too slowly. A client with nothing to read is not limited.
    private mutating func checkReading(_ socket: Int32, now: ContinuousClock.Instant, deadline: Duration) {
        let sending = cmhd_sending(socket)
        guard sending.is_waiting != 0 else {
            reading = nil
            return
        }
        guard let reading, sending.taken - reading.taken < Self.leastRead else {
            reading = (now, sending.taken)
            return
        }
        if now - reading.begin >= deadline { shutDown() }
    }

    /// True where everything that the client will ever send has been read.
    private func isAtEnd(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }
}
