import Coordinate
import Testing

private enum Delivery: String, CaseIterable, PlainValueConvertible {
    case standard, express
}

private struct Product: Equatable {
    let id: String
    let name: String
}

extension Product: KnownByID {
    static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Product]? {
        (dependencies as? AppDependencies)?.products
    }
}

private struct AppDependencies: AppDependenciesProtocol {
    let products: [Product]
}

private struct Item: PlainObject, Equatable {
    var product: Product
    var count: Int
    var note: String?

    static let declaration = ObjectDeclaration(
        Item.init, .field("product", \.product), .field("count", \.count), .field("note", \.note))
}

private struct ZipCode: Equatable {
    let digits: String
}

extension ZipCode: PlainValueConvertible {
    static let plainType = PlainType.string
    var plainValue: PlainValue { .string(digits) }

    static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> ZipCode {
        let digits = try String.resolve(value, in: dependencies)
        guard digits.count == 4, digits.allSatisfy(\.isNumber) else { throw PlainValueError("must have four digits") }
        return ZipCode(digits: digits)
    }
}

private enum OrderEvents: CoordinateEvents, Equatable {
    case order(_ items: [Item], to: ZipCode, by: Delivery, gift: Bool?)
}

extension OrderEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "orders",
        .event("order", Self.order, "items", "zip", "delivery", "gift") {
            if case .order(let items, let zip, let delivery, let gift) = $0 {
                (items, zip, delivery, gift)
            } else {
                nil
            }
        }
    )
}

struct PayloadsTests {
    private let dependencies = AppDependencies(products: [Product(id: "hat", name: "Hat")])

    private func payload(product: String, zip: String = "8001") -> PlainValue {
        .object([
            PlainField(
                "items",
                .array([.object([PlainField("product", .string(product)), PlainField("count", .int(2))])])),
            PlainField("zip", .string(zip)), PlainField("delivery", .string("express")),
        ])
    }

    @Test func aPayloadIsReadAndWritten() throws {
        let entry = try #require(EventCatalog(OrderEvents.self).entry(named: "orders.order"))
        let event = try entry.event(from: payload(product: "hat"), in: dependencies)
        let items = [Item(product: dependencies.products[0], count: 2, note: nil)]
        #expect(event as? OrderEvents == .order(items, to: ZipCode(digits: "8001"), by: .express, gift: nil))

        #expect(entry.fields.map(\.type.kind) == [.array, .string, .string, .bool])
        #expect(entry.fields[2].type.choices == [.string("standard"), .string("express")])
        #expect(entry.fields[3].type.isOptional)
    }

    @Test func whatIsWrongIsToldWithItsPlace() throws {
        let entry = try #require(EventCatalog(OrderEvents.self).entry(named: "orders.order"))
        let unknown = #expect(throws: EventDecodingError.self) {
            try entry.event(from: payload(product: "hut"), in: dependencies)
        }
        #expect(unknown?.path == ["items", "0", "product"])
        #expect(unknown?.message == "is not the id of any Product")
        #expect(unknown?.nearest == "hat")

        let short = #expect(throws: EventDecodingError.self) {
            try entry.event(from: payload(product: "hat", zip: "80"), in: dependencies)
        }
        #expect(short?.path == ["zip"])
        #expect(short?.message == "must have four digits")
    }
}
