import CoordinateTesting
import SessionFixtures
import Testing

/// A flow with a result, as clients see it: the outcome of its last event shows what its presenter did with the result.
struct CheckoutTests {
    /// Runs the body with a client that is logged in, at the orders.
    private func withOrders(_ body: nonisolated(nonsending) (SessionClient) async throws -> Void) async throws {
        try await withApp(GateApp()) { server in
            let client = server.client()
            try await client.emit("account.logIn")
            try await client.open("/orders")
            try await body(client)
        }
    }

    @Test func aFinishedCheckoutShowsItsOrder() async throws {
        try await withOrders { client in
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
    }

    /// The ways to leave a checkout without an order, and where they lead.
    private static let cancellations: [(event: String, payload: JSON, path: String)] = [
        ("navigation.dismiss", [:], "/orders"), ("navigation.open", ["path": "/orders"], "/orders"),
        ("navigation.open", ["path": "/home"], "/home"), ("account.logOut", [:], "/login"),
    ]

    @Test(arguments: cancellations, [0, 1])
    func aCancelledCheckoutOrdersNothing(
        cancellation: (event: String, payload: JSON, path: String), steps: Int
    ) async throws {
        try await withOrders { client in
            try await client.emit("checkout.begin")
            for _ in 0..<steps { try await client.emit("checkout.next") }
            let outcome = try await client.emit(cancellation.event, cancellation.payload, expecting: .handled)
            #expect(outcome.path == cancellation.path)
            #expect(outcome.route?.tree.all.contains { $0.coordinator == "CheckoutCoordinator" } == false)
            // The coordinator that would take the money is gone.
            try await client.emit("checkout.pay", expecting: .unhandled)
            try await client.open("/orders")
            if cancellation.event == "account.logOut" { try await client.emit("account.logIn") }
            #expect(try await client.route().screen.rows.map(\.title) == ["Order 17"])
        }
    }

    @Test func backWithinTheFlowDoesNotCancelIt() async throws {
        try await withOrders { client in
            try await client.emit("checkout.begin")
            try await client.emit("checkout.next")
            let cart = try await client.emit("navigation.back")
            #expect(cart.path == "/checkout")
            #expect(cart.route?.screen.title == "Cart")
            try await client.emit("navigation.back", expecting: .unhandled)
            try await client.emit("checkout.next")
            #expect(try await client.emit("checkout.pay").path == "/orders/18")
        }
    }

    @Test func aFlowOpenedByALinkHasAResult() async throws {
        try await withApp(GateApp()) { server in
            let client = server.client()
            #expect(try await client.open("/checkout").route?.parked?.path == "/checkout")
            #expect(try await client.emit("account.logIn").path == "/checkout")
            try await client.emit("checkout.next")
            #expect(try await client.emit("checkout.pay").path == "/orders/18")
        }
    }

    @Test func theResultOfAPushedFormIsKept() async throws {
        try await withApp(GateApp()) { server in
            let client = server.client()
            try await client.emit("form.open")
            try await client.emit("form.change", ["text": "Ring twice"])
            let saved = try await client.emit("form.save")
            #expect(saved.handledBy == "AppCoordinator/FormCoordinator")
            #expect(saved.path == "/home")
            #expect(saved.route?.screen.message == "Ring twice")
            try await client.emit("form.open")
            #expect(try await client.emit("navigation.back").path == "/home")
            #expect(try await client.route().screen.message == "Ring twice")
        }
    }

    @Test func everyOfferedActionIsHandled() async throws {
        try await withApp(GateApp()) { server in
            for seed in 1...3 as ClosedRange<UInt64> {
                let client = server.client()
                try await client.walk(steps: 120, seed: seed)
                #expect(try await client.journal().events.allSatisfy(\.handled))
            }
        }
    }

    @Test func theCatalogListsTheApp() async throws {
        try await withApp(GateApp()) { server in
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
}
