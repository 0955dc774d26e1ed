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
