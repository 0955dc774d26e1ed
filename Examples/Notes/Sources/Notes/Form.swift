import Coordinate
import CoordinateMacros

@Events("form")
enum FormEvents: CoordinateEvents { case save(_ text: String) }

/// The form of a new note. Its result is the text.
final class FormCoordinator: Coordinator<FormViewController>, HasResult {
    typealias ResultType = String

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case FormEvents.save(let text) = event else { return false }
        rootViewController.text = text
        rootViewController.error = text.isEmpty ? "Enter a note." : text.count > 40 ? "Enter up to 40 characters." : nil
        if rootViewController.error == nil { finish(with: text) }
        return true
    }
}

final class FormViewController: ViewController {
    var text = ""
    var error: String?

    override var currentTitle: String? { "New note" }
    override var actions: [Action] {
        let input = Action.Input("text", title: "Text", error: error)
        return [Action(title: "Save", event: FormEvents.save(text), inputs: [input])]
    }
}
