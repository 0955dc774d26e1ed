/// A question with a few choices, shown on top of the screen.
///
/// A coordinator with unsaved changes shows one before the user leaves it:
///
/// ```swift
/// override func alertBeforeLeaving() -> Alert? {
///     guard rootViewController.hasChanges else { return nil }
///     return Alert(title: "Discard changes?", choices: [.discard("Discard"), .stay("Keep editing")])
/// }
/// ```
///
/// Any coordinator can show one at any time with ``CoordinatorNode/present(_:_:)-(Alert,_)``.
public struct Alert {
    /// The question.
    public let title: String
    /// A sentence with details.
    public let message: String?
    /// The choices, in order. An alert without choices is a notice that can only be closed.
    public let choices: [Choice]

    /// Creates a question.
    ///
    /// - Parameters:
    ///   - title: The question.
    ///   - message: A sentence with details.
    ///   - choices: The choices. Their ids should differ: if two have the same id, the first one is chosen.
    public init(title: String, message: String? = nil, choices: [Choice]) {
        self.title = title
        self.message = message
        self.choices = choices
    }

    /// One choice of an alert.
    public struct Choice {
        /// The id that ``NavigationEvents/choose(_:)`` contains.
        public let id: String
        /// The text of its button.
        public let title: String
        /// Whether the user leaves with this choice. Ignored if the alert is not about leaving.
        public let leaves: Bool
        /// What it means to the user; `nil` if it is a choice like any other.
        public let role: Action.Role?
        let action: (() -> Void)?

        /// Creates a choice.
        ///
        /// - Parameters:
        ///   - id: The id in ``NavigationEvents/choose(_:)``.
        ///   - title: The text of its button.
        ///   - leaves: Whether the user leaves with this choice. Ignored if the alert is not about leaving.
        ///   - role: What it means to the user; `nil` if it is a choice like any other.
        ///   - action: Called once the alert has left the screen, before the user leaves. Capture coordinators as
        ///     `weak` or `unowned`.
        public init(
            _ id: String, title: String, leaves: Bool = false, role: Action.Role? = nil, action: (() -> Void)? = nil
        ) {
            self.id = id
            self.title = title
            self.leaves = leaves
            self.role = role
            self.action = action
        }

        /// Returns the choice `stay`: the user does not leave.
        public static func stay(_ title: String) -> Choice { Choice("stay", title: title, role: .cancel) }

        /// Returns the choice `discard`: the user leaves.
        ///
        /// - Parameters:
        ///   - title: The text of its button.
        ///   - action: Called before the user leaves. A screen in a tab stays in memory, so it may have to reset what
        ///     the user typed.
        public static func discard(_ title: String, action: (() -> Void)? = nil) -> Choice {
            Choice("discard", title: title, leaves: true, role: .destructive, action: action)
        }
    }
}
