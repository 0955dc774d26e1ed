import CoordinateTesting
import SessionFixtures
import Testing

/// A flow with a result, as clients see it: the outcome of its last event shows what its presenter did with the result.
struct CheckoutTests {
    @Test(.serving(GateApp())) func aFinishedCheckoutShowsItsOrder() async throws {
        try await client.emit("account.logIn")
        try await client.open("/orders")
        let cart = try await client.emit("checkout.begin")
        #expect(cart.path == "/checkout")
        #expect(cart.leaf == "AppCoordinator/CheckoutCoordinator/CartCoordinator")
        #expect(cart.route?.breadcrumbs.map(\.path) == ["/home", "/orders", "/checkout"])
        #expect(cart.route?.navigation.dismiss?.event == "navigation.dismiss")
        let payment = try await client.emit("checkout.next")
        #expect(payment.path == "/checkout")
        #expect(payment.route?.navigation.back?.title == "Cart")
        let paid = try await client.emit("checkout.pay")
        #expect(paid.handledBy == "AppCoordinator/CheckoutCoordinator")
        #expect(paid.path == "/orders/18")
        #expect(paid.leaf == "AppCoordinator/OrderCoordinator")
        let route = try #require(paid.route)
        #expect(route.screen.title == "Order 18")
        #expect(route.breadcrumbs.map(\.path) == ["/home", "/orders", "/orders/18"])
        #expect(route.navigation.dismiss == nil)
        #expect(!route.tree.all.contains { $0.coordinator == "CheckoutCoordinator" })
        let orders = try await client.emit("navigation.back")
        #expect(orders.path == "/orders")
        #expect(orders.route?.screen.rows.map(\.title) == ["Order 17", "Order 18"])
    }

    @Test(.serving(GateApp())) func theCatalogListsTheApp() async throws {
        let catalog = try await server.client().get("/catalog").json
        #expect(
            catalog["paths"]?.array.compactMap(\.string) == [
                "/home", "/login", "/form", "/orders", "/orders/{order}", "/checkout",
            ])
        let choose = catalog["events"]?.array.first { $0["name"] == "navigation.choose" }
        #expect(choose?["payload"]["choice"]["type"] == "string")
        #expect(choose?["origin"] == "client")
        let coordinators = Set(catalog["coordinators"]?.array.compactMap(\.string) ?? [])
        #expect(coordinators.isSuperset(of: ["AppCoordinator", "LoginCoordinator", "FormCoordinator"]))
    }
}
