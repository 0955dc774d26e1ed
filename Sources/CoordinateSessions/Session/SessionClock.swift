package import Coordinate
internal import Dispatch
internal import Foundation

/// The time, as sessions need it: one that never jumps for expiry, and the calendar's for the documents.
///
/// Tests make one of their own, over a value they move.
package struct SessionClock: Sendable {
    /// Seconds that pass evenly, from no particular beginning.
    package let uptime: @Sendable () -> Int
    /// The moment on the calendar.
    package let timestamp: @Sendable () -> Timestamp
    /// What the calendar said at the beginning.
    private let beginning: Int

    package init(uptime: @escaping @Sendable () -> Int, timestamp: @escaping @Sendable () -> Timestamp) {
        self.uptime = uptime
        self.timestamp = timestamp
        beginning = timestamp().seconds - uptime()
    }

    /// When the uptime is so much, on a calendar that nobody corrects while the process lives.
    func moment(at uptime: Int) -> Timestamp {
        Timestamp(seconds: beginning.addingReportingOverflow(uptime).partialValue)
    }

    /// The uptime at a moment on that calendar.
    func uptime(at moment: Timestamp) -> Int {
        moment.seconds.subtractingReportingOverflow(beginning).partialValue
    }

    package static let system = SessionClock(
        uptime: { Int(DispatchTime.now().uptimeNanoseconds / 1_000_000_000) },
        timestamp: { Timestamp(seconds: Int(Date().timeIntervalSince1970)) }
    )
}
