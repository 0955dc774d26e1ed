public import Coordinate
import CoordinateMacros
import Testing

public final class ShopCoordinator: NavigationCoordinator<NavigationController> {
    public var activeRoute = Route.list
}

extension ShopCoordinator: HasRoutes {
    @Routes
    public enum Route {
        @Path("") case list
        @Path("product/{product}") case product(_ product: Product)
        @Path("search?q={query}&size={size}&page={page}") case search(String, Size?, page: Int?)
        @Path("compare/{product}/{product}") case compare(Product, Product)
        @Path("orders") case orders(OrderCoordinator.Route?)
        @Path("orders/{order}") case order(Int, OrderCoordinator.Route?)
        @Path("old/{product}/{order}?page={page}") case old(Product, order: Int, page: Int?, OrderCoordinator.Route?)
        @Path("default") case `default`
    }

    public func goTo(_ route: Route) {
        activeRoute = route
    }
}

public final class OrderCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    @Routes
    public enum Route: Equatable {
        @Path("overview") case overview
        @Path("again/payment") case payment
    }

    public var activeRoute = Route.overview

    public func goTo(_ route: Route) {
        activeRoute = route
    }
}

/// The same routes as `ShopCoordinator.Route`, declared by hand.
enum HandwrittenRoute: DeclaredRoutes {
    case list
    case product(_ product: Product)
    case search(String, Size?, page: Int?)
    case compare(Product, Product)
    case orders(OrderCoordinator.Route?)
    case order(Int, OrderCoordinator.Route?)
    case old(Product, order: Int, page: Int?, OrderCoordinator.Route?)
    case `default`

    static let declaration = RouteDeclaration<Self>(
        .route("", .list),
        .route("product/{product}", Self.product) { if case .product(let product) = $0 { product } else { nil } },
        .route("search?q={query}&size={size}&page={page}", Self.search) {
            if case .search(let query, let size, let page) = $0 { (query, size, page) } else { nil }
        },
        .route("compare/{product}/{product}", Self.compare) {
            if case .compare(let first, let second) = $0 { (first, second) } else { nil }
        },
        .nested("orders", Self.orders, endsHere: true) { if case .orders(let child) = $0 { child } else { nil } },
        .nested("orders/{order}", Self.order, endsHere: true) {
            if case .order(let order, let child) = $0 { (order, child) } else { nil }
        },
        .nested("old/{product}/{order}?page={page}", Self.old, endsHere: true) {
            if case .old(let product, let order, let page, let child) = $0 {
                (product, order, page, child)
            } else {
                nil
            }
        },
        .route("default", .default)
    )
}

struct RoutesUseTests {
    @Test func thePatternsEqualThoseOfADeclarationByHand() {
        #expect(RouteCatalog(ShopCoordinator.Route.self).patterns == RouteCatalog(HandwrittenRoute.self).patterns)
    }

    @Test(arguments: [
        (ShopCoordinator.Route.list, ""), (.product(.hat), "product/hat"),
        (.search("red shoes", nil, page: 2), "search?q=red%20shoes&page=2"),
        (.compare(.hat, .shoes), "compare/hat/shoes"), (.orders(.payment), "orders/again/payment"),
        (.order(17, .overview), "orders/17/overview"),
        (.old(.hat, order: 3, page: nil, .payment), "old/hat/3/again/payment"), (.default, "default"),
    ])
    func aRouteIsDecodedFromItsPath(_ route: ShopCoordinator.Route, _ text: String) throws {
        let declaration = ShopCoordinator.Route.declaration
        let path = try #require(declaration.wholePath(of: route))
        #expect(path.description == text)
        #expect(declaration.route(at: path, in: ShopDependencies()) == route)
    }

    @Test func thePathOfACaseAloneLeadsToIt() {
        let route = RoutePath("/orders/17").flatMap { ShopCoordinator.Route.declaration.route(at: $0, in: nil) }
        #expect(route == .order(17, nil))
    }

    @Test func aCoordinatorHasItsPath() throws {
        let shop = ShopCoordinator()
        try shop.turn { shop.start() }
        #expect(shop.visibleLeaf.emitEvent(NavigationEvents.open("/default")).isHandled)
        #expect(shop.activeRoute == .default)
    }
}
