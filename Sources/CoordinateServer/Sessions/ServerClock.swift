internal import Dispatch
internal import Foundation

/// The time, as the server needs it: one that never jumps for expiry, and the calendar's for the documents.
///
/// Tests make one of their own, over a value they move.
struct ServerClock: Sendable {
    /// Seconds that pass evenly, from no particular beginning.
    let uptime: @Sendable () -> Int
    /// The moment on the calendar.
    let timestamp: @Sendable () -> Timestamp

    static let system = ServerClock(
        uptime: { Int(DispatchTime.now().uptimeNanoseconds / 1_000_000_000) },
        timestamp: { Timestamp(seconds: Int(Date().timeIntervalSince1970)) }
    )
}
