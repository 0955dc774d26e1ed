import Coordinate
import Testing

private enum Account: DeclaredEvents, Equatable {
    case logIn, logOut
    case open(Int)

    static let declaration = EventDeclaration<Self>(
        "account", .event("logIn", .logIn), .event("logOut", .logOut),
        .event("open", Self.open, "order") { if case .open(let order) = $0 { order } else { nil } })
}

private enum AppRoute: DeclaredRoutes {
    case home
    case login
    case orders(GuardedOrdersRoute?)

    static let declaration = RouteDeclaration<Self>(
        .route("home", .home), .route("login", .login),
        .nested("orders", Self.orders) { if case .orders(let route) = $0 { route } else { nil } })
}

enum GuardedOrdersRoute: DeclaredRoutes {
    case list
    case order(Int)
    case terms

    static let declaration = RouteDeclaration<Self>(
        .route("", .list),
        .route("{order}", Self.order) { if case .order(let number) = $0 { number } else { nil } },
        .route("new/terms", .terms))
}

private final class App: Box, HasRoutes, HasGuard {
    var activeRoute: AppRoute = .home
    var isLoggedIn = false
    var parking = Parking.untilGranted
    var orders = GuardedOrders("Orders")
    var log: [String] { probe.log.lines }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        navigate(to: activeRoute)
    }

    func goTo(_ route: AppRoute) {
        switch route {
        case .home: root(Leaf("Home", log: probe.log), for: .home)
        case .login: root(Leaf("Login", log: probe.log), for: .login)
        case .orders(let route):
            orders.goToOnceStarted(route)
            root(orders, for: .orders(nil))
        }
    }

    func decide(on route: AppRoute) -> RouteDecision<AppRoute> {
        switch route {
        case .orders where !isLoggedIn: .redirected(to: .login, parking: parking)
        default: .granted
        }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case Account.logIn: isLoggedIn = true
        case Account.logOut: isLoggedIn = false
        case Account.open(let order): navigate(to: .orders(.order(order)))
        default: return false
        }
        return true
    }
}

final class GuardedOrders: Stack, StartsAtItsRoute, HasGuard {
    var activeRoute: GuardedOrdersRoute = .list
    var areTermsAccepted = true

    func goTo(_ route: GuardedOrdersRoute) {
        root(getCached(Leaf.self, identifier: "List") ?? Leaf("List", log: probe.log), for: .list)
        switch route {
        case .list: break
        case .order(let number): show(Leaf("Order \(number)", log: probe.log), for: route)
        case .terms: show(Leaf("Terms", log: probe.log), for: route)
        }
    }

    func decide(on route: GuardedOrdersRoute) -> RouteDecision<GuardedOrdersRoute> {
        if case .order = route, !areTermsAccepted { .redirected(to: .terms, parking: .untilGranted) } else { .granted }
    }
}

/// Guards are asked for deep links, for `navigate(to:)`, and after every turn.
struct GuardTests {
    private let app = App("App")

    init() throws { try app.turn { [app] in app.start() } }

    private func open(_ path: String) -> Dispatch { app.visibleLeaf.emitEvent(NavigationEvents.open(path)) }

    private var parked: String? { app.navigationState.parked }

    @Test func aNewerLinkDropsTheParkedOne() {
        _ = open("/orders/17")
        _ = open("/home")
        #expect(parked == nil)
        app.visibleLeaf.emitEvent(Account.logIn)
        #expect(app.path == "/home")
        app.visibleLeaf.emitEvent(Account.logOut)
        _ = open("/orders/17")
        _ = open("/orders/18")
        #expect(parked == "/orders/18")
        #expect(!open("/nowhere").isHandled)
        #expect(parked == "/orders/18")
    }

    @Test func aLinkToWhereTheAppIsKeepsTheParkedOne() {
        _ = open("/orders/17")
        #expect(open("/login").isHandled)
        #expect(parked == "/orders/17")
    }

    @Test func aScreenThatIsRefusedIsNeverActivated() {
        _ = open("/orders/17")
        #expect(!app.log.contains { $0.hasPrefix("Order") })
        app.goTo(.orders(.order(17)))
        #expect(app.path == "/login")
        #expect(!app.log.contains("Order 17 activate"))
    }

    @Test func anInnerGuardIsAskedAfterTheOuter() {
        app.orders.areTermsAccepted = false
        _ = open("/orders/17")
        #expect(app.path == "/login")
        app.visibleLeaf.emitEvent(Account.logIn)
        #expect(app.path == "/orders/new/terms")
        #expect(parked == "/orders/17")
        app.orders.areTermsAccepted = true
        app.visibleLeaf.emitEvent(Ping.ping)
        #expect(app.path == "/orders/17")
        #expect(parked == nil)
    }

