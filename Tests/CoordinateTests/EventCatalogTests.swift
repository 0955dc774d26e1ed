import Coordinate
import Testing

private enum Shop: DeclaredEvents, Equatable {
    case open
    case buy(String)
    case count(Int)
    case price(Double)
    case gift(Bool)

    static let declaration = EventDeclaration<Self>(
        "shop", .event("open", .open),
        .event("buy", Self.buy, "item") { if case .buy(let item) = $0 { item } else { nil } },
        .event("count", Self.count, "count") { if case .count(let count) = $0 { count } else { nil } },
        .event("price", Self.price, "price") { if case .price(let price) = $0 { price } else { nil } },
        .event("gift", Self.gift, "gift") { if case .gift(let gift) = $0 { gift } else { nil } })
}

private struct Stock: AppDependenciesProtocol { let names: [String] }

private struct Item: PlainValueConvertible, Equatable {
    let name: String

    static let plainType = PlainType.string
    var plainValue: PlainValue { .string(name) }

    static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Item {
        guard let name = value.string, let stock = dependencies as? Stock, stock.names.contains(name) else {
            throw PlainValueError("must be the name of an item in stock")
        }
        return Item(name: name)
    }
}

private enum Warehouse: DeclaredEvents, Equatable {
    case fetch(Item)

    static let declaration = EventDeclaration<Self>(
        "warehouse",
        .event("fetch", Self.fetch, "item") { if case .fetch(let item) = $0 { item } else { nil } }
    )
}

struct EventCatalogTests {
    private let catalog = EventCatalog(Shop.self, Warehouse.self)

    @Test func eventsAreListedByNameTheLibrarysLast() {
        #expect(
            catalog.entries.map(\.name) == [
                "shop.open", "shop.buy", "shop.count", "shop.price", "shop.gift", "warehouse.fetch",
                "navigation.back", "navigation.popToRoot", "navigation.selectTab", "navigation.dismiss",
                "navigation.open", "navigation.choose",
            ])
        #expect(catalog.entry(named: "shop.open")?.fields.isEmpty == true)
        #expect(catalog.entry(named: "shop.count")?.fields.map(\.name) == ["count"])
        #expect(catalog.entry(named: "shop.count")?.fields.map(\.type.kind.rawValue) == ["integer"])
        #expect(catalog.entry(named: "open") == nil)
    }

    @Test(arguments: [Shop.open, .buy("tea"), .buy(""), .count(-3), .price(0.5), .gift(true), .gift(false)])
    private func anEventSurvivesTheWayOutAndIn(event: Shop) throws {
        let action = Action(title: "Do it", event: event)
        let entry = try #require(catalog.entry(named: action.event))
        #expect(try entry.event(from: action.payload, in: nil) as? Shop == event)
    }

    @Test func theLibrarysEventsSurviveToo() throws {
        for event in [NavigationEvents.back, .popToRoot, .selectTab("Teams"), .dismiss] {
            let action = Action(title: "", event: event)
            let entry = try #require(catalog.entry(named: action.event))
            #expect(try entry.event(from: action.payload, in: nil) as? NavigationEvents == event)
        }
    }

    @Test func aMissingFieldIsNamed() throws {
        let entry = try #require(catalog.entry(named: "shop.buy"))
        for payload in [PlainValue.object([]), .object([PlainField("itm", .string("tea"))]), .null, .array([])] {
            let error = #expect(throws: EventDecodingError.self) { try entry.event(from: payload, in: nil) }
            #expect(error?.field == "item")
            #expect(error?.message == "is missing")
        }
    }

    @Test(arguments: [
        ("shop.buy", "item", PlainValue.int(1), "must be a string"),
        ("shop.count", "count", .string("1"), "must be a whole number"),
        ("shop.count", "count", .double(1.5), "must be a whole number"),
        ("shop.price", "price", .null, "must be a number"),
        ("shop.gift", "gift", .int(1), "must be true or false"),
    ])
    func aWrongTypeIsExplained(name: String, field: String, value: PlainValue, message: String) throws {
        let entry = try #require(catalog.entry(named: name))
        let error = #expect(throws: EventDecodingError.self) {
            try entry.event(from: .object([PlainField(field, value)]), in: nil)
        }
        #expect(error?.field == field)
        #expect(error?.message == message)
    }

    @Test func anIDIsLookedUpInTheDependencies() throws {
        let entry = try #require(catalog.entry(named: "warehouse.fetch"))
        let payload = PlainValue.object([PlainField("item", .string("tea"))])
        let stock = Stock(names: ["tea"])
        #expect(try entry.event(from: payload, in: stock) as? Warehouse == .fetch(Item(name: "tea")))
        #expect(throws: EventDecodingError.self) { try entry.event(from: payload, in: Stock(names: [])) }
        #expect(throws: EventDecodingError.self) { try entry.event(from: payload, in: nil) }
    }

    @Test func aWholeNumberIsANumber() throws {
        let entry = try #require(catalog.entry(named: "shop.price"))
        #expect(try entry.event(from: .object([PlainField("price", .int(2))]), in: nil) as? Shop == .price(2))
    }
}

struct PlainValueTests {
    @Test func valuesGiveThemselves() throws {
        #expect(try String.resolve("a".plainValue, in: nil) == "a")
        #expect(try Int.resolve(7.plainValue, in: nil) == 7)
        #expect(try Double.resolve(0.25.plainValue, in: nil) == 0.25)
        #expect(try Bool.resolve(true.plainValue, in: nil))
    }

    @Test func theTypeIsWhatAClientHasToSend() {
        let types = [String.plainType, Int.plainType, Double.plainType, Bool.plainType]
        #expect(types.map(\.kind.rawValue) == ["string", "integer", "number", "boolean"])
    }

    @Test func fieldsAreFoundInObjectsOnly() {
        let object = PlainValue.object([PlainField("a", .int(1)), PlainField("b", .null)])
        #expect(object[field: "a"] == .int(1))
        #expect(object[field: "b"] == .null)
        #expect(object[field: "c"] == nil)
        #expect(PlainValue.array([.int(1)])[field: "a"] == nil)
        #expect(PlainValue.string("a").string == "a")
        #expect(PlainValue.int(1).string == nil)
    }
}
