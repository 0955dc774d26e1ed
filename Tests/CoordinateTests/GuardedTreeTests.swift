import Coordinate
import Testing

private enum Account: DeclaredEvents, Equatable {
    case logIn, logOut, remind

    static let declaration = EventDeclaration<Self>(
        "account", .event("logIn", .logIn), .event("logOut", .logOut), .event("remind", .remind))
}

private enum AppRoute: DeclaredRoutes {
    case home
    case login
    case orders(Int?)
    case terms

    static let declaration = RouteDeclaration<Self>(
        .route("home", .home), .route("login", .login),
        .route("orders/{order}", Self.orders) { if case .orders(let order?) = $0 { order } else { nil } },
        .route("orders", .orders(nil)), .route("terms", .terms))

    var needsLogin: Bool { if case .orders = self { true } else { false } }
}

/// What an account is, and what guards refuse without one.
private protocol Guarding: HasGuard where RouteType == AppRoute {
    var isLoggedIn: Bool { get set }
    var refused: [AppRoute] { get set }
}

extension Guarding {
    func decide(on route: AppRoute) -> RouteDecision<AppRoute> {
        route.needsLogin && !isLoggedIn || refused.contains(route) ? .redirected(to: .home) : .granted
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

extension AppRoute: Equatable {}

private final class TabApp: Tabs, Guarding {
    var activeRoute: AppRoute = .home
    var isLoggedIn = true
    var refused: [AppRoute] = []
    let home = Stack("Home")
    let orders = Orders("Orders")

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

private final class Orders: Stack {
    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        root(Leaf("List", log: probe.log))
    }
}

private enum NestedRoute: DeclaredRoutes {
    case home
    case orders(GuardedOrdersRoute?)

    static let declaration = RouteDeclaration<Self>(
        .route("home", .home),
        .nested("orders", Self.orders) { if case .orders(let route) = $0 { route } else { nil } })
}

private final class NestedApp: Tabs, HasRoutes, HasGuard {
    var activeRoute: NestedRoute = .home
    var isLoggedIn = true
    let orders = GuardedOrders("Orders")

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([Leaf("Home"), orders])
    }

    func goTo(_ route: NestedRoute) {
        if case .orders(let route) = route {
            orders.goToOnceStarted(route)
            select(orders, for: .orders(nil))
        } else if let home = getCached(Leaf.self) {
            select(home, for: .home)
        }
    }

    override func tabTapped(for coordinator: any Coordinating) {
        goTo(coordinator === orders ? .orders(nil) : .home)
    }

    func decide(on route: NestedRoute) -> RouteDecision<NestedRoute> {
        if case .orders = route, !isLoggedIn { .redirected(to: .home) } else { .granted }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let account = event as? Account else { return false }
        isLoggedIn = account == .logIn
        return true
    }
}

private final class StackApp: Stack, Guarding {
    var activeRoute: AppRoute = .home
    var isLoggedIn = true
    var refused: [AppRoute] = []

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(.home)
    }

    func goTo(_ route: AppRoute) {
        switch route {
        case .home: root(getCached(Leaf.self, identifier: "Home") ?? Leaf("Home", log: probe.log), for: .home)
        case .login: present(Leaf("Login", log: probe.log), for: .login)
        case .orders(let order): show(Leaf("Order \(order ?? 0)", log: probe.log), for: route)
        case .terms: show(Leaf("Terms", log: probe.log), for: .terms)
        }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool { react(to: event) }
}

private final class BoxApp: Box, Guarding {
    var activeRoute: AppRoute = .home
    var isLoggedIn = true
    var refused: [AppRoute] = []
    var orders: Leaf?

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(.home)
    }

