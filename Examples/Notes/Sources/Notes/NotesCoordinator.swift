import Coordinate
import CoordinateMacros

final class NoteCoordinator: ArgumentCoordinator<NoteViewController> {}

final class NoteViewController: ViewController, NeedsDependencies, HasArgument {
    var dependencies: AppDependencies!
    /// The id of the note.
    var argument: Int!

    private var note: Note? { dependencies.notebook.notes.first { $0.id == argument } }

    override var currentTitle: String? { "Note \(argument!)" }
    override var status: Screen.Status { note == nil ? .failed : .ready }
    override var message: String? { note?.text ?? "There is no such note." }
}

/// The list, a note on top of it, and the form above both.
final class NotesCoordinator: NavigationCoordinator<NavigationController>, NeedsDependencies, HasRoutes {
    @Routes
    enum Route {
        @Path("") case list
        @Path("new") case new
        @Path("{id}") case note(_ id: Int)
    }

    var dependencies: AppDependencies!
    var activeRoute = Route.list

    private let list = ListCoordinator()

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }

    func goTo(_ route: Route) {
        dismiss()
        root(list, for: .list)
        switch route {
        case .list: break
        case .note(let id): show(NoteCoordinator(id), for: route)
        case .new: present(FormCoordinator(), for: route) { [weak self] text in self?.formDidEnd(with: text) }
        }
    }

    private func formDidEnd(with text: String?) {
        guard let text else { return }
        navigate(to: .note(dependencies.notebook.add(text)))
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case NoteEvents.open(let id): navigate(to: .note(id))
        case NoteEvents.new: navigate(to: .new)
        default: return false
        }
        return true
    }
}
