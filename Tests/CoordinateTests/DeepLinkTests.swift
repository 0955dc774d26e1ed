import Coordinate
import Testing

/// A part of a shelf, with values of two kinds.
private final class Shelf: Stack, StartsAtItsRoute {
    enum Route: DeclaredRoutes {
        case list
        case item(Int)
        case note(String)
        case pair(Int, Int)

        static let declaration = RouteDeclaration<Self>(
            .route("", .list),
            .route("item/{item}", Self.item) { if case .item(let number) = $0 { number } else { nil } },
            .route("note/{note}", Self.note) { if case .note(let text) = $0 { text } else { nil } },
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
        case .pair(let one, let other): show(Leaf("Pair \(one) \(other)", log: probe.log), sender: self)
        }
        activeRoute = route
    }
}

private final class Library: Tabs, HasRoutes {
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
}

extension NavigationState {
    /// What can be seen, from the root down.
    fileprivate var visibleNodes: [String] {
        var ids: [String] = []
        var next: Node? = tree
        while let node = next {
            ids.append("\(node.id) \(node.route?.description ?? "-")")
            next = node.presented.first ?? node.index.map { node.children[$0] }
        }
        return ids
    }
}

struct RouteReadingTests {
    private static let routes: [Library.Route] = {
        let shelf: [Shelf.Route] = [
            .list, .item(3), .item(-3), .item(.max), .note("a"), .note("a/b"), .note("ö %?#{x}"), .note("item"),
            .note(""), .note("/"), .note("."), .note(".."), .note("?a=b&c=d+e"), .pair(1, 2), .pair(2, 1),
        ]
        return shelf.map { .left($0) } + shelf.map { .right($0) } + [.about]
    }()

    @Test func aDeclarationReadsWhatItWrites() throws {
        let library = try Library.started()
        var seen: Set<String> = []
        for route in Self.routes {
            library.goTo(route)
            let path = library.path
            #expect(seen.insert(path).inserted, "\(path)")
            #expect(RouteCatalog(Library.Route.self).contains(try #require(RoutePath(path)), in: nil), "\(path)")
            let other = try Library.started()
            #expect(other.open(path).isHandled, "\(path)")
            #expect(other.path == path)
            #expect(other.navigationState == library.navigationState || library.right.isStarted)
            #expect(other.navigationState.visibleNodes == library.navigationState.visibleNodes)
        }
    }

    @Test(arguments: [
        "/", "/left/item", "/left/item/", "/left/item/x", "/left/item/1.5", "/left/item/1/2", "/left/pair/1",
        "/left/pair/1/1", "/left/pair/1/x", "/left/pair/1/2/3", "/middle", "/about/more", "/Left", "/left/list",
        "/left/item/99999999999999999999", "/left/", "//left", "/left//item/1", "/left/note//", "/left/note/a/",
        "/left?",
        "/left?q=", "/left/note/a?q=b", "/left/note/a?note=a", "/left#", "/left/note/a#b",
    ])
    func whatNoPatternFitsLeadsNowhere(path: String) {
        #expect(RoutePath(path).map { RouteCatalog(Library.Route.self).contains($0, in: nil) } != true)
    }

    @Test func aCatalogListsThePatterns() {
        #expect(
            RouteCatalog(Library.Route.self).patterns == [
                "left", "left/item/{item}", "left/note/{note}", "left/pair/{item}/{item}",
                "right", "right/item/{item}", "right/note/{note}", "right/pair/{item}/{item}", "about",
            ])
        #expect(RouteCatalog().patterns.isEmpty)
        #expect(!RouteCatalog().contains(.empty, in: nil))
    }

    @Test func aValueIsLookedUpInTheDependencies() throws {
        struct Names: AppDependenciesProtocol { let names: [String] }
        struct Name: PlainValueConvertible, Equatable {
            let text: String
            static let plainType = PlainType.string
            var plainValue: PlainValue { .string(text) }

            static func resolve(
                _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
            ) throws(PlainValueError) -> Name {
                guard let text = value.string, (dependencies as? Names)?.names.contains(text) == true else {
                    throw PlainValueError("is unknown")
                }
                return Name(text: text)
            }
        }
        enum Route: DeclaredRoutes {
            case name(Name)
            static let declaration = RouteDeclaration<Self>(
                .route("{name}", Self.name) { if case .name(let name) = $0 { name } else { nil } })
        }
        let catalog = RouteCatalog(Route.self)
        let path = try #require(RoutePath("/ada"))
        #expect(catalog.contains(path, in: Names(names: ["ada"])))
        #expect(!catalog.contains(path, in: Names(names: [])))
        #expect(!catalog.contains(path, in: nil))
    }
}

