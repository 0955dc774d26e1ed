import Coordinate
import Testing

@testable import Shop

struct CartTests {
    @Test func theBadgeCountsTheThings() async throws {
        let shop = try Flow()
        #expect(shop.state.tabs[1].badge == nil)
        try await shop.buy(.mug)
        try await shop.buy(.lamp)
        try await shop.buy(.mug)
        #expect(shop.state.tabs[1].badge == "3")
    }

    @Test func aRowHasButtonsForMoreAndLess() async throws {
        let shop = try Flow()
        try await shop.buy(.chair)
        try shop.open("/cart")
        try shop.press("+", inRow: "chair")
        #expect(shop.screen.rows.first?.subtitle == "Quantity 2")
        #expect(shop.screen.rows.first?.value == "€258.00")

        try shop.press("−", inRow: "chair")
        try shop.press("−", inRow: "chair")
        #expect(shop.screen.rows.isEmpty)
        #expect(shop.screen.message == nil)
        #expect(shop.screen.emptyText == "There is nothing in the cart.")
        #expect(shop.state.tabs[1].badge == nil)
    }

    @Test func aSwipeRemovesARow() async throws {
        let shop = try Flow()
        try await shop.buy(.chair)
        try await shop.buy(.chair)
        try shop.open("/cart")
        try shop.press("Remove", inRow: "chair")
        #expect(shop.screen.rows.isEmpty)
    }

    @Test func aRowLeadsToItsProduct() async throws {
        let shop = try Flow()
        try await shop.buy(.chair)
        try shop.open("/cart")
        try shop.press("Oak chair", inRow: "chair")
        #expect(shop.path == "/catalogue/product/chair")
    }

    @Test func anOfferBeginsWithTheFirstThingAndExpires() async throws {
        let shop = try Flow()
        try await shop.buy(.chair)
        try shop.open("/cart")
        #expect(shop.app.work.map(\.name) == ["offer"])
        #expect(shop.screen.rows.last?.value == "−€12.90")
        #expect(shop.screen.message == "Total €116.10")

        shop.app.work.advance(by: .seconds(299))
        #expect(shop.screen.message == "Total €116.10")
        shop.app.work.advance(by: .seconds(1))
        #expect(shop.screen.rows.map(\.id) == ["chair"])
        #expect(shop.screen.message == "Total €129.00")

        try shop.press("+", inRow: "chair")
        #expect(shop.app.work.isEmpty)
        #expect(shop.screen.message == "Total €258.00")
    }

    @Test(arguments: [(-1, 0), (0, 0), (99, 99), (Int.max, 99)])
    func aCountIsOneThatACartCanHold(_ sent: Int, _ count: Int) async throws {
        let shop = try Flow()
        try await shop.app.work.run("prices")
        try shop.emit(AppEvents.Cart.put(.mug, count: sent))
        #expect(shop.state.tabs[1].badge == (count == 0 ? nil : "\(count)"))
        #expect(shop.app.work.isEmpty == (count == 0))
    }
}
