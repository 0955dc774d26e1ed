public import Coordinate

/// Somebody who wants something of a session, until it is told.
final class SessionWork: SessionRequest, Sendable {
    enum Wish: Sendable {
        case event(EventInjection, Promise<EventOutcome, SessionError>)
        case end(VersionCondition, Promise<Void, SessionError>)
        case look(
            show: @Sendable (Session, inout Session.State) -> Delivery, refuse: @Sendable (SessionError) -> Delivery,
            for: any Awaited)
    }

    let wish: Wish
    let mark: UInt64?
    let leastVersion: Int
    let time: Int

    init(_ wish: Wish, at time: Int = 0, mark: UInt64? = nil, leastVersion: Int = 0) {
        self.wish = wish
        self.time = time
        self.mark = mark
        self.leastVersion = leastVersion
    }

    var kind: SessionRequestKind {
        switch wish {
        case .event(let injection, _): .event(injection.condition, injection.retry)
        case .end(let condition, _): .end(condition)
        case .look: .look
        }
    }

    /// Nil where there are secrets in it: the payload is without them.
    var fingerprint: Int? {
        guard case .event(let injection, _) = wish, injection.event.event == nil else { return nil }
        var hasher = Hasher()
        hasher.combine(injection.event.name)
        hasher.combine(injection.event.payload)
        hasher.combine(injection.event.at)
        hasher.combine(injection.event.pending)
        hasher.combine(injection.retry?.key)
        return hasher.finalize()
    }

    var isAwaited: Bool {
        switch wish {
        case .event(_, let promise): promise.isAwaited
        case .end(_, let promise): promise.isAwaited
        case .look(_, _, let reason): reason.isAwaited
        }
    }

    func refuse(_ error: SessionError) -> Delivery {
        switch wish {
        case .event(_, let promise): .outcome(.failure(error), promise)
        case .end(_, let promise): .call { promise.fulfil(.failure(error)) }
        case .look(_, let refuse, _): refuse(error)
        }
    }
}

/// What is to be done once nothing is locked.
enum Delivery: Sendable {
    /// Somebody is told what came of an event. So is everybody who posts one: a closure would be an allocation more.
    case outcome(Result<EventOutcome, SessionError>, Promise<EventOutcome, SessionError>)
    case call(@Sendable () -> Void)

    func deliver() {
        switch self {
        case .outcome(let result, let promise): promise.fulfil(result)
        case .call(let body): body()
        }
    }
}

/// An event on its way into a session, and how it is to be taken.
package struct EventInjection: Sendable {
    package var event: EventRequest
    /// What has to be so of the session's version.
    package var condition = VersionCondition.none
    /// How the request is known when it is repeated: then its outcome is told once more, and nothing done.
    package var retry: Retry?
    /// Whether the outcome should hold the route.
    package var wantsRoute: Bool

    package init(
        _ event: EventRequest, if condition: VersionCondition = .none, retry: Retry? = nil, wantsRoute: Bool
    ) {
        self.event = event
        self.condition = condition
        self.retry = retry
        self.wantsRoute = wantsRoute
    }
}

/// An event that was taken, and is not committed yet.
final class EventUnderWay: Sendable {
    let turn: Turn
    /// What the journal is to have of it.
    let entry: JournalEntry

    init(_ turn: Turn, _ entry: JournalEntry) {
        self.turn = turn
        self.entry = entry
    }
}

/// What has to be so of a session's version before something is done.
package struct VersionCondition: Equatable, Sendable {
    /// Some versions, or each that there is.
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

    /// It has to be one of these; nil for any.
    package var isOneOf: Versions?
    /// It has to be none of these.
    package var isNoneOf: Versions?

    package init(isOneOf: Versions? = nil, isNoneOf: Versions? = nil) {
        self.isOneOf = isOneOf
        self.isNoneOf = isNoneOf
    }

    /// Anything may be so.
    package static let none = VersionCondition()

    package func allows(_ version: Int) -> Bool {
        isOneOf?.contains(version) != false && isNoneOf?.contains(version) != true
    }
}

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
