import Coordinate
import CoordinateMacros

final class NotesCoordinator: NavigationCoordinator<NavigationController>, NeedsDependencies, HasRoutes {
    @Routes
    enum Route {
        @Path("") case list
        @Path("new") case new
        @Path("login") case login
        @Path("note/{id}") case note(_ id: Int)
    }

    var dependencies: AppDependencies!
    var activeRoute = Route.list

    private let list = ListCoordinator()

    func goTo(_ route: Route) {
        dismiss()
        root(list, for: .list)
        switch route {
        case .list: break
        case .new: present(FormCoordinator(), for: route)
        case .login: present(LoginCoordinator(), for: route)
        case .note(let id): show(NoteCoordinator(id), for: route)
        }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case NoteEvents.open(let id): navigate(to: .note(id))
        case NoteEvents.new: navigate(to: .new)
        case NoteEvents.save(let text) where dependencies.notebook.user != nil:
            let note = Note(id: dependencies.notebook.notes.count + 1, text: text)
            dependencies.notebook.notes.append(note)
            navigate(to: .note(note.id))
        default: return false
        }
        return true
    }
}

struct NotesApp: CoordinatedApp {
    let name = "Notes"
    let version = "1.0"
    let events = EventCatalog(NoteEvents.self)
    let routes = RouteCatalog(NotesCoordinator.Route.self)
    let samples = [Sample.input("text", of: "notes.save", "Buy bread")]

    func makeRootCoordinator() -> CoordinatorNode {
        let root = NotesCoordinator()
        root.setDependencies(dependencies: AppDependencies())
        return root
    }
}

extension NotesCoordinator: HasGuard {
    func decide(on route: Route) -> RouteDecision<Route> {
        switch (route, dependencies.notebook.user) {
        case (.new, nil): .redirected(to: .login, parking: .untilDismissed)
        case (.login, _?): .redirected(to: .list)
        default: .granted
        }
    }
}
