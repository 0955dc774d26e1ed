import Coordinate
import CoordinateMacros

struct Note {
    let id: Int
    let text: String
}

final class Notebook {
    var notes = [Note(id: 1, text: "Buy milk"), Note(id: 2, text: "Call Anna")]
    var user: String?
}

struct AppDependencies: AppDependenciesProtocol {
    let notebook = Notebook()
}

@Events("notes")
enum NoteEvents: CoordinateEvents {
    case open(_ id: Int)
    case new
    case save(_ text: String)
    case logIn(_ user: String, _ password: Secret)
    @AppOnly case didLogIn(_ user: String)
    @AppOnly case didNotLogIn(_ failure: WorkFailure)
}

final class ListCoordinator: Coordinator<ListViewController> {}

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

final class NoteCoordinator: ArgumentCoordinator<NoteViewController> {}

final class NoteViewController: ViewController, NeedsDependencies, HasArgument {
    var dependencies: AppDependencies!
    var argument: Int!

    override var currentTitle: String? { "Note" }
    override var message: String? {
        dependencies.notebook.notes.first { $0.id == argument }?.text ?? "There is no such note."
    }
}
