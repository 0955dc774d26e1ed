import Coordinate

/// The form of the note. With changes it confirms before it is left. When it is saved, the note is its result.
final class FormCoordinator: Coordinator<FormViewController>, HasResult, HasDependencies {
    typealias ResultType = String

    var dependencies: AppDependencies?

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.text = dependencies?.account.note ?? ""
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case AppEvents.Form.change(let text): rootViewController.text = text
        case AppEvents.Form.save: finish(with: rootViewController.text)
        default: return false
        }
        return true
    }

    override func alertBeforeLeaving() -> Alert? {
        guard rootViewController.text != dependencies?.account.note else { return nil }
        return Alert(
            title: "Discard changes?", message: "The note is not saved.",
            choices: [.discard("Discard"), .stay("Keep editing")])
    }
}

final class FormViewController: ViewController {
    var text = ""

    override var currentTitle: String? { "Note" }

    override var rows: [Screen.Row] { [Screen.Row(id: "text", title: text)] }

    override var actions: [Action] {
        [
            Action(title: "Write", event: AppEvents.Form.change("Ring twice")),
            Action(title: "Save", event: AppEvents.Form.save),
        ]
    }
}
