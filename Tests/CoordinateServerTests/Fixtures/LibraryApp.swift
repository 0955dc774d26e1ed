import Coordinate

/// A library of three books, whose screens have everything that a screen can have.
struct LibraryApp: CoordinatedApp {
    let name = "Library"
    let version = "1.0"
    let events = EventCatalog(LibraryEvents.self)
    let routes = RouteCatalog(LibraryCoordinator.Route.self)

    func makeRootCoordinator() -> CoordinatorNode { LibraryCoordinator() }
}

enum LibraryEvents: CoordinateEvents, DeclaredEvents, Equatable {
    case open(_ book: String)
    case remove(_ book: String)
    case restore
    case read
    case join(email: String, phone: String, site: String, born: String, at: String, code: String, note: String)
    case find(_ words: String)

    static let declaration = EventDeclaration<Self>(
        "library",
        .event("open", Self.open, "book") { if case .open(let book) = $0 { book } else { nil } },
        .event("remove", Self.remove, "book") { if case .remove(let book) = $0 { book } else { nil } },
        .event("restore", .restore), .event("read", .read),
        .event("join", Self.join, "email", "phone", "site", "born", "at", "code", "note") {
            guard case .join(let email, let phone, let site, let born, let at, let code, let note) = $0 else {
                return nil
            }
            return (email, phone, site, born, at, code, note)
        },
        .event("find", Self.find, "words") { if case .find(let words) = $0 { words } else { nil } })
}

final class LibraryCoordinator: TabBarCoordinator<TabBarController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case shelf(TitlesCoordinator.Route?)
        case desk

        static let declaration = RouteDeclaration<Self>(
            .nested("shelf", Self.shelf) { if case .shelf(let route) = $0 { route } else { nil } },
            .route("desk", .desk))
    }

    var activeRoute = Route.shelf(nil)
    private let shelf = TitlesCoordinator()
    private let desk = DeskCoordinator()

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([(shelf, .shelf(nil)), (desk, .desk)])
    }

    func goTo(_ route: Route) {
        switch route {
        case .shelf(let route):
            shelf.goToOnceStarted(route)
            select(shelf)
        case .desk: select(desk)
        }
    }
}

final class TitlesCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case list
        case book(_ name: String)

        static let declaration = RouteDeclaration<Self>(
            .route("", .list),
            .route("book/{book}", Self.book) { if case .book(let name) = $0 { name } else { nil } })
    }

    var activeRoute = Route.list
    private let list = Coordinator<TitlesViewController>()

    override init() {
        super.init()
        rootViewController.tabBarItem = TabBarItem(title: "Shelf", image: Image(symbol: "list"), tag: 0)
    }

    func goTo(_ route: Route) {
        root(list, for: .list)
        if case .book(let name) = route { show(TitleCoordinator(name), for: route) }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case LibraryEvents.open(let book): show(TitleCoordinator(book), for: .book(book))
        case LibraryEvents.remove(let book): list.rootViewController.books.removeAll { $0 == book }
        case LibraryEvents.restore: list.rootViewController.books = TitlesViewController.allBooks
        default: return false
        }
        return true
    }
}

final class TitlesViewController: ViewController {
    static let allBooks = ["atlas", "ulysses", "notes"]
    var books = allBooks

    override var currentTitle: String? { "Shelf" }

    override var sections: [Screen.Section] {
        [
            Screen.Section(id: "novels", title: "Novels", footer: "\(books.count) books in all."),
            Screen.Section(id: "maps"),
        ]
    }

    override var rows: [Screen.Row] {
        books.map { book in
            Screen.Row(
                id: book, title: book.name, image: Self.image(of: book), section: Self.section(of: book),
                action: Action(title: book.name, event: LibraryEvents.open(book), opens: "/shelf/book/\(book)"),
                delete: Action(title: "Remove \(book)", event: LibraryEvents.remove(book), role: .destructive))
        }
    }

    override var emptyText: String? { "No books." }

    override var actions: [Action] { [Action(title: "Restore", event: LibraryEvents.restore, role: .cancel)] }

    private static func section(of book: String) -> String? {
        switch book {
        case "atlas": "maps"
        case "ulysses": "novels"
        default: nil
        }
    }

    private static func image(of book: String) -> Image? {
        switch book {
        case "atlas": Image(file: "/images/atlas.svg", alt: "A blue atlas")
        case "ulysses": Image(letters: "JJ", color: 0x0A5, alt: "")
        default: nil
        }
    }
}

final class TitleCoordinator: Coordinator<TitleViewController> {
    init(_ book: String) {
        super.init()
        rootViewController.title = book.name
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case LibraryEvents.read = event else { return false }
        let read = rootViewController.content?.pages ?? []
        rootViewController.content = Reading(pages: read + [read.count + 1])
        return true
    }
}

final class TitleViewController: ViewController, HasContent {
    var content: Reading?

    override var actions: [Action] { [Action(title: "Read", event: LibraryEvents.read, role: .primary)] }
}

/// The pages that were read.
struct Reading: PlainObject {
    var pages: [Int]

    static let declaration = ObjectDeclaration(Reading.init, .field("pages", \.pages))
}

final class DeskCoordinator: Coordinator<DeskViewController> {
    override init() {
        super.init()
        rootViewController.title = "Desk"
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case LibraryEvents.join, LibraryEvents.find: true
        default: false
        }
    }
}

final class DeskViewController: ViewController {
    override var actions: [Action] {
        let join = LibraryEvents.join(
            email: "", phone: "", site: "", born: "2000-02-29", at: "09:30", code: "", note: "")
        return [
            Action(
                title: "Join", event: join,
                inputs: [
                    .init("email", title: "Email", kind: .email), .init("phone", title: "Phone", kind: .phone),
                    .init("site", title: "Website", kind: .url), .init("born", title: "Born", kind: .date),
                    .init("at", title: "Call at", kind: .time), .init("code", title: "Code", kind: .oneTimeCode),
                    .init("note", title: "Note", kind: .multiline),
                ], role: .primary),
            Action(
                title: "Find", event: LibraryEvents.find(""),
                inputs: [.init("words", title: "Words", kind: .search)]),
        ]
    }
}

extension String {
    /// The name of the book with this id.
    fileprivate var name: String { prefix(1).uppercased() + dropFirst() }
}
