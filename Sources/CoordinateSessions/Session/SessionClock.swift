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
    /// The difference between the two at an uptime of 0, in seconds.
    private let beginning: @Sendable () -> Int
    /// Whether it shows the machine's time, which a store that servers share may correct.
    private let isCorrectable: Bool

    package init(uptime: @escaping @Sendable () -> Int, timestamp: @escaping @Sendable () -> Timestamp) {
        self.init(uptime: uptime, timestamp: timestamp, isCorrectable: false)
    }

    private init(
        uptime: @escaping @Sendable () -> Int, timestamp: @escaping @Sendable () -> Timestamp, isCorrectable: Bool
    ) {
        self.uptime = uptime
        self.timestamp = timestamp
        self.isCorrectable = isCorrectable
        let beginning = timestamp().seconds - uptime()
        self.beginning = { beginning }
    }

    /// A clock that is ahead of this one by a changing number of seconds.
    private init(_ clock: SessionClock, aheadBy offset: @escaping @Sendable () -> Int) {
        uptime = clock.uptime
        timestamp = { Timestamp(seconds: clock.timestamp().seconds + offset()) }
        isCorrectable = false
        beginning = { clock.timestamp().seconds + offset() - clock.uptime() }
    }

    /// The moment at an uptime. The calendar of a machine is not corrected for it while the process lives; that of a store
    /// is.
    func moment(at uptime: Int) -> Timestamp {
        Timestamp(seconds: beginning().addingReportingOverflow(uptime).partialValue)
    }

    /// The uptime at a moment.
    func uptime(at moment: Timestamp) -> Int {
        moment.seconds.subtractingReportingOverflow(beginning()).partialValue
    }

    /// The clock of a journal that servers share, so that all of them agree; this clock for any other journal, and in
    /// tests with a clock of their own.
    func following(_ journal: any Journal) -> SessionClock {
        guard journal.isShared, isCorrectable else { return self }
        return SessionClock(self, aheadBy: { journal.clockOffset })
    }

    package static let system = machine(aheadBy: 0)

    /// The clock of this machine, set wrong by some seconds.
    package static func machine(aheadBy error: Int) -> SessionClock {
        SessionClock(
            uptime: { Int(DispatchTime.now().uptimeNanoseconds / 1_000_000_000) },
            timestamp: { Timestamp(seconds: Int(Date().timeIntervalSince1970) + error) }, isCorrectable: true)
    }
}
