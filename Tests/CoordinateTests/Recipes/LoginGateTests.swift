import Coordinate
import Testing

private final class Account {
    var user: String?
}

private struct AppDependencies: AppDependenciesProtocol {
    let account: Account
}

private enum AppEvents: CoordinateEvents, Equatable {
    case showOrders
    case didLogIn(_ user: String)
    case logOut
}

private final class AppCoordinator: ContainerCoordinator<ViewController>, HasDependencies {
    var dependencies: AppDependencies?
    var activeRoute: Route = .home

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case AppEvents.showOrders:
            navigate(to: .orders(.list))
        case AppEvents.didLogIn(let user):
            dependencies?.account.user = user
        case AppEvents.logOut:
            dependencies?.account.user = nil
            navigate(to: .home)
        default:
            return false
        }
        return true
    }
}

extension AppCoordinator: HasRoutes {
    enum Route: DeclaredRoutes {
        case home
        case login
        case orders(OrdersCoordinator.Route?)

        static let declaration = RouteDeclaration<Self>(
            .route("home", .home),
            .route("login", .login),
            .nested("orders", Self.orders) { if case .orders(let route) = $0 { route } else { nil } }
        )
    }

    func goTo(_ route: Route) {
        switch route {
        case .home:
            root(getCached(HomeCoordinator.self) ?? HomeCoordinator(), for: .home)
        case .login:
            root(getCached(LoginCoordinator.self) ?? LoginCoordinator(), for: .login)
        case .orders(let route):
            let orders = getCached(OrdersCoordinator.self) ?? OrdersCoordinator()
            orders.goToOnceStarted(route)
            root(orders, for: .orders(nil))
        }
    }
}

extension AppCoordinator: HasGuard {
    func decide(on route: Route) -> RouteDecision<Route> {
        let isLoggedIn = dependencies?.account.user != nil
        switch route {
        case .orders where !isLoggedIn: return .redirected(to: .login, parking: .untilGranted)
        case .login where isLoggedIn: return .redirected(to: .home)
        default: return .granted
        }
    }
}

private final class HomeCoordinator: Coordinator<ViewController> {}

private final class LoginCoordinator: Coordinator<LoginViewController> {}

private final class LoginViewController: ViewController {
    override var actions: [Action] {
        [Action(title: "Not now", event: NavigationEvents.open("/home"))]
    }
}

private final class OrdersCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case list
        case order(_ number: Int)

        static let declaration = RouteDeclaration<Self>(
            .route("", .list),
            .route("{order}", Self.order) { if case .order(let number) = $0 { number } else { nil } }
        )
    }

    var activeRoute: Route = .list
    private let list = Coordinator<ViewController>()

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }

    func goTo(_ route: Route) {
        root(list, for: .list)
        if case .order = route { show(Coordinator<ViewController>(), for: route) }
    }
}

struct LoginGateTests {
    private let app = AppCoordinator()

    init() throws {
        app.setDependencies(dependencies: AppDependencies(account: Account()))
        try app.turn { app.start() }
    }

    @discardableResult
    private func emit(_ event: any CoordinateEvents) throws -> Dispatch {
        try app.turn { app.visibleLeaf.emitEvent(event) }
    }

    @Test func aLinkWaitsForTheLogin() throws {
        try emit(NavigationEvents.open("/orders/17"))
        #expect(app.path == "/login")
        #expect(app.navigationState.parked == "/orders/17")

        try emit(AppEvents.didLogIn("anna"))
        #expect(app.path == "/orders/17")
        #expect(app.navigationState.parked == nil)
        #expect(app.navigationState.breadcrumbs.map(\.path) == ["/orders", "/orders/17"])
    }
}
