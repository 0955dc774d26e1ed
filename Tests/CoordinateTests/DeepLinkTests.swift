import Coordinate
import Testing

struct RouteReadingTests {
    @Test func aCatalogListsThePatterns() {
        #expect(
            RouteCatalog(Library.Route.self).patterns == [
                "left", "left/item/{item}", "left/note/{note}", "left/search?q={query}", "left/pair/{item}/{item}",
                "right", "right/item/{item}", "right/note/{note}", "right/search?q={query}",
                "right/pair/{item}/{item}", "about",
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

    @Test(arguments: [
        "/nowhere", "/left/item/x", "", "left", "/", "/left/", "/left//item/1", "/left/note/%FF", "/left/search",
        "/left/search?q=a&p=b", "/left/search?q=a&q=b", "/left/search?q=a#top", "/left/item/1?q=a",
    ])
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

    @Test func aQueryIsPartOfThePath() throws {
        let library = try Library.started()
        #expect(library.open("/left/search?q=a+b").isHandled)
        #expect(library.path == "/left/search?q=a%20b")
        #expect(library.navigationState.breadcrumbs.map(\.path) == ["/left", "/left/search?q=a%20b"])
        let leaf = library.visibleLeaf
        #expect(library.open("/left/search?q=%61%20b").isHandled)
        #expect(library.visibleLeaf === leaf)
        #expect(library.open("/left/search?q=b").isHandled)
        #expect(library.visibleLeaf !== leaf)
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
