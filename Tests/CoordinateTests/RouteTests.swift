import Coordinate
import Testing

/// A shelf of items by number, each on top of the list.
private final class Shelf: Stack, StartsAtItsRoute {
    enum Route: DeclaredRoutes {
        case list
        case item(Int)

        static let declaration = RouteDeclaration<Self>(
            .route("", .list),
            .route("item/{item}", Self.item) { if case .item(let number) = $0 { number } else { nil } }
        )
    }

    var activeRoute: Route = .list

    func goTo(_ route: Route) {
        switch route {
        case .list: root(getCached(Leaf.self, identifier: "List") ?? Leaf("List"))
        case .item(let number): show(Leaf("Item \(number)"), sender: self)
        }
        activeRoute = route
    }
}

/// Two shelves, and a settings modal.
private final class Library: Tabs, HasRoutes {
    enum Route: DeclaredRoutes {
        case left
        case right

        static let declaration = RouteDeclaration<Self>(
            .nested("left", { (_: Shelf.Route?) in .left }) { $0 == .left ? .some(nil) : nil },
            .nested("right", { (_: Shelf.Route?) in .right }) { $0 == .right ? .some(nil) : nil })
    }

    let shelves = [Shelf("Left"), Shelf("Right")]
    var activeRoute: Route = .left

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators(shelves)
        goTo(activeRoute)
    }

    override func tabTapped(for coordinator: any Coordinating) {
        goTo(coordinator === shelves[0] ? .left : .right)
    }

    func goTo(_ route: Route) {
        select(shelves[route == .left ? 0 : 1])
        activeRoute = route
    }
}

private final class Settings: Leaf, HasRoutes {
    enum Route: DeclaredRoutes {
        case settings
        static let declaration = RouteDeclaration<Self>(.route("settings", .settings))
    }

    var activeRoute: Route = .settings

    func goTo(_ route: Route) { activeRoute = route }
}

struct RouteTests {
    private let library = Library("Library")

    init() throws {
        let library = library
        try library.turn { library.start() }
    }

    @Test func thePathIsTheActiveRoutesFromTheRootToTheLeaf() {
        #expect(library.navigationState.path == "/left")
        library.shelves[0].goTo(.item(3))
        #expect(library.navigationState.path == "/left/item/3")
        #expect(library.navigationState.leaf == "Library/Left/Item 3")
        #expect(library.navigationState.tree.route?.description == "left")
        #expect(library.navigationState.tree.children.map(\.route?.description) == ["item/3", nil])
    }

    @Test func backRestoresTheRouteOfTheScreenGoneBackTo() {
        library.shelves[0].goTo(.item(1))
        library.shelves[0].goTo(.item(2))
        library.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(library.shelves[0].activeRoute == .item(1))
        library.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(library.shelves[0].activeRoute == .list)
        #expect(library.navigationState.path == "/left")
    }

    @Test func popToRootRestoresTheRouteOfTheRoot() {
        for number in 1...3 { library.shelves[0].goTo(.item(number)) }
        library.visibleLeaf.emitEvent(NavigationEvents.popToRoot)
        #expect(library.navigationState.path == "/left")
    }

    @Test func aTabThatIsRevisitedHasTheRouteItShows() {
        library.shelves[0].goTo(.item(1))
        library.visibleLeaf.emitEvent(NavigationEvents.back)
        library.visibleLeaf.emitEvent(NavigationEvents.selectTab("Right"))
        #expect(library.navigationState.path == "/right")
        library.visibleLeaf.emitEvent(NavigationEvents.selectTab("Left"))
        #expect(library.navigationState.path == "/left")
        #expect(library.visibleLeaf.id == "Library/Left/List")
    }

