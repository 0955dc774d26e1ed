import Coordinate

/// Two shelves and a single screen as tabs. Each sets its route after it has shown something.
final class Library: Tabs, HasRoutes {
    enum Route: DeclaredRoutes {
        case left(Shelf.Route?)
        case right(Shelf.Route?)
        case about

        static let declaration = RouteDeclaration<Self>(
            .nested("left", Self.left) { if case .left(let route) = $0 { route } else { nil } },
            .nested("right", Self.right) { if case .right(let route) = $0 { route } else { nil } },
            .route("about", .about))
    }

    let left: Shelf
    let right: Shelf
    let about: Leaf
    var activeRoute: Route = .left(nil)

    init(log: Log = Log()) {
        left = Shelf("Left", log: log)
        right = Shelf("Right", log: log)
        about = Leaf("About", log: log)
        super.init("Library", log: log)
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([left, right, about])
        goTo(activeRoute)
    }

    func goTo(_ route: Route) {
        switch route {
        case .left(let route):
            left.goToOnceStarted(route)
            select(left)
            activeRoute = .left(nil)
        case .right(let route):
            right.goToOnceStarted(route)
            select(right)
            activeRoute = .right(nil)
        case .about:
            select(about)
            activeRoute = .about
        }
    }

    static func started(log: Log = Log()) throws -> Library {
        let library = Library(log: log)
        try library.turn { library.start() }
        _ = log.flush()
        return library
    }

    @discardableResult
    func open(_ path: String) -> Dispatch { visibleLeaf.emitEvent(NavigationEvents.open(path)) }

    /// A part of a shelf, with values of two kinds.
    final class Shelf: Stack, StartsAtItsRoute {
        enum Route: DeclaredRoutes {
            case list
            case item(Int)
            case note(String)
            case search(String)
            case pair(Int, Int)

            static let declaration = RouteDeclaration<Self>(
                .route("", .list),
                .route("item/{item}", Self.item) { if case .item(let number) = $0 { number } else { nil } },
                .route("note/{note}", Self.note) { if case .note(let text) = $0 { text } else { nil } },
                .route("search?q={query}", Self.search) { if case .search(let query) = $0 { query } else { nil } },
                .route("pair/{item}/{item}", { $0 == $1 ? nil : .pair($0, $1) }) {
                    if case .pair(let one, let other) = $0 { (one, other) } else { nil }
                })
        }

        var activeRoute: Route = .list

        /// Builds the whole stack.
        func goTo(_ route: Route) {
            root(getCached(Leaf.self, identifier: "List") ?? Leaf("List", log: probe.log))
            activeRoute = .list
            push(route)
        }

        func push(_ route: Route) {
            switch route {
            case .list: break
            case .item(let number): show(Leaf("Item \(number)", log: probe.log), sender: self)
            case .note(let text): show(Leaf("Note \(text)", log: probe.log), sender: self)
            case .search(let query): show(Leaf("Search \(query)", log: probe.log), sender: self)
            case .pair(let one, let other): show(Leaf("Pair \(one) \(other)", log: probe.log), sender: self)
            }
            activeRoute = route
        }
    }
}
