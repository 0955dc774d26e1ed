public import Coordinate

/// An app as a walk through all that it offers has found it: states, and the events between them.
///
/// ```swift
/// let graph = ShopApp().explore()
/// #expect(graph.findings.isEmpty)
/// #expect(graph.states.contains { $0.key == "/checkout/thanks" })
/// ```
///
/// It is the same in every run. States are in the order in which they are found, which is that of the number of events they
/// are away from the start; transitions in that of the states they begin in, and there in the order of the screen.
public struct AppGraph: Sendable {
    /// A state, as its ``AppGraph/key`` tells it from others.
    public struct State: Sendable {
        /// The position in ``AppGraph/states``.
        public let id: Int
        /// The path, the screen's name, or the path with a fingerprint of all that is shown.
        public let key: String
        /// The path at which it was found first.
        public let path: String
        /// The name of the screen.
        public let screen: String
        /// The text at the top of the screen.
        public let title: String?
        /// A shortest way to it from the start of a session: of several, the first in the order of the screens.
        public let journal: [Step]

        /// The number of events it is away from the start.
        public var depth: Int { journal.count }
    }

    /// An event that leads from a state to another one, or to itself.
    public struct Transition: Hashable, Sendable {
        /// The id of the state it is emitted in.
        public let from: Int
        /// The id of the state after it.
        public let to: Int
        public let step: Step
        /// The text of the button for it; nil for a link, and for what comes from work or a timer.
        public let title: String?
        /// True where a user may enter other values than those of its payload.
        public let isForm: Bool
        /// The id of the coordinator that handles it; nil where nobody does.
        public let handledBy: String?
    }

    public let app: String
    public let appVersion: String
    public let key: StateKey
    public internal(set) var states: [State] = []
    public internal(set) var transitions: [Transition] = []
    public internal(set) var findings: [Finding] = []
    /// The number of states that were not taken further, or not to their end, because of a limit.
    public internal(set) var frontier = 0

    /// True where there is more than the limits let in. Then nothing is said of what is unreachable or unused.
    public var isTruncated: Bool { frontier > 0 }

    init(of app: any CoordinatedApp, by key: StateKey) {
        self.app = app.name
        appVersion = app.version
        self.key = key
    }
}

/// An event on the way to a state, as a session's journal has it.
public struct Step: Hashable, Sendable {
    /// Who an event comes from.
    public enum Origin: String, Sendable {
        /// A user, or whoever opens a link.
        case client
        /// Work that the app asked for: it is done, or has failed.
        case work
        /// A timer that the app set.
        case timer
    }

    /// The full name: `teams.didSelect`.
    public let event: String
    /// An object with the event's fields, but for those that are secret.
    public let payload: PlainValue
    /// The id of the coordinator it is emitted at.
    public let at: String
    public let origin: Origin
    /// The id of the work or the timer that it comes from; nil for a client's.
    public let pending: String?

    /// Makes an event of a journal.
    public init(event: String, payload: PlainValue, at: String, origin: Origin = .client, pending: String? = nil) {
        self.event = event
        self.payload = payload
        self.at = at
        self.origin = origin
        self.pending = pending
    }
}

/// Something about an app that its author should know of.
public struct Finding: Hashable, Sendable {
    /// The kinds of findings, in the order in which they are listed.
    public enum Kind: String, CaseIterable, Sendable {
        /// Something is offered that nobody handles.
        case unhandledAction = "unhandled-action"
        /// Nothing is offered, and nothing is pending that would lead on.
        case deadEnd = "dead-end"
        /// A declared path is never shown.
        case unreachablePath = "unreachable-path"
        /// A declared event is never offered. The library's own, and those that only the app may emit, are none of these.
        case unusedEvent = "unused-event"
        /// A state's own path, opened in a new session, shows another screen or path.
        case linkDiffers = "link-differs"
        /// A turn failed.
        case failedTurn = "failed-turn"
        /// The same events lead to another state when they are taken once more.
        case notDeterministic = "not-deterministic"
    }

    public let kind: Kind
    /// A sentence or two: where it is, and what to do about it.
    public let detail: String
    /// The id of the state in which it is found; nil where it is about the whole app.
    public let state: Int?
    /// A shortest way to it; empty where it is about the whole app.
    public let journal: [Step]
}
