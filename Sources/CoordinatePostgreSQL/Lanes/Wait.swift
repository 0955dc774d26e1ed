internal import Synchronization

/// The time for which a thread has been waiting for a server.
final class Wait: Sendable {
    /// In nanoseconds of the clock that never jumps, since ``origin``; 0 where it does not wait.
    private let start = Atomic(0)
    /// When it came to a rest without having been answered.
    private let pauseTime = Atomic(0)
    private let origin = ContinuousClock.now

    /// How long those who wait bear it.
    private static let patience = 1_750_000_000

    private var now: Int {
        Int(origin.duration(to: .now) / .nanoseconds(1)) + 1
    }

    /// Begins to wait. A wait that paused goes on, unless there was nobody meanwhile who waited with it.
    func begin() {
        let now = now
        let isNew = start.load(ordering: .relaxed) == 0 || now - pauseTime.load(ordering: .relaxed) > 10_000_000
        if isNew { start.store(now, ordering: .relaxed) }
        pauseTime.store(.max / 2, ordering: .relaxed)
    }

    /// Ends a wait, or lets it pause where there was no answer.
    func end(isAnswered: Bool) {
        if isAnswered {
            start.store(0, ordering: .relaxed)
        } else {
            pauseTime.store(now, ordering: .relaxed)
        }
    }

    var isWaiting: Bool { start.load(ordering: .relaxed) != 0 }

    var isOverdue: Bool {
        let start = start.load(ordering: .relaxed)
        return start != 0 && now - start > Self.patience
    }
}
