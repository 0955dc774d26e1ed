internal import Synchronization

/// The number of sessions, as far as this server knows: counted now and then, with the changes since by this server.
final class SessionTotal: Sendable {
    private struct State {
        var count = 0
        var nextCount = ContinuousClock.now
    }

    private let state = Mutex(State())

    /// The least time from one count to the next; and how many times as long as a count takes it is at least.
    private static let pause = (least: Duration.seconds(1), factor: 50)

    var count: Int { state.withLock { $0.count } }

    /// Notes a count.
    ///
    /// - Parameter time: The time that it took.
    func note(_ count: Int, took time: Duration = .zero) {
        state.withLock { state in
            state.count = count
            state.nextCount = .now + max(Self.pause.least, time * Self.pause.factor)
        }
    }

    /// Notes sessions that this server has made or ended.
    func add(_ change: Int) {
        state.withLock { $0.count += change }
    }

    /// The limit that PostgreSQL has to check as more sessions are made; nil if it is so far that it need not count them.
    ///
    /// Other servers may have made sessions since they were counted last.
    func limit(_ limit: Int, for count: Int) -> Int64? {
        let margin = max(1_000, limit / 10)
        return self.count + count + margin <= limit ? nil : Int64(limit)
    }

    /// Returns whether it is time to count again: to one caller, which then does.
    func isOverdue() -> Bool {
        state.withLock { state in
            guard state.nextCount <= .now else { return false }
            state.nextCount = .now + Self.pause.least
            return true
        }
    }
}
