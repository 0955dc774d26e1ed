import Coordinate
import Testing

@testable import Shop

struct CatalogueTests {
    @Test func itsDeclarationsAreSound() {
        #expect(ShopApp().faults.isEmpty)
    }

    @Test func theCatalogOfEventsHasTheProducts() throws {
        let app = ShopApp()
        let root = try #require(app.makeRootCoordinator() as? AppCoordinator)
        let put = try #require(app.events.entry(named: "cart.put"))
        let choices = put.fields(in: root.dependencies).first?.type.choices
        #expect(choices?.compactMap(\.string) == ["lamp", "chair", "mug", "clock"])
    }

    @Test func pricesAreShownOnceTheyAreLoaded() async throws {
        let shop = try Flow()
        #expect(shop.path == "/catalogue")
        #expect(shop.screen.status == .loading)
        #expect(shop.screen.rows.map(\.title) == ["Desk lamp", "Oak chair", "Blue mug", "Wall clock"])
        #expect(shop.screen.rows.allSatisfy { $0.value == nil })

        try await shop.app.work.run("prices")
        #expect(shop.screen.status == .ready)
        #expect(shop.screen.rows.map(\.value) == ["€49.00", "€129.00", "€9.90", "€34.50"])
    }

    @Test func pricesThatFailedCanBeLoadedAgain() async throws {
        let shop = try Flow()
        try shop.app.work.fail("prices")
        #expect(shop.screen.status == .failed)
        #expect(shop.screen.message == "The prices cannot be loaded.")

        try shop.press("Try again")
        #expect(shop.screen.status == .loading)
        try await shop.app.work.run("prices")
        #expect(shop.screen.status == .ready)
        #expect(shop.screen.message == nil)
    }

    @Test func whatHasNoPriceCannotBeBought() throws {
        let shop = try Flow()
        try shop.open("/catalogue/product/mug")
        #expect(shop.screen.actions.isEmpty)
        #expect(try !shop.emit(AppEvents.Cart.put(.mug, count: 1)).isHandled)
    }

    @Test func aLinkLeadsToAProductWithTheListBelow() throws {
        let shop = try Flow()
        try shop.open("/catalogue/product/mug")
        #expect(shop.state.breadcrumbs.map(\.title) == ["Catalogue", "Blue mug"])
        #expect(shop.state.back?.title == "Catalogue")
        #expect(try !shop.emit(NavigationEvents.open("/catalogue/product/rug")).isHandled)
    }

    @Test func aSearchHasAPath() throws {
        let shop = try Flow()
        try shop.emit(AppEvents.Catalogue.search("Wall c"))
        #expect(shop.path == "/catalogue/search?q=Wall%20c")
        #expect(shop.screen.rows.map(\.id) == ["clock"])
        #expect(shop.input["query"]?.value == .string("Wall c"))

        try shop.open("/catalogue/search?q=rug")
        #expect(shop.screen.rows.isEmpty)
        try shop.emit(AppEvents.Catalogue.search(""))
        #expect(shop.path == "/catalogue")
    }

    @Test func aSessionMaySpeakGerman() async throws {
        var options = ShopOptions()
        options.locale = .de
        let shop = try Flow(options)
        try await shop.app.work.run("prices")
        #expect(shop.screen.title == "Katalog")
        #expect(shop.state.tabs.map(\.title) == ["Katalog", "Warenkorb", "Bestellungen", "Konto"])
        #expect(shop.screen.rows.map(\.value) == ["49,00 €", "129,00 €", "9,90 €", "34,50 €"])

        try shop.press("Blauer Becher")
        try shop.press("In den Warenkorb")
        try shop.open("/cart")
        #expect(shop.screen.message == "Summe 8,91 €")
        try shop.press("Entfernen")
        #expect(shop.screen.emptyText == "Der Warenkorb ist leer.")
    }
}
