internal import CEventLoop
internal import Glibc

/// The timeout of one connection, for requests that arrive too slowly and responses that are read too slowly.
///
/// Bytes of an unfinished request line or header reach none of libmicrohttpd's callbacks, and each of them restarts the
/// library's own timeout. So this checks with the kernel whether any have arrived.
struct ConnectionTimeout {
    private var seen = Progress()
    private var bytesBefore: UInt64 = 0
    /// The time at which the incoming request was first seen.
    private var begin: ContinuousClock.Instant?
    /// The time since which data has waited for the client to read it, and the bytes it had read by then.
    private var reading: (begin: ContinuousClock.Instant, taken: UInt64)?
    /// The least bytes that a client must read per deadline, if more is waiting for it.
    private static let leastRead: UInt64 = 64 * 1024
    /// Whether at the last check the client had closed its side and no answer was being sent.
    private var hadLeft = false

    /// Restarts the deadline, after enough of a large body has arrived.
    mutating func restart() {
        begin = nil
    }

    /// Whether the connection should be closed: its request exceeds the deadline or cannot be completed, or its client
    /// reads too slowly or sends no more requests. libmicrohttpd may miss the end of a client's data if it comes right
    /// after other bytes.
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
        // Requires two checks in a row, because the last part may still be in progress.
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
