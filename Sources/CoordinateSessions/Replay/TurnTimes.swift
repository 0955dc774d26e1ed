internal import Synchronization

/// The number of turns of events that an app took, and the time it was at work in them. Starts and replays do not count.
package final class TurnTimes: Sendable {
    private let turns = Atomic(0)
    private let nanoseconds = Atomic<Int64>(0)

    package var count: Int { turns.load(ordering: .relaxed) }
    /// In seconds, over all.
    package var sum: Double { Double(nanoseconds.load(ordering: .relaxed)) / 1e9 }

    func note(_ time: Duration) {
        turns.wrappingAdd(1, ordering: .relaxed)
        nanoseconds.wrappingAdd(Int64(time / .nanoseconds(1)), ordering: .relaxed)
    }
}
