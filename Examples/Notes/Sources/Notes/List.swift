import Coordinate
import CoordinateMacros

@Events("notes")
enum NoteEvents: CoordinateEvents {
    case open(_ id: Int)
    case new
}

final class ListCoordinator: Coordinator<ListViewController>, NeedsDependencies {
    var dependencies: AppDependencies!
}

final class ListViewController: ViewController, NeedsDependencies {
    var dependencies: AppDependencies!

    override var currentTitle: String? { "Notes" }
    override var rows: [Screen.Row] {
        dependencies.notebook.notes.map { note in
            let open = Action(title: note.text, event: NoteEvents.open(note.id))
            return Screen.Row(id: "\(note.id)", title: note.text, action: open)
        }
    }
    override var actions: [Action] { [Action(title: "New note", event: NoteEvents.new)] }
}