    @Test func aScreenThatEndsByItselfUncoversTheRouteBelow() {
        let shelf = library.shelves[0]
        for number in 1...3 { shelf.goTo(.item(number)) }
        shelf.getCached(Leaf.self, identifier: "Item 2")?.stop()
        #expect(shelf.activeRoute == .item(3))
        shelf.getCached(Leaf.self, identifier: "Item 3")?.stop()
        #expect(shelf.activeRoute == .item(1))
        #expect(library.navigationState.breadcrumbs.map(\.path) == ["/left", "/left/item/1"])
    }

    @Test func breadcrumbsAreTheVisibleStackAndItsModals() {
        library.shelves[0].goTo(.item(1))
        library.shelves[0].goTo(.item(2))
        library.shelves[0].present(Settings("Settings"), animated: false)
        let state = library.navigationState
        #expect(state.breadcrumbs.map(\.title) == ["List", "Item 1", "Item 2", "Settings"])
        #expect(
            state.breadcrumbs.map(\.path) == ["/left", "/left/item/1", "/left/item/2", "/left/item/2/settings"])
        #expect(state.path == "/left/item/2/settings")
        #expect(state.dismiss?.event == "navigation.dismiss")
        #expect(state.dismiss?.title == "Close")
        #expect(state.back == nil)
        #expect(state.tabs.isEmpty)
    }

    @Test func aStackThatStartsAgainForgetsItsCoveredRoutes() throws {
        library.shelves[0].goTo(.item(1))
        library.shelves[0].goTo(.item(2))
        library.stop()
        library.shelves[0].activeRoute = .list
        try library.turn { library.start() }
        library.shelves[0].goTo(.item(3))
        #expect(library.navigationState.breadcrumbs.map(\.path) == ["/left", "/left/item/3"])
        library.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(library.navigationState.path == "/left")
    }

    @Test func aRouteIsRestoredWhenASectionLeavesTheTopAndTheMiddle() throws {
        let shelf = library.shelves[0]
        for number in 1...2 { shelf.goTo(.item(number)) }
        let owner = try #require(shelf.getCached(Leaf.self, identifier: "Item 2"))
        let section = SectionedNavigationController(for: owner)
        section.push(Leaf("Item 20"))
        shelf.activeRoute = .item(20)
        shelf.goTo(.item(3))
        section.push(Leaf("Item 30"))
        shelf.activeRoute = .item(30)
        #expect(items == ["1", "2", "20", "3", "30"])
        section.popToSectionRoot()
        #expect(items == ["1", "2", "3"])
        #expect(shelf.activeRoute == .item(3))
        section.popSection()
        #expect(items == ["1", "3"])
        library.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(shelf.activeRoute == .item(1))
    }

    private var items: [String] {
        library.navigationState.breadcrumbs.dropFirst().map { String($0.path.trimmingPrefix("/left/item/")) }
    }

    // MARK: Redirects on the way

    @Test func aRedirectInsideStartLeavesItsOwnRouteActive() throws {
        let shelf = library.shelves[0]
        let list = Leaf("Redirecting")
        list.probe.onStart = { [unowned shelf] in shelf.goTo(.item(1)) }
        try library.turn {
            shelf.root(list)
            shelf.activeRoute = .list
        }
        #expect(library.navigationState.breadcrumbs.map(\.path) == ["/left", "/left/item/1"])
        library.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(library.path == "/left")
    }

    @Test func aContainerLedElsewhereIsThere() throws {
        final class Gate: Box, HasRoutes {
            var activeRoute = Library.Route.left
            let home = Leaf("Home")

            func goTo(_ route: Library.Route) {
                root(route == .left ? home : Leaf("Login"))
                activeRoute = route
            }
        }
        let gate = Gate("Gate")
        gate.home.probe.onStart = { [unowned gate] in gate.goTo(.right) }
        try gate.turn {
            gate.start()
            gate.goTo(.left)
        }
        #expect(gate.visibleLeaf.id == "Gate/Login")
        #expect(gate.path == "/right")
    }

    @Test func aDeclarationListsThePatternsOfAllItsPaths() {
        #expect(Library.Route.declaration.patterns == ["left", "left/item/{item}", "right", "right/item/{item}"])
    }
}
