internal import Synchronization

/// Somebody who wants to know what the app is doing on which thread: one that traps ends the process, and one that does not
/// come to an end keeps its thread.
///
/// It is told by the thread itself, with each turn and each picture of a tree, and has to be quick. They are not nested.
package protocol TurnWatch: Sendable {
    /// The app is about to run on this thread.
    func turnBegins(_ turn: WatchedTurn)
    func turnEnds()

    /// This thread's number.
    var thread: UInt64 { get }
    /// Whether the app has kept a thread for so long that nobody should wait for it.
    func isStuck(_ thread: UInt64) -> Bool
}

/// Something that the app is run for.
package struct WatchedTurn: Sendable {
    /// The event's name, or what else it is: no part of it comes from a client.
    package let event: String
    /// The version that this leads to.
    package let version: Int
    /// Whether this version was made before: it is made once more, or shown.
    package let isRepeated: Bool
    /// Whose it is; nil for a tree of no session in the journal.
    package let session: SessionID?

    static let start = "(start)"
    static let picture = "(picture)"
}

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
