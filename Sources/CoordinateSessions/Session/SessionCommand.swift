public import Coordinate
internal import Synchronization

/// A request to a session, with the promise of its result.
final class SessionCommand: SessionRequest, Sendable {
    enum Operation: Sendable {
        case event(EventInjection, Promise<EventOutcome, SessionError>)
        case end(VersionCondition, Promise<Void, SessionError>)
        case look(
            show: @Sendable (Session, inout Session.State) -> Delivery, refuse: @Sendable (SessionError) -> Delivery,
            for: any Awaited)
    }

    let operation: Operation
    /// The executor on which it begins, and its results are processed.
    let executor: any Executor
    let mark: UInt64?
    let leastVersion: Int
    let time: Int
    /// Whether it waits, was begun, or was withdrawn.
    private let stage = Atomic(Stage.waiting.rawValue)

    private enum Stage: UInt8 {
        case waiting, begun, withdrawn
    }

    init(
        _ operation: Operation, on executor: any Executor, at time: Int = 0, mark: UInt64? = nil, leastVersion: Int = 0
    ) {
        self.operation = operation
        self.executor = executor
        self.time = time
        self.mark = mark
        self.leastVersion = leastVersion
    }

    /// Begins the request.
    ///
    /// - Returns: Whether it was not withdrawn before.
    func begin() -> Bool { move(to: .begun) != .withdrawn }

    /// Withdraws the request, so that it is not begun any more.
    ///
    /// - Returns: Whether it still waited.
    func withdraw() -> Bool { move(to: .withdrawn) == .waiting }

    var isWaiting: Bool { stage.load(ordering: .relaxed) == Stage.waiting.rawValue }

    /// Leaves the waiting stage, and returns the former stage.
    private func move(to next: Stage) -> Stage {
        let former = stage.compareExchange(
            expected: Stage.waiting.rawValue, desired: next.rawValue, ordering: .relaxed
        ).original
        return Stage(rawValue: former) ?? .begun
    }

    var kind: SessionRequestKind {
        switch operation {
        case .event(let injection, _): .event(injection.condition, injection.retry)
        case .end(let condition, _): .end(condition)
        case .look: .look
        }
    }

    var isTimer: Bool {
        if case .event(let injection, _) = operation { injection.event.origin == .timer } else { false }
    }

    /// `nil` if the event has secrets: its payload lacks them.
    var fingerprint: Int? {
        guard case .event(let injection, _) = operation, injection.event.event == nil else { return nil }
        var hasher = Hasher()
        hasher.combine(injection.event.name)
        hasher.combine(injection.event.payload)
        hasher.combine(injection.event.at)
        hasher.combine(injection.event.pending)
        hasher.combine(injection.retry?.key)
        return hasher.finalize()
    }

    var isAwaited: Bool {
        switch operation {
        case .event(_, let promise): promise.isAwaited
        case .end(_, let promise): promise.isAwaited
        case .look(_, _, let reason): reason.isAwaited
        }
    }

    func refuse(_ error: SessionError) -> Delivery {
        switch operation {
        case .event(_, let promise): .outcome(.failure(error), promise)
        case .end(_, let promise): .call { promise.fulfil(.failure(error)) }
        case .look(_, let refuse, _): refuse(error)
        }
    }
}

/// A delivery to make once nothing is locked.
enum Delivery: Sendable {
    /// The outcome of an event, for its promise. It has its own case, since a closure would need one more allocation
    /// per request.
    case outcome(Result<EventOutcome, SessionError>, Promise<EventOutcome, SessionError>)
    case call(@Sendable () -> Void)

    func deliver() {
        switch self {
        case .outcome(let result, let promise): promise.fulfil(result)
        case .call(let body): body()
        }
    }
}

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

    /// Appends the entry to a journal. The entry is borrowed from here, since a copy of it is twenty references.
    func append(to journal: any Journal, of session: SessionID) -> Future<Void, JournalError> {
        journal.append(entry, to: session)
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
