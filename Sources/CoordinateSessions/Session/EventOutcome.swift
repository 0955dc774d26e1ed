public import Coordinate

/// The outcome of an event that was taken. It is handed on from place to place, which costs no more than a reference.
public final class EventOutcome: Sendable {
    /// The session's version with it.
    public let version: Int
    package let turn: Turn
    /// The path after it.
    public let path: String
    /// The id of the visible leaf after it.
    public let leaf: String
    /// The route, where it was asked for.
    package let route: (any EncodedRoute)?

    init(version: Int, turn: Turn, path: String, leaf: String, route: (any EncodedRoute)?) {
        self.version = version
        self.turn = turn
        self.path = path
        self.leaf = leaf
        self.route = route
    }

    /// The coordinators it visited, and who handled it.
    public var dispatch: Dispatch { turn.dispatch }
}
