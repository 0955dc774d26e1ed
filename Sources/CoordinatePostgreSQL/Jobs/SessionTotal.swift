internal import Synchronization

/// The number of sessions as far as this server knows: the last count, with this server's changes since.
final class SessionTotal: Sendable {
    private struct State {
        var count = 0
        var nextCount = ContinuousClock.now
    }

    private let state = Mutex(State())

    /// The least time from one count to the next, in seconds and as a multiple of the time that a count takes.
    private static let pause = (least: Duration.seconds(1), factor: 50)

    var count: Int { state.withLock { $0.count } }

    /// Records a count.
    ///
    /// - Parameter time: The time that it took.
    func record(_ count: Int, took time: Duration = .zero) {
        state.withLock { state in
            state.count = count
            state.nextCount = .now + max(Self.pause.least, time * Self.pause.factor)
        }
    }

    /// Counts sessions that this server has created or ended.
    func add(_ change: Int) {
        state.withLock { $0.count += change }
    }

    /// The limit that PostgreSQL checks when more sessions are created; `nil` if the last count is far below it.
    ///
    /// Other servers may have created sessions since the last count.
    func limit(_ limit: Int, for count: Int) -> Int64? {
        let margin = max(1_000, limit / 10)
        return self.count + count + margin <= limit ? nil : Int64(limit)
    }

    /// Whether it is time to count again. `true` to one caller only, which then counts.
    func isOverdue() -> Bool {
        state.withLock { state in
            guard state.nextCount <= .now else { return false }
            state.nextCount = .now + Self.pause.least
            return true
        }
    }
}
