import Coordinate
import SeededGenerator
import Testing

/// A stack whose routes have queries, on top of its list.
private final class Orders: Stack, StartsAtItsRoute {
    var activeRoute: OrderRoute = .overview

    func goTo(_ route: OrderRoute) {
        root(getCached(Leaf.self, identifier: "List") ?? Leaf("List"))
        activeRoute = .overview
        switch route {
        case .overview: return
        case .deeper(let level, let child):
            let help = Help("Help \(level)")
            help.goToOnceStarted(child)
            show(help, sender: self)
            activeRoute = .deeper(level, nil)
        default:
            show(Leaf("Details"), sender: self)
            activeRoute = route
        }
    }
}

private final class Help: Leaf, HasRoutes {
    var activeRoute: HelpRoute = .help

    func goTo(_ route: HelpRoute) { activeRoute = route }
}

/// A root whose children's paths stand below values, before its own query, and in place of its own.
private final class Shop: Box, StartsAtItsRoute {
    var activeRoute: ShopRoute = .home

    func goTo(_ route: ShopRoute) {
        switch route {
        case .order(let order, let child):
            goTo(child)
            activeRoute = .order(order, nil)
        case .shelf(let shelf, let row, let child):
            goTo(child)
            activeRoute = .shelf(shelf, row, nil)
        case .box(let row, let column, let label, let child):
            goTo(child)
            activeRoute = .box(row, column, label: label, nil)
        case .help(let child):
            let help = Help("Help")
            help.goToOnceStarted(child)
            root(help)
            activeRoute = .help(nil)
        default:
            root(Leaf("Page"))
            activeRoute = route
        }
    }

    private func goTo(_ child: OrderRoute?) {
        let orders = Orders("Orders")
        orders.goToOnceStarted(child)
        root(orders)
    }

    static func started() throws -> Shop {
        let shop = Shop("Shop")
        try shop.turn { shop.start() }
        return shop
    }
}

extension NavigationState {
    /// The routes of all nodes, in document order.
    fileprivate var routes: [RoutePath?] {
        func routes(_ node: Node) -> [RoutePath?] { [node.route] + node.children.flatMap(routes) }
        return routes(tree)
    }
}

/// Deep links that have queries, in a tree.
struct QueryLinkTests {
    private let shop: Shop

    init() throws { shop = try Shop.started() }

    @discardableResult private func open(_ link: String) -> Bool {
        shop.visibleLeaf.emitEvent(NavigationEvents.open(link)).isHandled
    }

    @Test(arguments: UInt64(1)...10) func aPathThatIsShownCanBeOpened(seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        for _ in 0..<100 {
            let route = ShopRoute.random(using: &generator)
            shop.goTo(route)
            let state = shop.navigationState
            #expect(shop.path == ShopRoute.declaration.wholePath(of: route).map { "/\($0)" })
            #expect(state.path == shop.path)
            #expect(state.breadcrumbs.last?.path == state.path)
            for crumb in state.breadcrumbs.map(\.path) + [state.path] {
                let other = try Shop.started()
                #expect(other.visibleLeaf.emitEvent(NavigationEvents.open(crumb)).isHandled, "\(crumb)")
                #expect(other.path == crumb)
                guard crumb == state.path else { continue }
                #expect(other.navigationState.breadcrumbs == state.breadcrumbs)
                #expect(other.navigationState.routes == state.routes)
            }
        }
    }

    @Test func theQueryStandsBehindTheRoutesOfAllInView() {
        #expect(open("/shelf/a/item/b?from=c+d&row=1"))
        #expect(shop.path == "/shelf/a/item/b?row=1&from=c%20d")
        let state = shop.navigationState
        #expect(state.tree.route?.description == "shelf/a?row=1")
        #expect(state.tree.children.first?.route?.description == "item/b?from=c%20d")
        #expect(state.breadcrumbs.map(\.path) == ["/shelf/a?row=1", "/shelf/a/item/b?row=1&from=c%20d"])
        shop.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(shop.path == "/shelf/a?row=1")
    }

    @Test func whereTheTreeIsAlreadyNothingChanges() {
        open("/shelf/a/item/b?row=1&from=c")
        let leaf = shop.visibleLeaf
        #expect(open("/%73helf/a/item/b?from=%63&row=1"))
        #expect(shop.visibleLeaf === leaf)
        #expect(open("/shelf/a/item/b?row=2&from=c"))
        #expect(shop.visibleLeaf !== leaf)
        #expect(shop.path == "/shelf/a/item/b?row=2&from=c")
    }

    @Test(arguments: [
        "/search", "/search?q=a&p=b", "/search?q=a&q=b", "/search?q=a#top", "/search?q=%zz", "/orders/17?q=a",
    ])
    func anUnknownPathIsNotHandledAndChangesNothing(link: String) {
        open("/search?q=shoes")
        #expect(!open(link))
        #expect(shop.path == "/search?q=shoes")
    }
}
