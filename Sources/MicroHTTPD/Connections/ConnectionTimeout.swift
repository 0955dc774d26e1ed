internal import CMicroHTTPD
internal import Glibc

/// The time-out of one connection: since when its request has been coming in, or its response been read, without an end.
///
/// The bytes of an unfinished request line or header reach none of libmicrohttpd's callbacks, and each of them starts
/// its time-out anew. So the kernel is asked whether any have arrived.
struct ConnectionTimeout {
    /// Nil once the connection is closed: its number may be another's by then.
    private var socket: Int32?
    private var seen = Progress()
    private var bytesBefore: UInt64 = 0
    /// When that progress was first seen.
    private var seenSince = ContinuousClock.now
    /// When the request that is coming in was first seen to.
    private var begin: ContinuousClock.Instant?
    /// Since when something has been waiting for the client to read it, and what it had taken by then, in bytes.
    private var reading: (begin: ContinuousClock.Instant, taken: UInt64)?
    /// A client that takes less than this in a deadline, in bytes, though there is more for it, is not waited for.
    private static let leastRead: UInt64 = 64 * 1024
    /// Whether the client had left, within a request, when it was looked at last.
    private var hadLeft = false

    init(socket: Int32?) {
        self.socket = socket
    }

    /// To be called before the socket is closed.
    mutating func forgetSocket() {
        socket = nil
    }

    /// Ends the connection for both sides: libmicrohttpd notices even while it waits for the client to read.
    ///
    /// - Returns: false where there is none any more.
    @discardableResult
    func shutDown() -> Bool {
        guard let socket else { return false }
        return shutdown(socket, Int32(SHUT_RDWR)) == 0
    }

    /// Since when it has been between two requests, as far as was looked; nil where a request has begun.
    func idleSince(_ progress: Progress) -> ContinuousClock.Instant? {
        guard let socket, progress.phase == .waiting, begin == nil else { return nil }
        if progress != seen { return .now }
        // What has come may not be worked on yet.
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0 ? nil : seenSince
    }

    /// Sends some last bytes, as far as they can be sent at once, and nothing after them.
    func end(with bytes: [UInt8]) {
        guard let socket else { return }
        unsafe send(socket, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        shutdown(socket, Int32(SHUT_WR))
        // A socket that is closed with something unread in it may take back what it has sent.
        var rest = [UInt8](repeating: 0, count: 16_384)
        for _ in 0..<4 where unsafe recv(socket, &rest, rest.count, Int32(MSG_DONTWAIT)) < rest.count { return }
    }

    /// Lets the deadline begin anew: enough of a large body has come in.
    mutating func restart() {
        begin = nil
    }

    /// Closes the connection if its request has been coming in for longer than the deadline, or no more of it can come:
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

    /// Closes the connection if its client reads too slowly. Who has nothing to read has all the time there is.
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

    /// Whether all that the client will ever send has been read.
    private func isAtEnd(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }
}
