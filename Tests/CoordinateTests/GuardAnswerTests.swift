import Coordinate
import Testing

private enum AppRoute: DeclaredRoutes {
    case home, orders
    case order(Int)
    case login

    static let declaration = RouteDeclaration<Self>(
        .route("home", .home), .route("orders", .orders),
        .route("orders/{order}", Self.order) { if case .order(let order) = $0 { order } else { nil } },
        .route("login", .login)
    )
}

private enum Wish: CoordinateEvents, Equatable {
    case go(AppRoute)
    /// Selects the tab without asking the guard.
    case select
}

private final class App: Tabs, HasGuard {
    var activeRoute: AppRoute = .home
    let home = Leaf("Home")
    let orders = Stack("Orders")
    var answer: (App, AppRoute) -> RouteDecision<AppRoute> = { _, _ in .granted }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        orders.root(Leaf("List"))
        setCoordinators([(home, .home), (orders, .orders)])
    }

    func goTo(_ route: AppRoute) {
        switch route {
        case .home: select(home, for: route)
        case .orders: select(orders, for: route)
        case .order:
            select(orders)
            orders.show(Leaf("Order"), sender: nil)
        case .login: present(Leaf("Login"), for: route)
        }
    }

    func decide(on route: AppRoute) -> RouteDecision<AppRoute> { answer(self, route) }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case Wish.go(let route): navigate(to: route)
        case Wish.select: select(orders)
        default: return false
        }
        return true
    }
}

/// A guard may refuse a route, redirect from it, or grant it for some time.
struct GuardAnswerTests {
    private let app = App("App")

    init() throws {
        try app.turn { [app] in app.start() }
    }

    private func emit(_ event: any CoordinateEvents) throws -> Dispatch {
        try app.turn { app.visibleLeaf.emitEvent(event) }
    }

    private func refuse(_ decision: RouteDecision<AppRoute>) {
        app.answer = { _, route in
            switch route {
            case .orders, .order: decision
            default: .granted
            }
        }
    }

    private static let wishes: [any CoordinateEvents & Sendable] = [
        NavigationEvents.selectTab("Orders"), NavigationEvents.open("/orders"), Wish.go(.orders), Wish.select,
    ]

    @Test(arguments: wishes.indices)
    func aRefusedRequestLeavesWhatWasVisible(index: Int) throws {
        refuse(.refused)
        #expect(try emit(Self.wishes[index]).isHandled)
        #expect(app.path == "/home")
        #expect(app.visibleLeaf === app.home)
        #expect(!app.orders.isStarted)
    }

    @Test func aRedirectShowsOverTheScreenThatWasVisible() throws {
        refuse(.redirected(to: .login, parking: .untilGranted))
        #expect(try emit(NavigationEvents.selectTab("Orders")).isHandled)
        #expect(app.path == "/login")
        #expect(app.selectedCoordinator === app.home)
        #expect(app.navigationState.parked == "/orders")
        #expect(try emit(NavigationEvents.dismiss).isHandled)
        #expect(app.path == "/home")
        app.answer = { _, _ in .granted }
        _ = try emit(NavigationEvents.selectTab("Home"))
        #expect(app.path == "/orders")
    }

    @Test func aGuardThatRefusesEverythingFailsTheTurn() throws {
        #expect(throws: Diagnostic.nothingLeft(guard: "App")) {
            app.answer = { _, _ in .refused }
            _ = try emit(Wish.go(.home))
        }
    }

    @Test func aGrantUntilATimeSetsATimer() throws {
        app.answer = { app, route in
            guard case .orders = route else { return .granted }
            return app.now < Timestamp(seconds: 60) ? .granted(until: Timestamp(seconds: 60)) : .refused
        }
        #expect(app.work.isEmpty)
        _ = try emit(Wish.go(.orders))
        #expect(app.work.map(\.name) == ["guard"])
        #expect(app.work.first?.due == Timestamp(seconds: 60))
        #expect(app.work.first?.at == "App")
        app.work.advance(by: .seconds(59))
        #expect(app.path == "/orders")
        app.work.advance(by: .seconds(1))
        #expect(app.path == "/home")
        #expect(app.work.isEmpty)
        #expect(app.diagnostics == [])
    }

    @Test func theTimerOfAGrantFollowsTheGrant() throws {
        var end = 60
        app.answer = { _, _ in .granted(until: Timestamp(seconds: end)) }
        _ = try emit(Wish.go(.orders))
        let first = app.work.first?.id
        _ = try emit(Wish.go(.home))
        #expect(app.work.map(\.id) == [first])
        end = 90
        _ = try emit(Wish.go(.orders))
        #expect(app.work.map(\.due) == [Timestamp(seconds: 90)])
        app.answer = { _, _ in .granted }
        _ = try emit(Wish.go(.home))
        #expect(app.work.isEmpty)
    }

    @Test func aGuardThatReadsTheTimeNeedsATimer() throws {
        app.answer = { app, _ in app.now < Timestamp(seconds: 60) ? .granted : .redirected(to: .home) }
        _ = try emit(Wish.go(.orders))
        #expect(app.diagnostics == [.guardReadsClock(coordinator: "App")])
        app.answer = { _, _ in .granted }
        _ = try emit(Wish.go(.home))
        #expect(app.diagnostics == [])
    }
}
