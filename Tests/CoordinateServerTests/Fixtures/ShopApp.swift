import Coordinate

/// A small shop. Its search has a query, and an order's routes are below its number.
struct ShopApp: CoordinatedApp {
    let name = "Shop"
    let version = "1.0"
    let events = EventCatalog()
    let routes = RouteCatalog(ShopCoordinator.Route.self)
    let coordinators: [CoordinatorNode.Type] = [
        ShopCoordinator.self, OrderCoordinator.self, ShopPageCoordinator.self,
    ]

    func makeRootCoordinator() -> CoordinatorNode { ShopCoordinator() }
}

final class ShopCoordinator: ContainerCoordinator<ViewController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case article(String)
        case search(String, page: Int?)
        case order(Int, OrderCoordinator.Route?)

        static let declaration = RouteDeclaration<Self>(
            .route("article/{article}", Self.article) { if case .article(let name) = $0 { name } else { nil } },
            .route("search?q={query}&page={page}", Self.search) {
                if case .search(let query, let page) = $0 { (query, page) } else { nil }
            },
            .nested("orders/{order}?tab={tab}", { order, tab, child in tab == "all" ? .order(order, child) : nil }) {
                if case .order(let order, let child) = $0 { (order, "all", child) } else { nil }
            }
        )
    }

    var activeRoute: Route = .search("", page: nil)

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }

    func goTo(_ route: Route) {
        switch route {
        case .article(let name): root(ShopPageCoordinator(title: name))
        case .search(let query, _): root(ShopPageCoordinator(title: query))
        case .order(let number, let child):
            let order = OrderCoordinator(number: number)
            order.goToOnceStarted(child)
            root(order)
            activeRoute = .order(number, nil)
            return
        }
        activeRoute = route
    }
}

final class OrderCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case overview
        case payment
        case note(String)

        static let declaration = RouteDeclaration<Self>(
            .route("", .overview),
            .route("again/payment", .payment),
            .route("note?text={text}", Self.note) { if case .note(let text) = $0 { text } else { nil } }
        )
    }

    var activeRoute: Route = .overview
    private let number: Int

    init(number: Int) {
        self.number = number
        super.init()
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }

    func goTo(_ route: Route) {
        root(ShopPageCoordinator(title: "Order \(number)"))
        activeRoute = .overview
        switch route {
        case .overview: break
        case .payment: show(ShopPageCoordinator(title: "Payment"), sender: self)
        case .note(let text): show(ShopPageCoordinator(title: text), sender: self)
        }
        activeRoute = route
    }
}

final class ShopPageCoordinator: Coordinator<ViewController> {
    init(title: String) {
        super.init()
        rootViewController.title = title
    }
}
