internal import CEventLoop
internal import Glibc

/// The time-out of one connection, for requests that come in too slowly, and responses that are read too slowly.
///
/// The bytes of an unfinished request line or header reach none of libmicrohttpd's callbacks, and each of them restarts
/// its own time-out. So this asks the kernel whether any have arrived.
struct ConnectionTimeout {
    private var seen = Progress()
    private var bytesBefore: UInt64 = 0
    /// The time at which the incoming request was first seen.
    private var begin: ContinuousClock.Instant?
    /// The time since which data has waited for the client to read it, and the bytes that it had read by then.
    private var reading: (begin: ContinuousClock.Instant, taken: UInt64)?
    /// The least bytes that a client has to read in a deadline, if more is waiting for it.
    private static let leastRead: UInt64 = 64 * 1024
    /// Whether the client had closed its side, with no answer on its way, at the last check.
    private var hadLeft = false

    /// Restarts the deadline: enough of a large body has come in.
    mutating func restart() {
        begin = nil
    }

    /// Whether the connection should be closed: its request has been coming in for longer than the deadline, or cannot be
    /// completed, or its client reads too slowly, or sends no more requests. libmicrohttpd may miss the end of what a client
    /// sends, if it comes right after other bytes.
    mutating func isOver(
        _ progress: Progress, of socket: Int32, now: ContinuousClock.Instant, deadline: Duration
    ) -> Bool {
        if progress.request != seen.request {
            begin = nil
            bytesBefore = cloop_bytes_received(socket)
        }
        seen = progress
        switch progress.phase {
        case .answering, .sending:
            begin = nil
            if readsTooSlowly(socket, now: now, deadline: deadline) { return true }
        case .receiving:
            begin = begin ?? now
            reading = nil
        case .waiting:
            reading = nil
            if begin == nil && cloop_bytes_received(socket) != bytesBefore { begin = now }
        }
        let hasLeft = [.receiving, .waiting].contains(progress.phase) && Self.isAtEnd(socket)
        defer { hadLeft = hasLeft }
        // Twice in a row: the last part may be just being worked on.
        return hasLeft && hadLeft || begin.map { now - $0 >= deadline } ?? false
    }

    /// Whether a client reads too slowly. A client with nothing to read is not limited.
    private mutating func readsTooSlowly(
        _ socket: Int32, now: ContinuousClock.Instant, deadline: Duration
    ) -> Bool {
        let sending = cloop_sending(socket)
        guard sending.is_waiting != 0 else {
            reading = nil
            return false
        }
        guard let reading, sending.acknowledged - reading.taken < Self.leastRead else {
            reading = (now, sending.acknowledged)
            return false
        }
        return now - reading.begin >= deadline
    }

    /// Whether everything that the client will ever send has been read.
    private static func isAtEnd(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }
}
