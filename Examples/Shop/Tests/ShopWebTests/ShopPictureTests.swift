import Foundation
import Testing
import WebDriver

@testable import Shop

/// Creates the pictures of the shop for README.md: `make screenshots` runs it.
struct ShopPictureTests {
    /// The folder for the pictures.
    private static let folder = ProcessInfo.processInfo.environment["SCREENSHOTS"].map { URL(filePath: $0) }

    @Test(.enabled(if: folder != nil, "`make screenshots` sets the folder"))
    func picturesShowTheShopInUse() async throws {
        let folder = try #require(Self.folder)
        try await withCustomer(runsScripts: true) { page, server in
            try await page.resize(width: 390, height: 600, scale: 2)
            try await page.open(server.url + "/app")
            try await page.read(Text.money(4900)[.en])
            try await page.expectPictures(["lamp", "chair", "mug", "clock"])
            try await page.screenshot().write(to: folder.appending(path: "shop-catalogue.png"))
            for product in [Product.mug, .lamp] {
                try await page.press(product.name[.en])
                try await page.pressAndStay(Text.addToCart[.en])
                try await page.press(Text.catalogue[.en], in: "header")
                try await page.expect(Text.catalogue[.en], at: "/catalogue")
            }
            try await page.openTab(Text.cart[.en])
            try await page.expect(Text.cart[.en], at: "/cart")
            try await page.expectPictures(["mug", "lamp"])
            try await page.screenshot().write(to: folder.appending(path: "shop-cart.png"))
        }
    }
}
