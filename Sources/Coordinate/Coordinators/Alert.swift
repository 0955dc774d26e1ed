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
        let action: (() -> Void)?

        /// Creates a choice.
        ///
        /// - Parameters:
        ///   - id: The id in ``NavigationEvents/choose(_:)``.
        ///   - title: The text of its button.
        ///   - leaves: Whether the user leaves with this choice. Ignored if the alert is not about leaving.
        ///   - action: Called once the alert has left the screen, before the user leaves. Capture coordinators as
        ///     `weak` or `unowned`.
        public init(_ id: String, title: String, leaves: Bool = false, action: (() -> Void)? = nil) {
            self.id = id
            self.title = title
            self.leaves = leaves
            self.action = action
        }

        /// Returns the choice `stay`: the user does not leave.
        public static func stay(_ title: String) -> Choice { Choice("stay", title: title) }

        /// Returns the choice `discard`: the user leaves.
        ///
        /// - Parameters:
        ///   - title: The text of its button.
        ///   - action: Called before the user leaves. A screen in a tab stays in memory, so it may have to reset what
        ///     the user typed.
        public static func discard(_ title: String, action: (() -> Void)? = nil) -> Choice {
            Choice("discard", title: title, leaves: true, action: action)
        }
    }
}

/// The coordinator of an alert, which is a modal.
final class AlertCoordinator: Coordinator<AlertViewController>, HasResult {
    typealias ResultType = Alert.Choice

    init(_ alert: Alert) {
        super.init()
        rootViewController.alert = alert
    }

    /// Whether the alert has choices, so that it cannot just be closed.
    var hasChoices: Bool { rootViewController.alert?.choices.isEmpty == false }

    /// Releases the question, and with it everything that its choices retain.
    func forget() {
        rootViewController.alert = nil
    }

    override func navigate(on event: NavigationEvents) -> Bool {
        guard case .choose(let id) = event else { return super.navigate(on: event) }
        guard let choice = rootViewController.alert?.choices.first(where: { $0.id == id }) else { return false }
        finish(with: choice)
        return true
    }
}

final class AlertViewController: ViewController {
    fileprivate(set) var alert: Alert? {
        didSet { title = alert?.title }
    }

    override var message: String? { alert?.message }

    override var actions: [Action] {
        alert?.choices.map { Action(title: $0.title, event: NavigationEvents.choose($0.id)) } ?? []
    }
}

extension CoordinatorNode {
    /// Shows a question, and reports the user's choice. See ``Alert``.
    ///
    /// - Parameters:
    ///   - alert: The question.
    ///   - onChoice: Called exactly once: with the choice, after its action; with `nil` if the alert left the screen
    ///     without one.
    public final func present(_ alert: Alert, _ onChoice: @escaping (Alert.Choice?) -> Void = { _ in }) {
        present(AlertCoordinator(alert)) { choice in
            choice?.action?()
            onChoice(choice)
        }
    }
}
