import Coordinate
import Testing

/// A stack whose routes belong to what it shows, in whatever order its statements are.
private final class Shop: Stack, HasRoutes {
    enum Route: DeclaredRoutes {
        case list
        case item(Int)
        case cart

        static let declaration = RouteDeclaration<Self>(
            .route("list", .list),
            .route("item/{item}", Self.item) { if case .item(let number) = $0 { number } else { nil } },
            .route("cart", .cart))
    }

    var activeRoute: Route = .list
    let list = Leaf("List")
    let cart = Leaf("Cart")

    func goTo(_ route: Route) {
        root(list, for: .list)
        switch route {
        case .list: break
        case .item(let number): show(Leaf("Item \(number)"), for: route)
        case .cart: present(cart, for: .cart)
        }
    }
}

private final class Tabbed: Tabs, HasRoutes {
    enum Route: DeclaredRoutes {
        case left, right, help

        static let declaration = RouteDeclaration<Self>(
            .route("left", .left), .route("right", .right), .route("help", .help))
    }

    var activeRoute: Route = .left
    let leaves = [Leaf("Left"), Leaf("Right")]

    func goTo(_ route: Route) {
        switch route {
        case .left: select(leaves[0], for: .left)
        case .right: select(leaves[1], for: .right)
        case .help: present(Leaf("Help"), for: .help)
        }
    }
}

/// A route belongs to what is shown.
struct ShownRouteTests {
    private let shop = Shop("Shop")

    init() throws {
        try shop.turn { [shop] in
            shop.start()
            shop.goTo(.list)
        }
    }

    private var crumbs: [String] { shop.navigationState.breadcrumbs.map(\.path) }

    @Test func aStackThatChangesUnderAModalLeavesThePathThatOfTheModal() {
        shop.goTo(.cart)
        #expect(shop.path == "/cart")
        shop.show(Leaf("Item 1"), for: .item(1))
        #expect(shop.path == "/cart")
        #expect(crumbs == ["/list", "/item/1", "/cart"])
        shop.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        #expect(shop.path == "/item/1")
        #expect(crumbs == ["/list", "/item/1"])
    }

    @Test func aPresenterThatGoesOnBeforeItDismissesIsWhereItWent() throws {
        shop.goTo(.cart)
        try shop.turn {
            shop.show(Leaf("Item 2"), for: .item(2))
            shop.dismiss()
        }
        #expect(shop.activeRoute == .item(2))
        #expect(crumbs == ["/list", "/item/2"])
    }

    @Test func somethingShownWithoutARouteHasTheOneBelow() {
        shop.show(Leaf("Item 1"), for: .item(1))
        shop.show(Leaf("Help"), sender: nil)
        #expect(crumbs == ["/list", "/item/1", "/item/1"])
        shop.getCached(Leaf.self, identifier: "Item 1")?.stop()
        #expect(shop.path == "/list")
        #expect(crumbs == ["/list", "/list"])
    }

    @Test func aRedirectInStartNeedsNoOrder() throws {
        let list = Leaf("Redirecting")
        list.probe.onStart = { [unowned shop] in shop.show(Leaf("Item 7"), for: .item(7)) }
        try shop.turn { shop.root(list, for: .list) }
        #expect(shop.activeRoute == .item(7))
        #expect(crumbs == ["/list", "/item/7"])
    }

    @Test func aSecondModalHasItsOwnRouteAndLeavesTheFirstOnes() {
        shop.goTo(.cart)
        shop.cart.present(Leaf("Nested"), animated: false)
        shop.present(Leaf("Item 3"), for: .item(3))
        #expect(shop.path == "/item/3")
        #expect(crumbs == ["/list", "/cart", "/cart", "/item/3"])
        shop.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        #expect(shop.path == "/cart")
    }

    @Test func aTabKeepsItsRoute() throws {
        let tabs = Tabbed("Tabs")
        try tabs.turn {
            tabs.start()
            tabs.setCoordinators(tabs.leaves)
            tabs.goTo(.left)
            tabs.goTo(.right)
        }
        tabs.select(tabs.leaves[0])
        #expect(tabs.path == "/left")
        tabs.goTo(.help)
        tabs.select(tabs.leaves[1])
        #expect(tabs.path == "/help")
        tabs.dismiss()
        #expect(tabs.path == "/right")
    }

    @Test func tabsWithRoutesNeedNoCodeForATap() throws {
        let tabs = Tabbed("Tabs")
        try tabs.turn {
            tabs.start()
            tabs.setCoordinators([(tabs.leaves[0], .left), (tabs.leaves[1], .right)])
        }
        tabs.visibleLeaf.emitEvent(NavigationEvents.selectTab("Right"))
        #expect(tabs.path == "/right")
        #expect(tabs.activeRoute == .right)
    }

    @Test func aTabThatNobodyHasGivenARouteHasNone() throws {
        let tabs = Tabbed("Tabs")
        try tabs.turn {
            tabs.start()
            tabs.setCoordinators(tabs.leaves)
            tabs.goTo(.left)
        }
        tabs.select(tabs.leaves[1])
        #expect(tabs.path == "/")
        tabs.select(tabs.leaves[0])
        #expect(tabs.path == "/left")
    }

    @Test func aRouteSetAfterAModalWasCoveredBelongsToWhatWasShown() throws {
        shop.goTo(.cart)
        try shop.turn {
            shop.show(Leaf("Item 4"), sender: nil)
            shop.activeRoute = .item(4)
        }
        #expect(shop.activeRoute == .cart)
        #expect(crumbs == ["/list", "/item/4", "/cart"])
    }

    @Test func aRouteSetBeforeSomethingIsShownBelongsToWhatWasThere() throws {
        try shop.turn {
            shop.activeRoute = .item(9)
            shop.show(Leaf("Item 8"), sender: nil)
        }
        shop.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(shop.path == "/item/9")
    }

    @Test func aContainerKeepsItsRouteUnderSomethingWithoutOne() throws {
        final class Switch: Box, HasRoutes {
            var activeRoute = Tabbed.Route.left
            func goTo(_ route: Tabbed.Route) { root(Leaf("\(route)"), for: route) }
        }
        let box = Switch("Box")
        try box.turn {
            box.start()
            box.goTo(.right)
        }
        box.root(Leaf("Help"))
        #expect(box.path == "/right")
    }

    @Test func aRequestThatWaitsKeepsItsOwnRoute() throws {
        let first = Leaf("First")
        first.probe.onStart = { [unowned shop] in
            shop.show(Leaf("Item 7"), for: .item(7))
            shop.activeRoute = .item(8)
        }
        try shop.turn { shop.show(first, sender: nil) }
        #expect(shop.path == "/item/7")
    }

    @Test func whatIsShownOnTheWayToItsEndHasNoRoute() throws {
        let item = Leaf("Item 5")
        item.probe.onStart = { [unowned item] in item.stop() }
        try shop.turn { shop.show(item, for: .item(5)) }
        #expect(shop.path == "/list")
        #expect(shop.visibleLeaf === shop.list)
    }

    @Test func anEntryOfASectionIsShownForARouteOfTheStack() {
        let section = SectionedNavigationController(for: shop.list)
        section.push(Leaf("Item 6"), for: Shop.Route.item(6))
        #expect(shop.activeRoute == .item(6))
        section.push(Leaf("Other"), for: Tabbed.Route.left)
        #expect(shop.visibleLeaf.identifier == "Other")
        #expect(shop.path == "/item/6")
        #expect(crumbs == ["/list", "/item/6", "/item/6"])
    }
}
