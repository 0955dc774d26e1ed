import Coordinate
import CoordinateSessions
import CoordinateTesting
import Testing

@testable import Shop

/// The shop as a client sees it, who knows nothing of it but what is offered.
struct ShopServerTests {
    @Test func anOrderIsPlacedByWhatIsOffered() async throws {
        try await withServer(app: ShopApp()) { server in
            let client = server.client()
            try await client.open("/catalogue")
            try await client.settle()
            try await client.press("Desk lamp")
            try await client.press("Add to cart")
            try await client.press("Cart")
            try await client.press("+")
            try await client.press("Check out")
            #expect(try await client.route().parked?.path == "/checkout")

            try await client.press("Log in", entering: ["user": "anna", "password": "open sesame"])
            #expect(try await client.settle().path == "/checkout")
            try await client.press("Save address", entering: ["zip": "10115"])
            #expect(try await client.error(of: "zip") == "Enter a zip of 4 digits.")
            try await client.press("Save address", entering: ["country": "de"])
            try await client.press("Express, tomorrow")
            try await client.press("Continue")
            try await client.press("Place order")

            let order = try await client.settle()
            #expect(order.breadcrumbs.map(\.title).first == "Orders")
            #expect(order.screen.message == "Total €101.10")
            #expect(order.screen.rows.map(\.subtitle) == ["Quantity 2", nil, "Seeweg 3, DE-10115"])
        }
    }

    @Test func theOfferExpires() async throws {
        let clock = TestClock()
        try await withServer(app: ShopApp(), clock: clock) { server in
            let client = server.client()
            try await client.open("/cart")
            try await client.open("/catalogue/product/chair")
            try await client.settle()
            try await client.press("Add to cart")
            let cart = try await client.open("/cart").route
            #expect(cart?.pending.map(\.name) == ["offer"])
            #expect(cart?.screen.message == "Total €116.10")

            clock.advance(by: .seconds(300))
            let route = try await client.wait { $0.pending.isEmpty }
            #expect(route.screen.message == "Total €129.00")
            #expect(try await client.journal().events.last?.origin == "timer")
        }
    }

    @Test func aSoldOutOrderIsReproducedInAForkWithoutOrderingAnything() async throws {
        try await withServer(app: ShopApp()) { server in
            let client = server.client()
            try await client.logInAndOpen("/checkout/confirmation", with: .lamp)
            let placed = try await client.press("Place order")
            #expect(try await client.settle().path.hasPrefix("/orders/"))

            let fork = try await client.fork(at: placed.version, work: .withheld)
            let work = try #require(try await fork.route().pending.first { $0.name == "order" })
            try await fork.send(AppEvents.Checkout.didSellOut(.lamp), pending: work.id, expecting: .handled)
            #expect(try await fork.route().screen.message == "Sold out: Desk lamp")
            try await fork.press("Remove")
            #expect(try await fork.route().path == "/cart")
        }
    }

    @Test func anExpressOrderIsTriedAgainAfterAPause() async throws {
        let clock = TestClock()
        try await withServer(app: ShopApp(), clock: clock) { server in
            let client = server.client()
            try await client.logInAndOpen("/checkout/delivery", with: .lamp)
            try await client.press("Express, tomorrow")
            try await client.press("Continue")
            try await client.press("Place order")
            #expect(try await client.route().screen.status == "loading")

            clock.advance(by: try await clock.retryPause(of: "order"))
            #expect(try await client.settle().path.hasPrefix("/orders/"))
        }
    }

    @Test func theAppAloneSaysWhatCameOfWork() async throws {
        try await withServer(app: ShopApp()) { server in
            let client = server.client()
            let events: [any DeclaredEvents] = [
                AppEvents.Checkout.didSellOut(.lamp), AppEvents.Account.didRefuse,
                AppEvents.Catalogue.pricesDidLoad([]), AppEvents.Cart.offerDidExpire,
            ]
            for event in events { try await client.send(event, expecting: .refused("event-not-allowed")) }
        }
    }

