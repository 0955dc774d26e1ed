import Coordinate
import Testing

private final class Notebook {
    var texts = ["milk": "Two bottles", "bread": "Rye"]
}

private struct AppDependencies: AppDependenciesProtocol {
    let notebook: Notebook
}

private enum NoteEvents: CoordinateEvents, Equatable {
    case didType(_ text: String)
    case save
    case delete
    case didDelete(_ note: String)
}

private final class EditorCoordinator: Coordinator<ViewController>, HasDependencies {
    var dependencies: AppDependencies?

    private let note: String
    private(set) var draft = ""

    init(note: String) {
        self.note = note
        super.init()
        rootViewController.title = note
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        draft = saved
    }

    override func alertBeforeLeaving() -> Alert? {
        guard draft != saved else { return nil }
        return Alert(
            title: "Save changes?", message: "You have changed this note.",
            choices: [
                Alert.Choice("save", title: "Save", leaves: true) { [unowned self] in save() },
                .discard("Discard") { [unowned self] in draft = saved },
                .stay("Keep editing"),
            ])
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case NoteEvents.didType(let text): draft = text
        case NoteEvents.save: save()
        case NoteEvents.delete: askToDelete()
        default: return false
        }
        return true
    }

    private var saved: String { dependencies?.notebook.texts[note] ?? "" }

    private func save() {
        dependencies?.notebook.texts[note] = draft
    }

    private func askToDelete() {
        let alert = Alert(
            title: "Delete this note?",
            choices: [Alert.Choice("delete", title: "Delete"), Alert.Choice("keep", title: "Keep it")])
        present(alert) { [weak self] choice in
            guard let self, choice?.id == "delete" else { return }
            emitEvent(NoteEvents.didDelete(note))
        }
    }
}

private final class NotesCoordinator: NavigationCoordinator<NavigationController>, HasDependencies, HasRoutes {
    enum Route: DeclaredRoutes {
        case list
        case note(_ note: String)

        static let declaration = RouteDeclaration<Self>(
            .route("", .list),
            .route("{note}", Self.note) { if case .note(let note) = $0 { note } else { nil } }
        )
    }

    var dependencies: AppDependencies?
    var activeRoute: Route = .list
    private let list = Coordinator<ViewController>()

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case NoteEvents.didDelete(let note) = event else { return false }
        dependencies?.notebook.texts[note] = nil
        goTo(.list)
        return true
    }

    func goTo(_ route: Route) {
        root(list, for: .list)
        if case .note(let note) = route { show(EditorCoordinator(note: note), for: route) }
    }
}

private final class MainCoordinator: TabBarCoordinator<TabBarController>, HasDependencies, HasRoutes {
    enum Route: DeclaredRoutes {
        case notes(NotesCoordinator.Route?)
        case help

        static let declaration = RouteDeclaration<Self>(
            .nested("notes", Self.notes) { if case .notes(let route) = $0 { route } else { nil } },
            .route("help", .help)
        )
    }

    var dependencies: AppDependencies?
    var activeRoute: Route = .notes(nil)
    private let notes = NotesCoordinator()
    private let help = HelpCoordinator()

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([(notes, .notes(nil)), (help, .help)])
    }

    func goTo(_ route: Route) {
        switch route {
        case .notes(let route): select(notes, at: route)
        case .help:
            select(help)
        }
    }
}

private final class HelpCoordinator: Coordinator<ViewController> {}

struct UnsavedChangesTests {
    private let notebook = Notebook()
    private let main = MainCoordinator()

    init() throws {
        main.setDependencies(dependencies: AppDependencies(notebook: notebook))
        try main.turn { main.start() }
        try emit(NavigationEvents.open("/notes/milk"))
    }

    @discardableResult
    private func emit(_ event: any CoordinateEvents) throws -> Dispatch {
        try main.turn { main.visibleLeaf.emitEvent(event) }
    }

    @Test func whatIsDiscardedIsGone() throws {
        try emit(NoteEvents.didType("Three bottles"))
        try emit(NavigationEvents.back)

        let alert = main.navigationState
        #expect(alert.screen.title == "Save changes?")
        #expect(alert.screen.actions.map(\.title) == ["Save", "Discard", "Keep editing"])
        #expect(alert.path == "/notes/milk")
        #expect(alert.back == nil && alert.tabs.isEmpty)

        try emit(NavigationEvents.choose("discard"))
        #expect(main.path == "/notes")
        #expect(notebook.texts["milk"] == "Two bottles")
    }

    @Test func whatIsSavedIsKept() throws {
        try emit(NoteEvents.didType("Three bottles"))
        try emit(NavigationEvents.open("/help"))
        try emit(NavigationEvents.choose("save"))
        #expect(main.path == "/help")
        #expect(notebook.texts["milk"] == "Three bottles")
    }
}
