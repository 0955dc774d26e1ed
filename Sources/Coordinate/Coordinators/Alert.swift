/// A question with a few answers, shown on top of the screen it is about.
///
/// A coordinator with unsaved changes asks one before it is left:
///
/// ```swift
/// override func alertBeforeLeaving() -> Alert? {
///     guard rootViewController.hasChanges else { return nil }
///     return Alert(title: "Discard changes?", choices: [.discard("Discard"), .stay("Keep editing")])
/// }
/// ```
///
/// Any coordinator can ask one of its own with ``CoordinatorNode/present(_:_:)-(Alert,_)``.
public struct Alert {
    /// The question.
    public let title: String
    /// A sentence more about it.
    public let message: String?
    /// The answers there are, in order. Without any, the alert can be closed, and has said something.
    public let choices: [Choice]

    /// Makes a question.
    ///
    /// - Parameters:
    ///   - title: The question.
    ///   - message: A sentence more about it.
    ///   - choices: The answers. Their ids differ; of two that are alike, the first is meant.
    public init(title: String, message: String? = nil, choices: [Choice]) {
        self.title = title
        self.message = message
        self.choices = choices
    }

    /// One answer to a question.
    public struct Choice {
        /// The name of the answer in ``NavigationEvents/choose(_:)``.
        public let id: String
        /// The text of its button.
        public let title: String
        /// Whether the user's wish to leave goes on with it; of no meaning where nobody wants to leave.
        public let leaves: Bool
        let action: (() -> Void)?

        /// Makes an answer.
        ///
        /// - Parameters:
        ///   - id: Its name in ``NavigationEvents/choose(_:)``.
        ///   - title: The text of its button.
        ///   - leaves: Whether the user's wish to leave goes on with it; of no meaning where nobody wants to leave.
        ///   - action: Called once the alert has left the screen, before the wish goes on. Capture coordinators weakly, or
        ///     `unowned`.
        public init(_ id: String, title: String, leaves: Bool = false, action: (() -> Void)? = nil) {
            self.id = id
            self.title = title
            self.leaves = leaves
            self.action = action
        }

        /// The answer `stay`: everything is as it was.
        public static func stay(_ title: String) -> Choice { Choice("stay", title: title) }

        /// The answer `discard`: what was asked for goes on.
        ///
        /// - Parameters:
        ///   - title: The text of its button.
        ///   - action: Called before that. A screen in a tab is still there when the user comes back, so it may have to
        ///     forget what was typed.
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

    /// Whether it is left by a choice, and not to be closed.
    var hasChoices: Bool { rootViewController.alert?.choices.isEmpty == false }

    /// Lets go of the question, and with it of all that its choices hold.
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
    /// Asks a question, and is told the answer: see ``Alert``.
    ///
    /// - Parameters:
    ///   - alert: The question.
    ///   - told: Called exactly once: with the choice, after its action, or with nil where the alert left without one.
    public final func present(_ alert: Alert, _ told: @escaping (Alert.Choice?) -> Void = { _ in }) {
        present(AlertCoordinator(alert)) { choice in
            choice?.action?()
            told(choice)
        }
    }
}
