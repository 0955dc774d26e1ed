package import Coordinate
internal import Dispatch
internal import Foundation

/// The clocks that sessions need: a monotonic one for expiry, the calendar for documents, and alarms for work.
///
/// Tests create their own, with times that they move.
package struct SessionClock: Sendable {
    /// Seconds that pass evenly, from an arbitrary beginning.
    package let uptime: @Sendable () -> Int
    /// The same as ``uptime``, more precisely: the time by which this server decides whether its leases are valid.
    package let instant: @Sendable () -> ContinuousClock.Instant
    /// The moment on the calendar.
    package let timestamp: @Sendable () -> Timestamp
    /// Calls a function once a delay of work has passed, unless the function that it returns was called before.
    package let alarm: Alarm
    /// The difference between the two at an uptime of 0, in seconds.
    private let beginning: @Sendable () -> Int
    /// Whether it shows the machine's time. A store that servers share may correct that.
    private let isCorrectable: Bool

    package typealias Alarm =
        @Sendable (_ delay: WorkDelay, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    /// - Parameters:
    ///   - alarm: By default the alarms pass in real time.
    ///   - instant: By default leases pass in real time.
    package init(
        uptime: @escaping @Sendable () -> Int, timestamp: @escaping @Sendable () -> Timestamp,
        alarm: @escaping Alarm = SessionClock.realAlarm,
        instant: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.init(uptime: uptime, timestamp: timestamp, alarm: alarm, instant: instant, isCorrectable: false)
    }

    private init(
        uptime: @escaping @Sendable () -> Int, timestamp: @escaping @Sendable () -> Timestamp, alarm: @escaping Alarm,
        instant: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, isCorrectable: Bool
    ) {
        self.uptime = uptime
        self.instant = instant
        self.timestamp = timestamp
        self.alarm = alarm
        self.isCorrectable = isCorrectable
        let beginning = timestamp().seconds - uptime()
        self.beginning = { beginning }
    }

    /// A clock that is ahead of this one by a changing number of seconds.
    private init(_ clock: SessionClock, aheadBy offset: @escaping @Sendable () -> Int) {
        uptime = clock.uptime
        instant = clock.instant
        timestamp = { Timestamp(seconds: clock.timestamp().seconds + offset()) }
        alarm = clock.alarm
        isCorrectable = false
        beginning = { clock.timestamp().seconds + offset() - clock.uptime() }
    }

    /// The moment at an uptime. A machine's calendar is not corrected while the process lives; a store's is.
    func moment(at uptime: Int) -> Timestamp {
        Timestamp(seconds: beginning().addingReportingOverflow(uptime).partialValue)
    }

    /// The uptime at a moment.
    func uptime(at moment: Timestamp) -> Int {
        moment.seconds.subtractingReportingOverflow(beginning()).partialValue
    }

    /// Whether a moment has come; `false` for none.
    func hasReached(_ moment: Timestamp?) -> Bool {
        guard let moment else { return false }
        return moment <= timestamp()
    }

    /// The clock of a shared journal, so that all its servers agree. For any other journal, and for a test's clock,
    /// this clock.
    func following(_ journal: any Journal) -> SessionClock {
        guard journal.isShared, isCorrectable else { return self }
        return SessionClock(self, aheadBy: { journal.clockOffset })
    }

    package static let system = machine(aheadBy: 0)

    /// The clock of this machine, set wrong by some seconds.
    package static func machine(aheadBy error: Int) -> SessionClock {
        SessionClock(
            uptime: { Int(DispatchTime.now().uptimeNanoseconds / 1_000_000_000) },
            timestamp: { Timestamp(seconds: Int(Date().timeIntervalSince1970) + error) }, alarm: realAlarm,
            isCorrectable: true)
    }

    /// An alarm that sleeps in a task of its own.
    package static let realAlarm: Alarm = { delay, action in
        let task = Task {
            guard (try? await Task.sleep(for: delay.length)) != nil else { return }
            action()
        }
        return { task.cancel() }
    }
}

/// A time that passes between the beginning of work and its outcome.
package struct WorkDelay: Sendable {
    package enum Kind: Sendable {
        /// The time after which an attempt fails.
        case timeLimit
        /// The pause before the next attempt.
        case retryPause
    }

    package let kind: Kind
    /// The name of the work.
    package let work: String
    package let length: Duration
}
