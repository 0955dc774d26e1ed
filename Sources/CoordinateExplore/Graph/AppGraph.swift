import Coordinate

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
