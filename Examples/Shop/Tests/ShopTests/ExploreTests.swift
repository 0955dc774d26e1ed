import Coordinate
import CoordinateExplore
import Foundation
import Testing

@testable import Shop

/// The shop walked through as a whole.
struct ExploreTests {
    @Test func nothingIsWrongAndEverythingIsReached() {
        let graph = ShopApp().explore()
        #expect(graph.findings.isEmpty, "\(graph.findings.map(\.detail).joined(separator: "\n"))")
        #expect(!graph.isTruncated)
        #expect(
            Set(graph.states.map(\.screen)) == [
                "Address", "Alert", "Cart", "Confirmation", "Customer", "Delivery", "Login", "Order", "OrderList",
                "Product", "ProductList",
            ])
    }

    @Test func theMapInTheReadmeIsTheShop() throws {
        let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")
        let text = try String(contentsOf: readme, encoding: .utf8)
        #expect(text.contains("```mermaid\n\(ShopApp().explore().mermaid)```"), "Draw it anew, as the README says.")
    }

    @Test func randomWalksBreakNoPromise() {
        let walks = ShopApp().walkAtRandom(100)
        #expect(walks.failures.isEmpty, "\(walks.failures.map(\.detail))")
    }
}