    @Test func aPasswordIsWrittenNowhere() async throws {
        try await withServer(app: ShopApp()) { server in
            let client = try await server.client(options: [:], at: "/orders/17")
            try await client.press(anna)
            #expect(try await client.settle().path == "/orders/17")

            let journal = String(decoding: try await client.exportedJournal(), as: UTF8.self)
            #expect(journal.contains(#""event":"account.logIn""#))
            #expect(!journal.contains("sesame"))
            for version in 0...(try await client.session().version) {
                #expect(try await !client.get("/route?version=\(version)").text.contains("sesame"))
            }
        }
    }

    @Test func aSessionSpeaksItsLanguage() async throws {
        try await withServer(app: ShopApp()) { server in
            let german = try await server.client(options: ["locale": "de"], at: "/cart")
            #expect(try await german.route().screen.title == "Warenkorb")
            let refused = try await german.post("/sessions", json: ["options": ["locale": "dk"]])
            let problem = try refused.decode(Document.Problem.self)
            #expect(problem.type == "/problems/invalid-options")
        }
    }

    @Test func anUnknownProductIsToldWithTheNearestOne() async throws {
        try await withServer(app: ShopApp()) { server in
            let client = server.client()
            let link = try await client.put("/route", json: ["path": "/catalogue/product/mugg"])
            #expect(link.status == 422)
            #expect(try link.json["didYouMean"]?.string?.hasSuffix("mug") == true)
            let catalog = try await client.get("/catalog").json["events"]?.array ?? []
            let put = catalog.first { $0["name"] == "cart.put" }
            #expect(put["payload"]["product"]["choices"] == ["lamp", "chair", "mug", "clock"])
        }
    }

    @Test func pricesThatFailAreLoadedAgain() async throws {
        var app = ShopApp()
        app.services.prices = FailingOnce()
        try await withServer(app: app) { server in
            let client = server.client()
            try await client.open("/cart")
            try await client.press("Catalogue")
            #expect(try await client.settle().screen.status == "failed")
            try await client.press("Try again")
            #expect(try await client.settle().screen.rows.first?.value == "€49.00")
        }
    }

    @Test(arguments: 2...4)
    func allThatIsOfferedIsAccepted(_ seed: UInt64) async throws {
        var generator = LinearGenerator(state: seed)
        try await withServer(app: ShopApp()) { server in
            let client = server.client()
            var times: [String: Int] = [:]
            for step in 1...200 {
                let offered = try await client.settle().offeredActions
                // What was seldom done is done more often, so that the walk comes to its end: an order.
                let fewest = offered.map { times[$0.event, default: 0] }.min()
                let isCurious = Bool.random(using: &generator)
                let choices = isCurious ? offered.filter { times[$0.event, default: 0] == fewest } : offered
                let action = try #require(choices.randomElement(using: &generator))
                times[action.event, default: 0] += 1
                let entered: [String: JSON] =
                    action.event == "account.logIn" ? ["user": "anna", "password": "open sesame"] : [:]
                let outcome = try await client.emit(action, entering: entered)
                #expect(outcome.handled, "seed \(seed), step \(step): \(action.event) at \(outcome.path)")
            }
            #expect(times["checkout.placeOrder", default: 0] > 0)
            let last = try await client.settle()
            let journal = try await client.exportedJournal()
            #expect(try ShopApp().replay(journal) == last.path)
            #expect(try await server.client(replaying: journal).route().screen == last.screen)
        }
    }
}

private let anna = AppEvents.Account.logIn("anna", Secret("open sesame"))

extension SessionClient {
    /// Logs in, puts a product into the cart, and opens a link.
    fileprivate func logInAndOpen(_ link: String, with product: Product) async throws {
        try await open("/account")
        try await press(anna)
        try await settle()
        try await open(product.path)
        try await settle()
        try await press(AppEvents.Cart.put(product, count: 1))
        try await open(link)
    }

    fileprivate func error(of field: String) async throws -> String? {
        try await route().screen.actions.flatMap(\.inputs).first { $0.field == field }?.error
    }
}

/// A source that answers when it is asked again.
private actor FailingOnce: PriceSource {
    private var hasFailed = false

    func prices() async throws -> [Price] {
        guard hasFailed else {
            hasFailed = true
            throw WorkFailure("The bank does not answer.")
        }
        return try await PriceList().prices()
    }
}

/// Numbers that are the same for a seed: D. Knuth's MMIX.
private struct LinearGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 33)
    }
}
