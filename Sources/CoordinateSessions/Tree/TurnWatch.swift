internal import Synchronization

/// A watch that knows which app code runs on which thread. Code that traps crashes the process, and code that does not
/// return blocks its thread.
///
/// The thread itself calls it, for each turn and each reading of a tree's state, so it must be quick. The calls are not
/// nested.
package protocol TurnWatch: AnyObject, Sendable {
    /// The app is about to run on this thread.
    func turnBegins(_ turn: WatchedTurn)
    func turnEnds()

    /// The number of this thread.
    var thread: UInt64 { get }
    /// Whether the app has blocked a thread for so long that no other thread should wait for it.
    func isStuck(_ thread: UInt64) -> Bool
}

/// A run of the app's code.
package struct WatchedTurn: Sendable {
    /// The event's name, or another reason in parentheses. No part of it comes from a client.
    package let event: String
    /// The version to which it leads.
    package let version: Int
    /// Whether this version existed before: its event is replayed, or its route encoded.
    package let isRepeated: Bool
    /// The session; `nil` if the tree belongs to no session of the journal.
    package let session: SessionID?

    static let start = "(start)"
    static let picture = "(picture)"
}

/// The number of turns of events that an app ran, and their total time. Starts and replays do not count.
package final class TurnTimes: Sendable {
    private let turns = Atomic(0)
    private let nanoseconds = Atomic<UInt64>(0)

    package var count: Int { turns.load(ordering: .relaxed) }
    /// The total time, in seconds.
    package var sum: Double { Double(nanoseconds.load(ordering: .relaxed)) / 1e9 }

    /// - Parameter time: In nanoseconds.
    func record(_ time: UInt64) {
        turns.wrappingAdd(1, ordering: .relaxed)
        nanoseconds.wrappingAdd(time, ordering: .relaxed)
    }
}
