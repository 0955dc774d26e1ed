public import Coordinate

/// The part of an app's graph that recorded sessions have seen.
public struct Coverage: Sendable {
    /// The number that was seen, and the total.
    public struct Share: Equatable, Sendable {
        public let seen: Int
        public let of: Int
    }

    /// An event of a session that the graph does not contain, at its first occurrence.
    public struct Stray: Sendable {
        /// The name of the session's journal.
        public let journal: String
        /// The session's version after the event.
        public let version: Int
        /// The keys of the states before and after the event.
        public let from: String
        public let to: String
        public let event: String
        public let payload: PlainValue
    }

    /// The number of times that each state was entered, by its id: at the start of a session, or by an event.
    public let stateUses: [Int]
    /// The number of times that each transition was used, by its position.
    public let transitionUses: [Int]
    public let states: Share
    public let transitions: Share
    /// The ids of the states that no session reached.
    public let missedStates: [Int]
    /// The positions of the transitions that no session used.
    public let missedTransitions: [Int]
    public let outside: [Stray]

    enum Missed {
        case state(Int)
        case transition(Int)
    }

    var missed: [Missed] {
        missedStates.map(Missed.state) + missedTransitions.map(Missed.transition)
    }
}
