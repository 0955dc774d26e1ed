public import Coordinate

/// An event to inject into a session, with its conditions. It is a class since it is passed on often, and a reference
/// is cheap.
package final class EventInjection: Sendable {
    package let event: EventRequest
    /// The condition on the session's version.
    package let condition: VersionCondition
    /// The key that identifies a repetition of the request: the repetition gets the same outcome, and nothing is done.
    package let retry: Retry?
    /// Whether the outcome should contain the route.
    package let wantsRoute: Bool
    /// Whether the screen must offer the event, unless it is a link.
    package let isBoundToScreen: Bool

    package init(
        _ event: EventRequest, if condition: VersionCondition = .none, retry: Retry? = nil, wantsRoute: Bool,
        isBoundToScreen: Bool = false
    ) {
        self.event = event
        self.condition = condition
        self.retry = retry
        self.wantsRoute = wantsRoute
        self.isBoundToScreen = isBoundToScreen
    }

    /// Whether it is the event of a timer.
    var isTimer: Bool { event.origin == .timer }

    /// A hash of its content; `nil` if the event has secrets, which its payload lacks.
    var fingerprint: Int? {
        guard event.event == nil else { return nil }
        var hasher = Hasher()
        hasher.combine(event.name)
        hasher.combine(event.payload)
        hasher.combine(event.at)
        hasher.combine(event.pending)
        hasher.combine(retry?.key)
        return hasher.finalize()
    }
}

/// An event that was accepted, and is not committed yet.
final class EventUnderWay: Sendable {
    let turn: Turn
    /// Its entry for the journal.
    let entry: JournalEntry

    init(_ turn: Turn, _ entry: consuming JournalEntry) {
        self.turn = turn
        self.entry = entry
    }
}

/// A condition on a session's version that must hold before something is done.
package struct VersionCondition: Equatable, Sendable {
    /// A set of versions: some, or all.
    package enum Versions: Equatable, Sendable {
        case any
        case some([Int])

        package func contains(_ version: Int) -> Bool {
            switch self {
            case .any: true
            case .some(let versions): versions.contains(version)
            }
        }
    }

    /// The versions of which it must be one; `nil` for no such condition.
    package var isOneOf: Versions?
    /// The versions of which it must be none; `nil` for no such condition.
    package var isNoneOf: Versions?

    package init(isOneOf: Versions? = nil, isNoneOf: Versions? = nil) {
        self.isOneOf = isOneOf
        self.isNoneOf = isNoneOf
    }

    /// No condition.
    package static let none = VersionCondition()

    package func allows(_ version: Int) -> Bool {
        isOneOf?.contains(version) != false && isNoneOf?.contains(version) != true
    }
}

/// The outcome of an event that a session accepted. It is a class since it is passed on often, and a reference is
/// cheap.
public final class EventOutcome: Sendable {
    /// The session's version after the event.
    public let version: Int
    package let turn: Turn
    /// The path after the event.
    public let path: String
    /// The id of the visible leaf after the event.
    public let leaf: String
    /// The route, if the request wanted it.
    package let route: (any EncodedRoute)?
    /// How long the turn took, in nanoseconds; `nil` for one that was replayed.
    package let turnTime: UInt64?

    init(
        version: Int, turn: Turn, path: String, leaf: String, route: (any EncodedRoute)?, turnTime: UInt64? = nil
    ) {
        self.version = version
        self.turn = turn
        self.path = path
        self.leaf = leaf
        self.route = route
        self.turnTime = turnTime
    }

    /// The coordinators that the event visited, and the one that handled it.
    public var dispatch: Dispatch { turn.dispatch }
}
