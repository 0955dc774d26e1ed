internal import Synchronization

/// The time for which a thread has been waiting for a server.
final class Wait: Sendable {
    /// The start of the wait, in nanoseconds since ``origin`` by the monotonic clock; 0 if the thread does not wait.
    private let start = Atomic(0)
    /// The moment at which the thread last stopped waiting without a result, in nanoseconds since ``origin``.
    private let pauseTime = Atomic(0)
    private let origin = ContinuousClock.now

    /// The time, in nanoseconds, after which the waiting jobs are refused.
    private static let patience = 1_750_000_000

    private var now: Int {
        Int(origin.duration(to: .now) / .nanoseconds(1)) + 1
    }

    /// Begins a wait. A wait that paused for at most 10 ms continues; in a longer pause, no job was waiting.
    func begin() {
        let now = now
        let isNew = start.load(ordering: .relaxed) == 0 || now - pauseTime.load(ordering: .relaxed) > 10_000_000
        if isNew { start.store(now, ordering: .relaxed) }
        pauseTime.store(.max / 2, ordering: .relaxed)
    }

    /// Ends a wait, or pauses it if there was no result.
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
