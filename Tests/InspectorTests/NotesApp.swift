import Coordinate

/// An app before and after changes of its code, for tests that restart a server with another build.
struct NotesApp: CoordinatedApp {
    enum Build {
        case first
        /// The root handles the event `notes.star` in place of the note.
        case otherHandler
        /// The third note is another one.
        case otherPath
        /// The event `notes.star` is gone.
        case withoutEvent
    }

    let name = "Notes"
    let version = "1.0"
    let build: Build
    let routes = RouteCatalog(NotesCoordinator.Route.self)

    init(_ build: Build = .first) {
        self.build = build
    }

    var events: EventCatalog {
        build == .withoutEvent ? EventCatalog(FewerNotesEvents.self) : EventCatalog(NotesEvents.self)
    }

    func makeRootCoordinator() -> CoordinatorNode { NotesCoordinator(build) }
}

enum NotesEvents: CoordinateEvents, Equatable {
    case open(_ number: Int)
    case star
}

extension NotesEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "notes",
        .event("open", Self.open, "number") { if case .open(let number) = $0 { number } else { nil } },
        .event("star", .star))
}

enum FewerNotesEvents: CoordinateEvents, Equatable {
    case open(_ number: Int)
}

extension FewerNotesEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "notes",
        .event("open", Self.open, "number") { if case .open(let number) = $0 { number } else { nil } })
}

final class NotesCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case list
        case note(_ number: Int)

        static let declaration = RouteDeclaration<Self>(
            .route("notes", .list),
            .route("notes/{number}", Self.note) { if case .note(let number) = $0 { number } else { nil } })
    }

    var activeRoute = Route.list
    private let build: NotesApp.Build

    init(_ build: NotesApp.Build) {
        self.build = build
        super.init()
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(.list)
    }

    func goTo(_ route: Route) {
        switch route {
        case .list: root(NoteCoordinator(0, build))
        case .note(let number): show(NoteCoordinator(number, build), sender: self)
        }
        activeRoute = route
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch (event, event) {
        case (NotesEvents.open(let number), _), (_, FewerNotesEvents.open(let number)):
            goTo(.note(number == 3 && build == .otherPath ? 103 : number))
        case (NotesEvents.star, _): break
        default: return false
        }
        return true
    }
}

final class NoteCoordinator: Coordinator<NoteViewController> {
    private let build: NotesApp.Build

    init(_ number: Int, _ build: NotesApp.Build) {
        self.build = build
        super.init()
        rootViewController.title = number == 0 ? "Notes" : "Note \(number)"
        rootViewController.build = build
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        event as? NotesEvents == .star && build != .otherHandler
    }
}

final class NoteViewController: ViewController {
    var build = NotesApp.Build.first

    override var actions: [Action] {
        build == .withoutEvent
            ? [Action(title: "Next", event: FewerNotesEvents.open(2))]
            : [Action(title: "Next", event: NotesEvents.open(2)), Action(title: "Star", event: NotesEvents.star)]
    }
}
