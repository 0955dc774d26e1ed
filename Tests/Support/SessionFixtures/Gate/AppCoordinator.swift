import Coordinate

/// The root: a stack with home at the bottom. Orders need a login.
final class AppCoordinator: NavigationCoordinator<NavigationController>, HasDependencies {
    var dependencies: AppDependencies?
    var activeRoute: Route = .home

    private let home = HomeCoordinator()

    // MARK: - Events

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case AppEvents.Account.logIn: dependencies?.account.isLoggedIn = true
        case AppEvents.Account.logOut: dependencies?.account.isLoggedIn = false
        case AppEvents.Form.open: navigate(to: .form)
        case AppEvents.Orders.open: navigate(to: .orders)
        case AppEvents.Orders.didSelect(let order): navigate(to: .order(order))
        default: return false
        }
        return true
    }
}

extension AppCoordinator: HasRoutes {
    enum Route: Equatable {
        case home
        case login
        case form
        case orders
        case order(_ number: Int)
    }

    func goTo(_ route: Route) {
        root(home, for: .home)
        switch route {
        case .home:
            break
        case .login:
            show(LoginCoordinator(), for: .login)
        case .form:
            show(FormCoordinator(), for: .form) { [weak self] note in
                if let note { self?.dependencies?.account.note = note }
            }
        case .orders:
            show(OrdersCoordinator(), for: .orders)
        case .order(let number):
            show(OrdersCoordinator(), for: .orders)
            show(OrderCoordinator(number), for: route)
        }
    }
}

extension AppCoordinator: HasGuard {
    func decide(on route: Route) -> RouteDecision<Route> {
        let isLoggedIn = dependencies?.account.isLoggedIn == true
        return switch route {
        case .orders, .order: isLoggedIn ? .granted : .redirected(to: .login, parking: .untilGranted)
        case .login: isLoggedIn ? .redirected(to: .home) : .granted
        case .home, .form: .granted
        }
    }
}

extension AppCoordinator.Route: DeclaredRoutes {
    static let declaration = RouteDeclaration<Self>(
        .route("home", .home),
        .route("login", .login),
        .route("form", .form),
        .route("orders", .orders),
        .route("orders/{order}", Self.order) { if case .order(let number) = $0 { number } else { nil } }
    )
}
