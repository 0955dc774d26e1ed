public import Coordinate

/// The graph of an app: states, and the events between them, as a walk through everything that it offers has found
/// them.
///
/// ```swift
/// let graph = ShopApp().explore()
/// #expect(graph.findings.isEmpty)
/// #expect(graph.states.contains { $0.key == "/checkout/thanks" })
/// ```
///
/// It is the same in every run. States are in the order in which they are found, by their distance from the start in
/// events. Transitions are in the order of their first states, and for each of these in the order of the screen.
public struct AppGraph: Sendable {
    /// A state, distinguished from others by ``AppGraph/key``.
    public struct State: Sendable {
        /// The position in ``AppGraph/states``.
        public let id: Int
        /// The text of the key: different for each state.
        public let key: String
        /// The offer of the state when it was first found.
        public let offer: StateOffer
        /// The text at the top of the screen.
        public let title: String?
        /// A shortest path to it from the start of a session: of several, the first in the order of the screens.
        public let journal: [Step]
        /// The journal as a user would say it: the texts of the buttons, and what is not a button in words.
        public let presses: [String]

        /// The path at which it was first found.
        public var path: String { offer.path }
        /// The name of the screen.
        public var screen: String { offer.screen }
        /// The distance from the start, in events.
        public var depth: Int { journal.count }
    }

    /// An event that leads from a state to another one, or to itself.
    public struct Transition: Hashable, Sendable {
        /// The id of the state in which it is emitted.
        public let from: Int
        /// The id of the state after it.
        public let to: Int
        public let step: Step
        /// The text of its button; `nil` for a link, and for an outcome of work or a timer.
        public let title: String?
        /// Whether a user may enter other values than those of its payload.
        public let isForm: Bool
        /// What its action means to the user; `nil` if it is none, or one like any other.
        public let role: Action.Role?
        /// The path that its action says it leads to; `nil` if it says none, or is a tap on the selected tab.
        public let opens: String?
        /// The id of the coordinator that handles it; `nil` if none does.
        public let handledBy: String?
    }

    public let app: String
    public let appVersion: String
    public let key: StateKey
    public internal(set) var states: [State] = []
    public internal(set) var transitions: [Transition] = []
    public internal(set) var findings: [Finding] = []
    /// The number of states that were not, or not completely, expanded because of a limit.
    public internal(set) var frontier = 0

    /// The number of trees that were built by replaying a journal. For all others, the walk continued with a tree that
    /// it had.
    public internal(set) var replays = 0

    /// Whether a limit ended the walk early. If so, it makes no claims about what was not reached.
    public var isTruncated: Bool { frontier > 0 }

    /// The ids of the states by their keys.
    var idByKey: [String: Int] { Dictionary(states.map { ($0.key, $0.id) }) { first, _ in first } }

    init(of app: any CoordinatedApp, by key: StateKey) {
        self.app = app.name
        appVersion = app.version
        self.key = key
    }
}

/// An event on the way to a state, in the form of a session's journal.
public struct Step: Hashable, Sendable {
    /// The source of an event.
    public enum Origin: String, Sendable {
        /// A user, or a link.
        case client
        /// Work that the app requested, which succeeded or failed.
        case work
        /// A timer that the app set.
        case timer
    }

    /// The full name: `teams.didSelect`.
    public let event: String
    /// An object with the event's fields, without those that are secret.
    public let payload: PlainValue
    /// The id of the coordinator that emits it.
    public let at: String
    public let origin: Origin
    /// The id of the work or the timer whose outcome it is; `nil` for a client's event.
    public let pending: String?

    /// Creates an event of a journal.
    public init(event: String, payload: PlainValue, at: String, origin: Origin = .client, pending: String? = nil) {
        self.event = event
        self.payload = payload
        self.at = at
        self.origin = origin
        self.pending = pending
    }
}

/// Something about an app that its author should know.
public struct Finding: Hashable, Sendable {
    /// The kinds of findings, in the order in which they are listed.
    public enum Kind: String, CaseIterable, Sendable {
        /// An action is offered that no coordinator handles, or that clients cannot send.
        case unhandledAction = "unhandled-action"
        /// Work or a timer ends with an event that no coordinator handles.
        case unhandledOutcome = "unhandled-outcome"
        /// No action is offered, and nothing pending leads to another state.
        case deadEnd = "dead-end"
        /// A state's own path, opened in a new session, shows another screen or path. Or an action leads to another path
        /// than a link to the path that it says it opens.
        case linkDiffers = "link-differs"
        /// A turn failed.
        case failedTurn = "failed-turn"
        /// The same events lead to another state when they are replayed.
        case notDeterministic = "not-deterministic"
        // Findings about things that were not reached, causes first.

        /// The work was tried only as failed, or not at all, for lack of a sample.
        case outcome
        /// A declared event was not offered, or a form accepted none of the values that were tried. The library's own
        /// events, and those that only the app may emit, do not count.
        case event
        /// A declared path was not shown.
        case path

        /// Whether it is a fault of the app. The other findings only say that the walk did not reach something: it may
        /// be fine, and the finding says what would help to find out.
        public var isWrong: Bool {
            switch self {
            case .unhandledAction, .unhandledOutcome, .deadEnd, .linkDiffers, .failedTurn, .notDeterministic: true
            case .outcome, .event, .path: false
            }
        }
    }

    public let kind: Kind
    /// A sentence or two on what was found and where, and what to do about it.
    public let detail: String
    /// The id of the state in which it was found; `nil` if it is about the whole app.
    public let state: Int?
    /// A shortest path to it; empty if it is about the whole app.
    public let journal: [Step]
    /// The journal as a user would say it: the texts of the buttons, and what is not a button in words.
    public let presses: [String]

    /// Whether it is a fault of the app, and not only something that was not reached.
    public var isWrong: Bool { kind.isWrong }
}

extension Finding: CustomStringConvertible {
    /// The kind, the detail, and the shortest journal, in one line.
    public var description: String {
        let way = presses.isEmpty ? "" : " After: \(presses.joined(separator: ", "))."
        return "\(kind.rawValue): \(detail)\(way)"
    }
}
