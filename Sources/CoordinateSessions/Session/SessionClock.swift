package import Coordinate
internal import Dispatch
internal import Foundation

/// The clocks that sessions need: one that never jumps for expiry, and the calendar for documents.
///
/// Tests make their own, with times that they move.
package struct SessionClock: Sendable {
    /// Seconds that pass evenly, from no particular beginning.
    package let uptime: @Sendable () -> Int
    /// The moment on the calendar.
    package let timestamp: @Sendable () -> Timestamp
    /// The difference between the two at the beginning, in seconds.
    private let beginning: Int

    package init(uptime: @escaping @Sendable () -> Int, timestamp: @escaping @Sendable () -> Timestamp) {
        self.uptime = uptime
        self.timestamp = timestamp
        beginning = timestamp().seconds - uptime()
    }

    /// The moment at an uptime, on a calendar that is not corrected while the process lives.
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
