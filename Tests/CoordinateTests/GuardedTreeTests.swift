import Coordinate
import Testing

private enum Account: DeclaredEvents, Equatable {
    case logIn, logOut, remind

    static let declaration = EventDeclaration<Self>(
        "account", .event("logIn", .logIn), .event("logOut", .logOut), .event("remind", .remind))
}

private enum AppRoute: DeclaredRoutes {
    case home
    case orders(Int?)
    case terms

    static let declaration = RouteDeclaration<Self>(
        .route("home", .home),
        .route("orders/{order}", Self.orders) { if case .orders(let order?) = $0 { order } else { nil } },
        .route("orders", .orders(nil)), .route("terms", .terms))
}

/// What an account is, and what guards refuse without one.
private protocol Guarding: HasGuard where RouteType == AppRoute { var isLoggedIn: Bool { get set } }

extension Guarding {
    func decide(on route: AppRoute) -> RouteDecision<AppRoute> {
        if case .orders = route, !isLoggedIn { .redirected(to: .home) } else { .granted }
    }

    fileprivate func react(to event: any CoordinateEvents) -> Bool {
        switch event {
        case Account.logIn: isLoggedIn = true
        case Account.logOut: isLoggedIn = false
        default: return false
        }
        return true
    }
}

private final class TabApp: Tabs, Guarding {
    var activeRoute: AppRoute = .home
    var isLoggedIn = true
    let home = Stack("Home")
    let orders = GuardedOrders("Orders")

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        home.root(Leaf("Start"))
        setCoordinators([home, orders])
    }

    func goTo(_ route: AppRoute) {
        switch route {
        case .orders: select(orders, for: .orders(nil))
        default: select(home, for: .home)
        }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool { react(to: event) }
}

private final class StackApp: Stack, Guarding {
    var activeRoute: AppRoute = .home
    var isLoggedIn = true

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(.home)
    }

    func goTo(_ route: AppRoute) {
        switch route {
        case .home: root(getCached(Leaf.self, identifier: "Home") ?? Leaf("Home", log: probe.log), for: .home)
        case .orders(let order): show(Leaf("Order \(order ?? 0)", log: probe.log), for: route)
        case .terms: show(Leaf("Terms", log: probe.log), for: .terms)
        }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool { react(to: event) }
}

/// What a guard refuses is not in the tree, whether it is visible or not.
struct GuardedTreeTests {
    private func started<App: Guarding & CoordinatorNode>(_ app: App) throws -> App {
        try app.turn { app.start() }
        return app
    }

    private func names(of app: CoordinatorNode) -> [String] { app.startedCoordinators.map(\.identifier) }

    @Test func aHiddenTabGoesBackToNotStarted() throws {
        let app = try started(TabApp("App"))
        app.navigate(to: .orders(nil))
        app.orders.goTo(.order(1001))
        let order = app.visibleLeaf
        app.navigate(to: .home)
        #expect(names(of: app) == ["App", "Home", "Start", "Orders", "List", "Order 1001"])
        app.visibleLeaf.emitEvent(Account.logOut)
        #expect(app.path == "/home")
        #expect(names(of: app) == ["App", "Home", "Start"])
        #expect(app.navigationState.tabs.map(\.title) == ["Home", "Orders"])
        #expect(app.orders.childCoordinators.isEmpty)
        #expect(order.parentCoordinator == nil)
        #expect(app.coordinator(withID: "App/Orders/List") == nil)
        #expect(!order.emitEvent(Account.logIn).isHandled)
    }

    @Test func aTabStartsAnewOnceItIsGranted() throws {
        let app = try started(TabApp("App"))
        app.navigate(to: .orders(nil))
        app.orders.goTo(.order(1001))
        app.navigate(to: .home)
        app.visibleLeaf.emitEvent(Account.logOut)
        _ = app.orders.probe.log.flush()
        app.visibleLeaf.emitEvent(Account.logIn)
        #expect(names(of: app) == ["App", "Home", "Start"])
        #expect(app.orders.activeRoute == .list)
        app.navigate(to: .orders(nil))
        #expect(app.orders.probe.log.flush() == ["Orders start", "List start", "Orders activate", "List activate"])
        #expect(app.path == "/orders")
    }

    @Test func lowerEntriesOfAStackLeaveIt() throws {
        let app = try started(StackApp("App"))
        for route in [AppRoute.orders(1), .orders(2), .terms] { app.navigate(to: route) }
        _ = app.probe.log.flush()
        app.visibleLeaf.emitEvent(Account.logOut)
        #expect(app.path == "/terms")
        #expect(names(of: app) == ["App", "Home", "Terms"])
        #expect(app.probe.log.flush() == ["Order 2 stop", "Order 1 stop"])
        app.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(app.path == "/home")
    }

    @Test func whatIsRetainedEnds() throws {
        let app = try started(StackApp("App"))
        let orders = RetainedLeaf("Orders")
        app.show(orders, for: .orders(nil))
        app.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(orders.isStarted)
        app.visibleLeaf.emitEvent(Account.logOut)
        #expect(!orders.isStarted)
        #expect(orders.parentCoordinator == nil)
    }

    @Test func whoWaitsForWhatIsRefusedIsTold() throws {
        let app = try started(StackApp("App"))
        var results: [Int?] = []
        let picker = Picker("Picker")
        app.show(picker, for: .orders(1)) { results.append($0) }
        app.navigate(to: .terms)
        app.visibleLeaf.emitEvent(Account.logOut)
        #expect(results == [nil])
    }

    private final class Picker: Leaf, HasResult { typealias ResultType = Int }

    @Test func workOfWhatIsRefusedIsDropped() throws {
        let app = try started(StackApp("App"))
        let order = Leaf("Order")
        app.show(order, for: .orders(1))
        try app.turn { order.perform("reminder", after: .seconds(60), Account.remind) }
        app.navigate(to: .terms)
        #expect(app.navigationState.pending.count == 1)
        app.visibleLeaf.emitEvent(Account.logOut)
        #expect(app.navigationState.pending.isEmpty)
    }
}