    func goTo(_ route: AppRoute) {
        switch route {
        case .home: root(Leaf("Home", log: probe.log), for: .home)
        case .orders: root(orders ?? Leaf("Orders", log: probe.log), for: route)
        case .login, .terms: present(Leaf("\(route)", log: probe.log), for: route)
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
        app.orders.show(Leaf("Order 1001"), sender: nil)
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
        app.orders.show(Leaf("Order 1001"), sender: nil)
        app.navigate(to: .home)
        app.visibleLeaf.emitEvent(Account.logOut)
        _ = app.orders.probe.log.flush()
        app.visibleLeaf.emitEvent(Account.logIn)
        #expect(names(of: app) == ["App", "Home", "Start"])
        app.navigate(to: .orders(nil))
        #expect(app.orders.probe.log.flush() == ["Orders start", "List start", "Orders activate", "List activate"])
        #expect(app.path == "/orders")
    }

    @Test func aTabThatIsGrantedIsKept() throws {
        let app = try started(TabApp("App"))
        app.navigate(to: .orders(nil))
        app.visibleLeaf.emitEvent(Account.logOut)
        #expect(app.path == "/home")
        #expect(names(of: app) == ["App", "Home", "Start"])
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

    @Test func theScreenThatIsVisibleIsRedirectedAndThoseBelowItEnd() throws {
        let app = try started(StackApp("App"))
        for route in [AppRoute.terms, .orders(1), .orders(2)] { app.navigate(to: route) }
        app.visibleLeaf.emitEvent(Account.logOut)
        #expect(app.path == "/home")
        #expect(names(of: app) == ["App", "Home"])
    }

    @Test func whatAModalCoversEndsAndStartsWhenItIsVisible() throws {
        let app = try started(BoxApp("App"))
        app.navigate(to: .orders(nil))
        app.navigate(to: .login)
        _ = app.probe.log.flush()
        app.visibleLeaf.emitEvent(Account.logOut)
        #expect(app.path == "/login")
        #expect(names(of: app) == ["App", "login"])
        #expect(app.probe.log.flush() == ["Orders stop"])
        app.visibleLeaf.emitEvent(Account.logIn)
        app.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        #expect(app.path == "/orders")
        #expect(app.probe.log.flush(only: "start") == ["Orders start"])
    }

    @Test func whatAModalCoversIsRedirectedOnceItIsVisible() throws {
        let app = try started(BoxApp("App"))
        app.navigate(to: .orders(nil))
        app.navigate(to: .login)
        app.visibleLeaf.emitEvent(Account.logOut)
        app.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        #expect(app.path == "/home")
        #expect(names(of: app) == ["App", "Home"])
    }

    @Test func aModalThatAnotherOneCoversIsTakenAwayFromBelowIt() throws {
        let app = try started(BoxApp("App"))
        app.navigate(to: .terms)
        app.navigate(to: .login)
        app.refused = [.terms]
        app.visibleLeaf.emitEvent(Ping.ping)
        #expect(app.path == "/login")
        #expect(names(of: app) == ["App", "Home", "login"])
        app.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        #expect(app.path == "/home")
    }

    @Test func aModalStaysWhereTheOneBelowItEndsWithItsOwner() throws {
        let app = try started(BoxApp("App"))
        let orders = Leaf("Orders", log: app.probe.log)
        app.orders = orders
        app.navigate(to: .orders(nil))
        orders.present(Leaf("Note"), animated: false)
        app.navigate(to: .terms)
        #expect(names(of: app) == ["App", "Orders", "Note", "terms"])
        app.visibleLeaf.emitEvent(Account.logOut)
        #expect(app.path == "/terms")
        #expect(names(of: app) == ["App", "terms"])
        app.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        #expect(app.path == "/home")
    }

    @Test func aSelectedTabThatIsCoveredEnds() throws {
        let app = NestedApp("App")
        let root = Box("Root")
        try root.turn {
            root.start()
            root.root(app)
        }
        app.navigate(to: .orders(.order(7)))
        root.present(Leaf("Sheet"), animated: false)
        root.visibleLeaf.emitEvent(Ping.ping)
        #expect(app.orders.isStarted)
        app.isLoggedIn = false
        root.visibleLeaf.emitEvent(Ping.ping)
        #expect(names(of: root) == ["Root", "App", "Home", "Sheet"])
        root.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        #expect(root.path == "/home")
        #expect(!app.orders.isStarted)
    }

    /// An app at its home screen that retains its orders.
    private func appWithRetainedOrders() throws -> (BoxApp, RetainedLeaf) {
        let app = try started(BoxApp("App"))
        let orders = RetainedLeaf("Orders", log: app.probe.log)
        app.orders = orders
        app.navigate(to: .orders(nil))
        app.navigate(to: .home)
        return (app, orders)
    }

    @Test func whatIsRetainedEnds() throws {
        let (app, orders) = try appWithRetainedOrders()
        #expect(orders.isStarted)
        app.visibleLeaf.emitEvent(Account.logOut)
        #expect(!orders.isStarted)
        #expect(orders.parentCoordinator == nil)
    }

    @Test func whatIsRetainedAndGrantedStays() throws {
        let (app, orders) = try appWithRetainedOrders()
        app.refused = [.terms]
        app.visibleLeaf.emitEvent(Ping.ping)
        #expect(orders.isStarted)
        app.navigate(to: .orders(nil))
        #expect(app.path == "/orders")
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

    @Test func aTabStartsAnewAtTheRouteItBeganWith() throws {
        let app = NestedApp("App")
        try app.turn { app.start() }
        app.navigate(to: .orders(.order(7)))
        #expect(app.path == "/orders/7")
        app.navigate(to: .home)
        #expect(app.orders.isStarted)
        app.visibleLeaf.emitEvent(Account.logOut)
        #expect(!app.orders.isStarted)
        #expect(app.orders.activeRoute == .list)
        app.visibleLeaf.emitEvent(Account.logIn)
        app.visibleLeaf.emitEvent(NavigationEvents.selectTab("Orders"))
        #expect(app.path == "/orders")
    }
}
