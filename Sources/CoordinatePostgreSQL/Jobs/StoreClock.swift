internal import Foundation
internal import Logging
internal import Synchronization

/// PostgreSQL's clock, compared with this machine's clock now and then. Servers that share a journal use it: leases expire
/// by PostgreSQL's clock, and expiry and due work use the earlier of the two.
final class StoreClock: Sendable {
    private struct State {
        /// The milliseconds by which PostgreSQL's clock is ahead.
        var offset = 0
        var nextComparison = ContinuousClock.now
        var hasWarned = false
    }

    private let logger: Logger
    /// The seconds by which a test sets the machine's clock ahead.
    private let error: Int
    private let state = Mutex(State())

    /// The time from one comparison to the next.
    private static let period = Duration.seconds(5)
    /// The longest time that a comparison may take to be valid.
    private static let precision = Duration.milliseconds(500)
    /// The differences, in milliseconds, below which the clocks count as the same, and above which a warning is logged.
    private static let bounds = (same: 1_000, warning: 5_000)

    init(_ logger: Logger, machineAheadBy error: Int) {
        self.logger = logger
        self.error = error
    }

    /// The seconds by which PostgreSQL's clock is ahead of this machine's; 0 for less than one.
    var offset: Int {
        let milliseconds = state.withLock { $0.offset }
        return abs(milliseconds) < Self.bounds.same ? 0 : Int((Double(milliseconds) / 1_000).rounded())
    }

    /// Whether it is time to compare the clocks again. `true` to one caller only, which then compares them.
    func isOverdue() -> Bool {
        state.withLock { state in
            guard state.nextComparison <= .now else { return false }
            state.nextComparison = .now + Self.period
            return true
        }
    }

    /// Records PostgreSQL's time, in milliseconds.
    ///
    /// - Parameter start: The time at which it was requested.
    func record(_ time: Int, since start: ContinuousClock.Instant) {
        let now = ContinuousClock.now
        let elapsed = start.duration(to: now)
        guard elapsed < Self.precision else { return }
        let own = Int(Date().timeIntervalSince1970 * 1_000) + error * 1_000 - Int(elapsed / .milliseconds(2))
        let isNewlyWrong = state.withLock { state in
            state.offset = time - own
            state.nextComparison = now + Self.period
            let isWrong = abs(state.offset) > Self.bounds.warning
            defer { state.hasWarned = isWrong }
            return isWrong && !state.hasWarned
        }
        guard isNewlyWrong else { return }
        logger.warning(
            """
            The clock of this machine is \(abs(offset)) s \(offset < 0 ? "ahead of" : "behind") PostgreSQL's. Sessions \
            use PostgreSQL's clock. Correct this machine's clock.
            """)
    }
}
