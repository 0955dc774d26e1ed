import Coordinate
import Synchronization
import Testing

/// Declarations that newcomers write, and the messages that they get.
struct OddDeclarationTests {
    // MARK: What is fine

    @Test func tenValuesOfAllKindsAreSentAndRead() throws {
        let all = Odd.all(
            [1, nil], [], .half, nil, Level.top, ["ü": "ö"], .infinity > 1, Int.max, -0.0,
            Crate(in: Crate.Inner(of: .init())))
        let action = Action(title: "All", event: all)
        let entry = try #require(EventCatalog(Odd.self).entry(named: "odd.all"))
        #expect(entry.fields.map(\.name).count == 10)
        #expect(try entry.event(from: action.payload, in: nil) as? Odd == all)
        #expect(entry.recordedFields(of: action.payload) == action.payload)
        #expect(faults(events: Odd.self).isEmpty)
    }

    @Test func anObjectOfAnyFieldsIsRecordedAsItIs() throws {
        let texts = Labels(texts: ["a": "b", "c": "d"])
        let action = Action(title: "", event: Odd.label(texts))
        let entry = try #require(EventCatalog(Odd.self).entry(named: "odd.label"))
        let recorded = entry.recordedFields(of: action.payload)
        #expect(try entry.event(from: recorded, in: nil) as? Odd == .label(texts))
    }

    @Test func aValueThatIsLeftOutIsNotLookedUpAmongAll() throws {
        let entry = try #require(EventCatalog(Odd.self).entry(named: "odd.choose"))
        #expect(entry.fields.first?.type.choices?.count == 2)
        let lookUps = Colour.lookUps.load(ordering: .relaxed)
        for _ in 1...10 { _ = try entry.event(from: .object([]), in: nil) }
        #expect(Colour.lookUps.load(ordering: .relaxed) < lookUps + 10)
    }

    // MARK: What is told

    @Test func anObjectThatHasItselfIsToldAndNotDescribedForEver() {
        #expect(
            faults(events: Talk.self) == [
                "Talk: talk.post has a field \"comment\" that has a field \"replies\" that has items, each of which "
                    + "contains itself"
            ])
    }

    @Test func noFieldIsCalledAsTheFieldThatMakesAnAction() {
        enum Calendar: DeclaredEvents {
            case open(String)
            case move([Entry])
            struct Entry: PlainObject {
                var event: String
                static let declaration = ObjectDeclaration(Entry.init, .field("event", \.event))
            }
            static let declaration = EventDeclaration<Self>(
                "calendar",
                .event("open", Self.open, "event") { if case .open(let event) = $0 { event } else { nil } },
                .event("move", Self.move, "entries") { if case .move(let entries) = $0 { entries } else { nil } })
        }
        let reason = "has a field \"event\", which is reserved for the name of the action: rename it"
        #expect(
            faults(events: Calendar.self) == [
                "Calendar: calendar.open \(reason)",
                "Calendar: calendar.move has a field \"entries\" that has items, each of which \(reason)",
            ])
    }

    @Test func aSecretThatIsNotMadeOfOneIsTold() {
        #expect(
            faults(events: Vault.self) == [
                "Vault: vault.open has a field \"pin\" that is a secret, but cannot be created from null: "
                    + "create it from a Secret"
            ])
    }

    @Test func aSecretByItsPlainTypeIsReadOnceItIsLost() throws {
        let entry = try #require(EventCatalog(Vault.self).entry(named: "vault.close"))
        #expect(entry.fields.map(\.isSecret) == [true])
        #expect(try entry.event(from: .object([]), in: nil) as? Vault == .close(Word(secret: Secret(""))))
    }

    @Test func anOptionWhoseDefaultNoClientCouldSendIsTold() {
        struct Options: SessionOptions {
            var product = Kiosk.Product(id: 1)
            var factor = Double.nan
            var note: String?
            static let declaration = OptionDeclaration<Self>(
                .option("product", \.product), .option("factor", \.factor), .option("note", \.note))
        }
        #expect(
            DeclaringApp(options: Options.self).faults == [
                "Options: the option product has a default that no client could send: it is not the id of any Product",
                "Options: the option factor has a default that no client could send: it must be a number",
            ])
    }
}

