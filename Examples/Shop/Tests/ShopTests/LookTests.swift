import Coordinate
import Foundation
import Testing

@testable import Shop

/// The pictures, links and roles of the screens.
struct LookTests {
    @Test func everyProductHasAPicture() throws {
        let files = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../public")
        for product in Product.all {
            let file = files.appending(path: try #require(product.image.file))
            #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("<svg"), "\(product.id)")
        }
    }

    /// After a search, Back leads to what was found, so that a link is not the same.
    @Test(arguments: [
        ("/catalogue", "/catalogue/product/mug"), ("/catalogue/search?q=mug", nil), ("/cart", "/catalogue/product/mug"),
        ("/orders", "/orders/17"),
    ])
    func aRowOpensTheSameAsItsLink(path: String, link: String?) async throws {
        func shop() async throws -> Flow {
            let shop = try Flow()
            try shop.open("/account")
            try await shop.logIn()
            try await shop.buy(.mug)
            try shop.open(path)
            return shop
        }
        let pressed = try await shop()
        let row = try #require(pressed.screen.rows.first { ["mug", "17"].contains($0.id) })
        #expect(row.action?.opens == link)
        try pressed.press(row.title)
        guard let link else { return }
        let opened = try await shop()
        try opened.open(link)
        #expect(pressed.state == opened.state)
    }

    @Test func anOrderHasSectionsAndACancellationIsDestructive() async throws {
        let shop = try Flow()
        try shop.open("/orders/17")
        try await shop.logIn()
        #expect(shop.screen.sections.map(\.title) == ["Items", "Delivery"])
        #expect(shop.screen.rows.map(\.section) == ["items", "delivery"])
        #expect(shop.screen.rows.map(\.image) == [Product.lamp.image, Image(symbol: "truck")])
        #expect(shop.screen.actions.map(\.role) == [.destructive])
    }
}
