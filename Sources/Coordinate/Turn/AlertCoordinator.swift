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
    func release() {
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
        alert?.choices.map { Action(title: $0.title, event: NavigationEvents.choose($0.id), role: $0.role) } ?? []
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
