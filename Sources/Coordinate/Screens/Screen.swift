/// What a screen shows, as values.
public struct Screen: Equatable, Sendable {
    /// What the screen is called: `TeamsDetails`.
    public let name: String
    /// What stands at its top.
    public let title: String?
    /// The state of what it shows.
    public let status: Status
    /// A sentence about that: why it failed, for instance.
    public let message: String?
    /// Its rows, top to bottom.
    public let rows: [Row]
    /// What can be done there, apart from the rows.
    public let actions: [Action]

    /// The state of what a screen shows.
    public enum Status: String, Sendable {
        /// All is there.
        case ready
        /// Some of it is still to come.
        case loading
        /// Some of it is not to be had.
        case failed
    }

    /// One line of a list.
    public struct Row: Equatable, Sendable {
        /// Unique among the rows of a screen.
        public let id: String
        /// The first line of its text.
        public let title: String
        /// The second line of its text.
        public let subtitle: String?
        /// Whether it is marked as a favourite.
        public let favorite: Bool
        /// A tap on the row.
        public let action: Action?
        /// A swipe that deletes it.
        public let delete: Action?

        /// Makes a row.
        public init(
            id: String, title: String, subtitle: String? = nil, favorite: Bool = false, action: Action? = nil,
            delete: Action? = nil
        ) {
            self.id = id
            self.title = title
            self.subtitle = subtitle
            self.favorite = favorite
            self.action = action
            self.delete = delete
        }
    }

    init(of viewController: ViewController) {
        name = viewController.name
        title = viewController.title
        status = viewController.status
        message = viewController.message
        rows = viewController.rows
        actions = viewController.actions
    }
}

/// Something a user can do: an event ready to be emitted at the leaf, under the name a button would have.
///
/// ```swift
/// override var actions: [Action] {
///     [Action(title: "Edit profile", event: AppEvents.Profile.edit)]
/// }
/// ```
///
/// Offer only what somebody handles in the very state it is offered in. To press the button is ``HasEvents/perform(_:)``.
public struct Action: Equatable, Sendable {
    /// What a button for it says.
    public let title: String
    /// The event's full name: `teams.didSelect`.
    public let event: String
    /// The event's payload, an object.
    public let payload: PlainValue
    /// The event itself.
    @usableFromInline let emission: any DeclaredEvents

    /// Offers an event that is declared.
    @inlinable
    public init<Event: DeclaredEvents>(title: String, event: Event) {
        let encoded = Event.declaration.encode(event)
        self.title = title
        self.event = encoded.name
        self.payload = encoded.payload
        self.emission = event
    }

    /// Whether two actions look alike and emit events that look alike.
    public static func == (one: Action, other: Action) -> Bool {
        one.title == other.title && one.event == other.event && one.payload == other.payload
    }
}

extension HasEvents {
    /// Does what is offered: emits the action's event here.
    ///
    /// ```swift
    /// let screen = app.visibleLeaf.getRootViewController()
    /// screen.perform(screen.actions[0])
    /// ```
    @discardableResult
    public func perform(_ action: Action) -> Dispatch {
        emitEvent(action.emission)
    }
}
