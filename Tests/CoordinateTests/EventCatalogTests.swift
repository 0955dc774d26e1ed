import Coordinate
import Testing

private enum Shop: DeclaredEvents, Equatable {
    case open
    case buy(String)
    case count(Int)

    static let declaration = EventDeclaration<Self>(
        "shop", .event("open", .open),
        .event("buy", Self.buy, "item") { if case .buy(let item) = $0 { item } else { nil } },
        .event("count", Self.count, "count") { if case .count(let count) = $0 { count } else { nil } })
}

private enum Warehouse: DeclaredEvents {
    case fetch
    static let declaration = EventDeclaration<Self>("warehouse", .event("fetch", .fetch))
}

struct EventCatalogTests {
    private let catalog = EventCatalog(Shop.self, Warehouse.self)

    @Test func eventsAreListedByNameTheLibrarysLast() {
        #expect(
            catalog.entries.map(\.name) == [
                "shop.open", "shop.buy", "shop.count", "warehouse.fetch",
                "navigation.back", "navigation.popToRoot", "navigation.selectTab", "navigation.dismiss",
                "navigation.open", "navigation.choose",
            ])
        #expect(catalog.entry(named: "shop.open")?.fields.isEmpty == true)
        #expect(catalog.entry(named: "shop.count")?.fields.map(\.name) == ["count"])
        #expect(catalog.entry(named: "shop.count")?.fields.map(\.type.kind.rawValue) == ["integer"])
        #expect(catalog.entry(named: "open") == nil)
    }

    @Test func aMissingFieldIsNamed() throws {
        let entry = try #require(catalog.entry(named: "shop.buy"))
        for payload in [PlainValue.object([]), .object([PlainField("itm", .string("tea"))]), .null, .array([])] {
            let error = #expect(throws: EventDecodingError.self) { try entry.event(from: payload, in: nil) }
            #expect(error?.field == "item")
            #expect(error?.message == "is missing")
        }
    }
}