struct DeepLinkTests {
    @Test func theRootHandlesIt() throws {
        let library = try Library.started()
        let dispatch = library.open("/right/item/3")
        #expect(dispatch.handledBy == "Library")
        #expect(dispatch.trace.map(\.coordinator) == ["Library/Left/List", "Library/Left", "Library"])
        #expect(library.path == "/right/item/3")
        #expect(library.visibleLeaf.id == "Library/Right/Item 3")
    }

    @Test func theBackStackIsBuilt() throws {
        let library = try Library.started()
        library.open("/left/pair/1/2")
        #expect(library.navigationState.breadcrumbs.map(\.path) == ["/left", "/left/pair/1/2"])
        #expect(library.navigationState.back?.title == "List")
        library.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(library.path == "/left")
        #expect(library.navigationState.back == nil)
    }

    @Test(arguments: ["/nowhere", "/left/item/x", "", "left", "/", "/left/", "/left//item/1", "/left/note/%FF"])
    func anUnknownPathIsNotHandledAndChangesNothing(path: String) throws {
        let log = Log()
        let library = try Library.started(log: log)
        library.open("/left/item/1")
        _ = log.flush()
        let before = library.navigationState
        let dispatch = library.open(path)
        #expect(!dispatch.isHandled)
        #expect(dispatch.handledBy == nil)
        #expect(library.navigationState == before)
        #expect(log.flush().isEmpty)
    }

    @Test(arguments: ["/left/item/1", "/left/item%2F1", "/%6Ceft/item/1"])
    func whereTheTreeIsAlreadyNothingChanges(path: String) throws {
        let log = Log()
        let library = try Library.started(log: log)
        for number in [1, 2, 1] { library.left.push(.item(number)) }
        _ = log.flush()
        let before = library.navigationState
        let dispatch = library.open(path)
        #expect(dispatch.isHandled == !path.contains("%2F"))
        #expect(library.navigationState == before)
        #expect(library.navigationState.breadcrumbs.count == 4)
        #expect(log.flush().isEmpty)
    }

    @Test(arguments: ["/left", "/left/item/7", "/left/note/a%2Fb", "/right", "/right/pair/4/5", "/about"])
    func aLinkShowsTheSameFromEverywhere(path: String) throws {
        let cold = Library()
        cold.start()
        cold.open(path)
        let routes: [Library.Route] = [
            .left(.item(1)), .left(.note("x")), .right(nil), .right(.item(7)), .about, .left(.pair(4, 5)),
        ]
        for route in routes {
            let warm = try Library.started()
            warm.goTo(route)
            warm.goTo(.right(nil))
            warm.right.push(.item(9))
            warm.goTo(route)
            #expect(warm.open(path).isHandled)
            #expect(warm.navigationState.visibleNodes == cold.navigationState.visibleNodes, "\(path) from \(route)")
            #expect(warm.navigationState.breadcrumbs == cold.navigationState.breadcrumbs, "\(path) from \(route)")
            #expect(warm.path == path)
        }
    }

    @Test func otherTabsAreLeftAlone() throws {
        let library = try Library.started()
        library.left.push(.item(1))
        library.left.push(.item(2))
        library.open("/right/item/3")
        library.right.push(.item(4))
        let left = library.left.rootViewController.viewControllers.map(ObjectIdentifier.init)
        let right = library.right.rootViewController.viewControllers.map(ObjectIdentifier.init)
        library.open("/about")
        #expect(library.left.rootViewController.viewControllers.map(ObjectIdentifier.init) == left)
        #expect(library.right.rootViewController.viewControllers.map(ObjectIdentifier.init) == right)
        library.open("/right/note/x")
        #expect(library.left.rootViewController.viewControllers.map(ObjectIdentifier.init) == left)
        #expect(library.left.activeRoute == .item(2))
        library.open("/left")
        #expect(library.right.rootViewController.viewControllers.map(\.title) == ["List", "Note x"])
    }

    @Test func aTabThatWasNeverSelectedStaysUnstarted() throws {
        let library = try Library.started()
        library.open("/about")
        #expect(!library.right.isStarted)
        library.open("/right/item/1")
        #expect(library.right.rootViewController.viewControllers.map(\.title) == ["List", "Item 1"])
    }

    @Test func whoeverIsOnTheWayMayInterceptIt() throws {
        let library = try Library.started()
        library.left.probe.onEvent = { $0 as? NavigationEvents == .open("/about") }
        #expect(library.open("/about").handledBy == "Library/Left")
        #expect(library.path == "/left")
        #expect(library.open("/right").handledBy == "Library")
    }

    @Test func aRootWithoutRoutesOpensNothing() {
        let (stack, _) = Stack.started("A")
        #expect(!stack.visibleLeaf.emitEvent(NavigationEvents.open("/a")).isHandled)
        #expect(!stack.visibleLeaf.emitEvent(NavigationEvents.open("/")).isHandled)
    }
}
