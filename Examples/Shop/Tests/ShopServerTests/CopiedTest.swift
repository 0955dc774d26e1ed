import CoordinateTesting
import Shop
import Testing

/// Recorded in Shop 1.0: 14 events, up to /orders/191854.
@Test func leadsToOrders191854() async throws {
    // Create the app as its program does.
    try await withServer(app: ShopApp()) { server in
        // The session begins as the recorded one. Its work is withheld: the test posts the outcomes.
        let beginning: JSON = [
            "journal": 2,
            "app": "Shop",
            "appVersion": "1.0",
            "options": ["locale": "en"],
            "createdAt": "2026-01-01T00:00:00Z",
            "seed": 5_475_594_128_198_947,
            "path": "/catalogue",
            "reference": "XaOBqTW1dHyxjNsYGFzwLQ",
        ]
        let client = try await server.client(replaying: beginning.encoded, work: .withheld)
        let start = try await client.route()
        #expect(start.path == "/catalogue")
        let outcome1 = try await client.emit(
            "catalogue.pricesDidLoad",
            [
                "prices": [
                    ["product": "lamp", "cents": 4900], ["product": "chair", "cents": 12900],
                    ["product": "mug", "cents": 990], ["product": "clock", "cents": 3450],
                ]
            ],
            pending: "0-1"
        )
        #expect(outcome1.handledBy == "AppCoordinator/CatalogueCoordinator")
        #expect(outcome1.path == "/catalogue")
        let outcome2 = try await client.press("Oak chair")
        #expect(outcome2.path == "/catalogue/product/chair")
        let outcome3 = try await client.press("Add to cart")
        #expect(outcome3.path == "/catalogue/product/chair")
        let outcome4 = try await client.emit("cart.offerDidExpire", pending: "3-1")
        #expect(outcome4.handledBy == "AppCoordinator")
        #expect(outcome4.path == "/catalogue/product/chair")
        let outcome5 = try await client.press("Cart")
        #expect(outcome5.path == "/cart")
        let outcome6 = try await client.press("+")
        #expect(outcome6.path == "/cart")
        let outcome7 = try await client.press("Check out")
        #expect(outcome7.path == "/account/login")
        // The journal has no secrets: "secret" stands for password.
        let outcome8 = try await client.press("Log in", entering: ["user": "anna", "password": "secret"])
        #expect(outcome8.path == "/account/login")
        let outcome9 = try await client.emit(
            "account.didLogIn",
            [
                "customer": [
                    "address": ["name": "Anna Berg", "street": "Seeweg 3", "zip": "8001", "country": "ch"],
                    "orders": [
                        [
                            "number": 17, "lines": [["product": "lamp", "count": 1, "cents": 4500]], "discount": 0,
                            "delivery": "standard",
                            "address": ["name": "Anna Berg", "street": "Seeweg 3", "zip": "8001", "country": "ch"],
                            "state": "placed",
                        ]
                    ],
                ]
            ],
            pending: "8-1"
        )
        #expect(outcome9.handledBy == "AppCoordinator/AccountCoordinator/LoginCoordinator")
        #expect(outcome9.path == "/checkout")
        let outcome10 = try await client.press("Save address", entering: ["zip": "10115"])
        #expect(outcome10.path == "/checkout")
        let outcome11 = try await client.press("Save address", entering: ["country": "de"])
        #expect(outcome11.path == "/checkout/delivery")
        let outcome12 = try await client.press("Continue")
        #expect(outcome12.path == "/checkout/confirmation")
        let outcome13 = try await client.press("Place order")
        #expect(outcome13.path == "/checkout/confirmation")
        let outcome14 = try await client.emit(
            "checkout.didPlace",
            [
                "order": [
                    "number": 191854, "lines": [["product": "chair", "count": 2, "cents": 12900]], "discount": 0,
                    "delivery": "standard",
                    "address": ["name": "Anna Berg", "street": "Seeweg 3", "zip": "10115", "country": "de"],
                    "state": "placed",
                ]
            ],
            pending: "13-1"
        )
        #expect(outcome14.handledBy == "AppCoordinator/CheckoutCoordinator")
        #expect(outcome14.path == "/orders/191854")
    }
}
