import Coordinate
import Testing

@testable import Shop

/// A shop and its user, who sees the screen and presses buttons.
struct Flow {
    let app: CoordinatorNode

    init(_ options: ShopOptions = ShopOptions(), services: Services = Services()) throws {
        var shop = ShopApp()
        shop.services = services
        app = shop.makeRootCoordinator(options: options)
        let app = app
        try app.turn { app.start() }
    }

    var state: NavigationState { app.navigationState }
    var screen: Screen { state.screen }
    var path: String { app.path }

    var input: [String: Action.Input] {
        Dictionary(uniqueKeysWithValues: screen.actions.flatMap(\.inputs).map { ($0.field, $0) })
    }

    @discardableResult
    func emit(_ event: any CoordinateEvents) throws -> Dispatch {
        let dispatch = try app.turn { app.visibleLeaf.getRootViewController().emitEvent(event) }
        #expect(app.diagnostics.isEmpty)
        return dispatch
    }

    func press(_ title: String, inRow row: String? = nil, entering values: [String: PlainValue] = [:]) throws {
        try app.press(title, inRow: row, entering: values)
        #expect(app.diagnostics.isEmpty)
    }

    func open(_ path: String) throws {
        #expect(try emit(NavigationEvents.open(path)).isHandled)
    }

    func logIn() async throws {
        try emit(AppEvents.Account.logIn("anna", Secret("open sesame")))
        try await app.work.run("login")
    }

    /// Loads the prices, and puts a product into the cart.
    func buy(_ product: Product) async throws {
        if app.work.contains(where: { $0.name == "prices" }) { try await app.work.run("prices") }
        let store = try #require((app as? AppCoordinator)?.store)
        try emit(AppEvents.Cart.put(product, count: store.cart.count(of: product) + 1))
    }

    /// Goes as far as the confirmation of an order.
    func checkOut(_ product: Product) async throws {
        try open("/account")
        try await logIn()
        try await buy(product)
        try open("/checkout")
        try press("Save address")
        try press("Continue")
        #expect(screen.title == "Your order")
    }
}