private enum Odd: DeclaredEvents, Equatable {
    case all([Int?], [Level]?, Rate, Rate?, Level, Labels, Bool, Int, Double, Crate)
    case label(Labels)
    case choose(Colour?)

    static let declaration = EventDeclaration<Self>(
        "odd",
        .event("all", Self.all, "a", "b", "größe", "d/e", "f~g", "", "h", "i", "j", "k") {
            if case .all(let a, let b, let c, let d, let e, let f, let g, let h, let i, let j) = $0 {
                (a, b, c, d, e, f, g, h, i, j)
            } else {
                nil
            }
        },
        .event("label", Self.label, "labels") { if case .label(let labels) = $0 { labels } else { nil } },
        .event("choose", Self.choose, "colour") { if case .choose(let colour) = $0 { colour } else { nil } })
}

private enum Rate: Double, CaseIterable, PlainValueConvertible {
    case half = 0.5
    case whole = 1
}

private enum Level: Int, CaseIterable, PlainValueConvertible {
    case bottom = -1
    case top = 1
}

/// Is known without a session.
private struct Colour: KnownByID, Equatable {
    static let lookUps = Atomic(0)

    let id: String

    static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Colour]? {
        lookUps.add(1, ordering: .relaxed)
        return ["red", "blue"].map(Colour.init)
    }
}

/// Says itself how it is sent: any texts by any names.
private struct Labels: PlainValueConvertible, Equatable, ExpressibleByDictionaryLiteral {
    var texts: [String: String]

    static let plainType = PlainType.object([])

    init(texts: [String: String]) { self.texts = texts }

    init(dictionaryLiteral elements: (String, String)...) {
        texts = Dictionary(elements) { first, _ in first }
    }

    var plainValue: PlainValue {
        .object(texts.sorted { $0.key < $1.key }.map { PlainField($0.key, .string($0.value)) })
    }

    static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Labels {
        guard case .object(let fields) = value else { throw PlainValueError("must be an object") }
        return Labels(texts: Dictionary(fields.map { ($0.name, $0.value.string ?? "") }) { first, _ in first })
    }
}

/// Objects, three deep.
private struct Crate: PlainObject, Equatable {
    var inner: Inner

    init(in inner: Inner) { self.inner = inner }

    struct Inner: PlainObject, Equatable {
        var kernel: Kernel?

        init(of kernel: Kernel?) { self.kernel = kernel }

        static let declaration = ObjectDeclaration(Inner.init(of:), .field("kernel", \.kernel))
    }

    struct Kernel: PlainObject, Equatable {
        var names: [String] = []

        init() {}

        init(names: [String]) { self.names = names }

        static let declaration = ObjectDeclaration(Kernel.init(names:), .field("names", \.names))
    }

    static let declaration = ObjectDeclaration(Crate.init(in:), .field("inner", \.inner))
}

private enum Talk: DeclaredEvents, Equatable {
    case post(Comment)

    struct Comment: PlainObject, Equatable {
        var text: String
        var replies: [Comment]

        static let declaration = ObjectDeclaration(
            Comment.init, .field("text", \.text), .field("replies", \.replies))
    }

    static let declaration = EventDeclaration<Self>(
        "talk", .event("post", Self.post, "comment") { if case .post(let comment) = $0 { comment } else { nil } })
}

private enum Vault: DeclaredEvents, Equatable {
    case open(Pin)
    case close(Word)

    static let declaration = EventDeclaration<Self>(
        "vault", .event("open", Self.open, "pin") { if case .open(let pin) = $0 { pin } else { nil } },
        .event("close", Self.close, "word") { if case .close(let word) = $0 { word } else { nil } })
}

/// A secret that a turn could read, and that is gone when the turn is taken once more.
private struct Pin: RawRepresentable, PlainValueConvertible, Equatable {
    let rawValue: String

    static let isSecret = true
}

/// Is made of a secret, and says so by its type alone.
private struct Word: PlainValueConvertible, Equatable {
    let secret: Secret

    static let plainType = PlainType.string.secret

    var plainValue: PlainValue { secret.plainValue }

    static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Word {
        Word(secret: try Secret.resolve(value, in: dependencies))
    }
}
