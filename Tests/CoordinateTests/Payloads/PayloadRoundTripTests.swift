import Coordinate
import SeededGenerator
import Testing

extension Kiosk {
    /// Random events with all that a payload may hold, on the way out and in.
    struct PayloadRoundTripTests {
        private static let count = 200

        private let catalog = EventCatalog(Orders.self)
        private let shelf = Shelf()

        @Test(arguments: 1...10 as ClosedRange<UInt64>)
        func anEventSurvivesTheWayOutAndIn(seed: UInt64) throws {
            var random = RandomPayloads(seed: seed, shelf)
            for _ in 0..<Self.count {
                let event = random.order()
                let action = Action(title: "", event: event)
                let entry = try #require(catalog.entry(named: action.event))
                #expect(try entry.event(from: action.payload, in: shelf) as? Orders == event)
                // Nothing in it is secret, and all of it is declared.
                #expect(entry.recordedFields(of: action.payload) == action.payload)
                #expect(Self.fits(action.payload, .object(entry.fields(in: shelf))), "\(action.payload)")
            }
        }

        @Test(arguments: 1...10 as ClosedRange<UInt64>)
        func whatDoesNotFitItsTypeIsRefusedWhereItStands(seed: UInt64) throws {
            var random = RandomPayloads(seed: seed, shelf)
            for _ in 0..<Self.count {
                let action = Action(title: "", event: random.order())
                let entry = try #require(catalog.entry(named: action.event))
                guard let (payload, path) = random.spoilt(action.payload, []) else { continue }
                let error = #expect(throws: EventDecodingError.self) { try entry.event(from: payload, in: shelf) }
                #expect(error?.path == path)
            }
        }

        /// Whether a value is as its description says.
        private static func fits(_ value: PlainValue, _ type: PlainType) -> Bool {
            if value == .null { return type.isOptional }
            if let choices = type.choices, !choices.contains(value) { return false }
            return switch (type.kind, value) {
            case (.bool, .bool), (.int, .int), (.double, .double), (.string, .string): true
            case (.array, .array(let values)):
                values.allSatisfy { value in type.items.map { fits(value, $0) } ?? false }
            case (.object, .object(let values)):
                values.map(\.name) == type.fields.map(\.name)
                    && zip(values, type.fields).allSatisfy { fits($0.value, $1.type) }
            default: false
            }
        }
    }

    private struct RandomPayloads {
        private var random: SeededGenerator
        private let shelf: Shelf

        init(seed: UInt64, _ shelf: Shelf) {
            random = SeededGenerator(state: seed)
            self.shelf = shelf
        }

        mutating func order() -> Orders {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: .open
            case 1: .note(maybe { $0.text() })
            case 2: .rate(stars())
            case 3:
                .place(
                    list { $0.line() }, for: customer(), Delivery.allCases.randomElement(using: &random) ?? .standard,
                    note: maybe { $0.text() })
            default:
                .filter(
                    maybe { $0.span() }, tags: list { $0.list { $0.text() } },
                    onlyGifts: maybe { .random(using: &$0.random) }, maybe { _ in Voucher(rawValue: "abcd") } ?? nil,
                    list { $0.maybe { $0.customer() } }, limit: .random(in: .min ... .max, using: &random),
                    factor: .random(in: -1e9...1e9, using: &random))
            }
        }

        /// The payload with one of its values exchanged for one that fits nowhere, and if that is; `nil` if it has none.
        mutating func spoilt(_ value: PlainValue, _ path: [String]) -> (PlainValue, [String])? {
            switch value {
            case .object(var fields):
                guard let index = fields.indices.randomElement(using: &random) else { return nil }
                let name = fields[index].name
                guard let (bad, path) = spoilt(fields[index].value, path + [name]) else { return nil }
                fields[index] = PlainField(name, bad)
                return (.object(fields), path)
            case .array(var values) where !values.isEmpty:
                let index = Int.random(in: 0..<values.count, using: &random)
                guard let (bad, path) = spoilt(values[index], path + ["\(index)"]) else { return nil }
                values[index] = bad
                return (.array(values), path)
            default: return (value == .array([]) ? .object([]) : .array([]), path)
            }
        }

        private mutating func line() -> Line {
            Line(product: product(), count: .random(in: 0...9, using: &random), gift: maybe { $0.gift() })
        }

        private mutating func gift() -> Gift { Gift(wish: text(), stars: list { $0.stars() }) }

        private mutating func span() -> Span? {
            let from = Double.random(in: -10...10, using: &random)
            return try? Span(from: from, to: from + 1)
        }

        private mutating func stars() -> Stars { Stars.allCases.randomElement(using: &random) ?? .one }

        private mutating func product() -> Product { shelf.products.randomElement(using: &random) ?? Product(id: 1) }

        private mutating func customer() -> Customer {
            shelf.customers.randomElement(using: &random) ?? Customer(id: "ada")
        }

        private mutating func text() -> String {
            let characters = "aé\u{0}\"\\/~{}🏁 1"
            return String(list { characters.randomElement(using: &$0.random) ?? " " })
        }

        private mutating func list<Value>(_ make: (inout Self) -> Value) -> [Value] {
            (0..<Int.random(in: 0...4, using: &random)).map { _ in make(&self) }
        }

        private mutating func maybe<Value>(_ make: (inout Self) -> Value?) -> Value? {
            Bool.random(using: &random) ? make(&self) : nil
        }
    }
}