    /// Otherwise the inner guard would redirect first, and the outer one would park where that leads.
    @Test(arguments: [false, true]) func ofTwoGuardsThatRefuseTheOuterOneRedirects(isNavigating: Bool) throws {
        app.visibleLeaf.emitEvent(Account.logIn)
        _ = open("/orders/17")
        try app.turn { [app] in
            app.isLoggedIn = false
            app.orders.areTermsAccepted = false
            if isNavigating { app.orders.navigate(to: .order(3)) }
        }
        #expect(app.path == "/login")
        #expect(parked == (isNavigating ? "/orders/3" : "/orders/17"))
    }

    @Test func aParkedLinkEndsWithItsGuard() {
        app.orders.areTermsAccepted = false
        app.visibleLeaf.emitEvent(Account.logIn)
        _ = open("/orders/17")
        #expect(parked == "/orders/17")
        app.goTo(.home)
        #expect(app.path == "/home")
        #expect(parked == nil)
    }

    @Test func aParkedLinkEndsWithTheApp() throws {
        _ = open("/orders/17")
        app.stop()
        app.activeRoute = .home
        try app.turn { [app] in app.start() }
        #expect(parked == nil)
        app.visibleLeaf.emitEvent(Account.logIn)
        #expect(app.path == "/home")
    }

    @Test func aLinkParkedUntilDismissedIsForgottenWhenTheAppLeavesTheLogin() {
        app.parking = .untilDismissed
        _ = open("/orders/17")
        app.visibleLeaf.emitEvent(Ping.ping)
        #expect(parked == "/orders/17")
        app.present(Leaf("Help"), animated: false)
        app.dismiss()
        #expect(parked == "/orders/17")
        app.goTo(.home)
        #expect(parked == nil)
        app.visibleLeaf.emitEvent(Account.logIn)
        #expect(app.path == "/home")
    }

    @Test func aLogoutThatForgetsTheParkedLinkParksNone() throws {
        app.visibleLeaf.emitEvent(Account.logIn)
        _ = open("/orders/17")
        try app.turn { [app] in
            app.isLoggedIn = false
            app.forgetParkedLink()
        }
        #expect(app.path == "/login")
        #expect(parked == nil)
        _ = open("/orders/17")
        #expect(parked == "/orders/17")
    }

    @Test func aParkedLinkCanBeForgotten() {
        _ = open("/orders/17")
        app.orders.forgetParkedLink()
        #expect(parked == "/orders/17", "A coordinator outside of the tree has another one.")
        app.forgetParkedLink()
        #expect(parked == nil)
        app.visibleLeaf.emitEvent(Account.logIn)
        #expect(app.path == "/login")
    }

    /// A screen without a route is at the route of the screen below, and guards decide on that.
    @Test(arguments: [false, true]) func aScreenWithoutARouteIsRefusedWithTheOneBelow(isModal: Bool) {
        app.visibleLeaf.emitEvent(Account.logIn)
        _ = open("/orders/17")
        let screen = Leaf("Plain")
        if isModal { app.orders.present(screen) } else { app.orders.show(screen, sender: nil) }
        #expect(app.path == "/orders/17")
        app.visibleLeaf.emitEvent(Account.logOut)
        #expect(app.path == "/login")
        #expect(!screen.isStarted)
    }

    @Test func aScreenWithoutARouteEndsBelowAModal() {
        app.visibleLeaf.emitEvent(Account.logIn)
        _ = open("/orders/17")
        let screen = Leaf("Plain")
        app.orders.show(screen, sender: nil)
        app.present(Leaf("Help"), for: .home)
        app.visibleLeaf.emitEvent(Account.logOut)
        #expect(app.path == "/home")
        #expect(!screen.isStarted)
        #expect(app.navigationState.breadcrumbs.map(\.path) == ["/home"])
    }

    @Test func theRouteToBeginWithIsGuarded() throws {
        let app = App("App")
        app.activeRoute = .orders(.order(1))
        try app.turn { app.start() }
        #expect(app.path == "/login")
        #expect(app.navigationState.parked == "/orders/1")
    }

    private final class Circle: Box, HasRoutes, HasGuard {
        enum Route: DeclaredRoutes {
            case here, there
            static let declaration = RouteDeclaration<Self>(.route("here", .here), .route("there", .there))
        }

        var activeRoute: Route = .here
        func goTo(_ route: Route) { root(Leaf("\(route)"), for: route) }
        func decide(on route: Route) -> RouteDecision<Route> { .redirected(to: route == .here ? .there : .here) }
    }

    @Test func guardsThatGoInCirclesFailTheTurnAndAreFreed() {
        weak var freed: Circle?
        do {
            let circle = Circle("Circle")
            freed = circle
            let failure = failure(of: circle) {
                circle.start()
                circle.goTo(.here)
            }
            #expect(failure == .guardsGoInCircles(coordinator: "Circle"))
        }
        #expect(freed == nil)
    }
}
