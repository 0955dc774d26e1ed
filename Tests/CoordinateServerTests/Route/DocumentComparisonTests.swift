import Coordinate
import JSON
import SeededGenerator
import Testing

@testable import CoordinateServer

/// The difference between two documents, without a server.
struct DocumentComparisonTests {
    /// Two documents, and the changes between them: `pointer: from → to`.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let older: String
        let newer: String
        let changes: [String]

        init(_ name: String, _ older: String, _ newer: String, _ changes: String...) {
            testDescription = name
            self.older = older
            self.newer = newer
            self.changes = changes
        }
    }

    static let cases = [
        Case("the same", #"{"a":[1,{"b":null}]}"#, #"{"a":[1,{"b":null}]}"#),
        Case("a field", #"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#, "/b: 2 → 3"),
        Case("a field of a field", #"{"a":{"b":{"c":"x"}}}"#, #"{"a":{"b":{"c":"y"}}}"#, #"/a/b/c: "x" → "y""#),
        Case("the whole document", "1", "2", ": 1 → 2"),
        Case("fields in another order", #"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#),
        Case("another type", #"{"a":1,"b":{}}"#, #"{"a":"1","b":[]}"#, #"/a: 1 → "1""#, "/b: {} → []"),
        Case("numbers with two spellings", #"{"a":3,"b":1e2}"#, #"{"a":3.0,"b":100}"#),
        Case("a zero with a sign", "[0,-0.0]", "[-0.0,0]"),
        Case(
            "numbers too large to be the same", "[9007199254740993]", "[9007199254740992.0]",
            "/0: 9007199254740993 → 9007199254740992.0"),
        Case(
            "accents that are written in two ways", #"{"a":"\u00e9"}"#, #"{"a":"e\u0301"}"#,
            "/a: \"\u{e9}\" → \"e\u{301}\""), Case("true and one", "[true]", "[1]", "/0: true → 1"),
        // A value that appears or disappears is one change.
        Case("an added subtree", #"{"a":null}"#, #"{"a":{"b":[1,2]}}"#, #"/a: null → {"b":[1,2]}"#),
        Case("a removed subtree", #"{"a":{"b":[1,2]}}"#, #"{"a":null}"#, #"/a: {"b":[1,2]} → null"#),
        Case("an added field", #"{"a":1}"#, #"{"a":1,"b":[]}"#, "/b: null → []"),
        Case("a removed field", #"{"a":1,"b":[]}"#, #"{"a":1}"#, "/b: [] → null"),
        Case("null or missing", #"{"a":null,"c":[null]}"#, #"{"b":null,"c":[]}"#),
        // In the order of the newer document. A removed value has its old position.
        Case(
            "fields that come and go", #"{"a":1,"b":1,"c":1,"d":1}"#, #"{"x":1,"c":2,"a":2,"y":1}"#,
            "/x: null → 1", "/c: 1 → 2", "/d: 1 → null", "/a: 1 → 2", "/b: 1 → null", "/y: null → 1"),
        Case(
            "the first that is gone", #"{"a":1,"b":1}"#, #"{"x":1,"b":2}"#, "/a: 1 → null", "/x: null → 1", "/b: 1 → 2"),
        // Pointers.
        Case(
            "names that are escaped", #"{"a/b":1,"~1":1,"":1}"#, #"{"a/b":2,"~1":2,"":2}"#,
            "/a~1b: 1 → 2", "/~01: 1 → 2", "/: 1 → 2"),
        Case("an accent on an escaped character", "{\"~\u{301}\":1}", "{\"~\u{301}\":2}", "/~0\u{301}: 1 → 2"),
        // Arrays.
        Case("scalars by position", #"["a","b","c"]"#, #"["b","b"]"#, #"/0: "a" → "b""#, #"/2: "c" → null"#),
        Case(
            "objects by their place", #"[{"t":1},{"t":2}]"#, #"[{"t":2},{"t":2},{"t":3}]"#,
            "/0/t: 1 → 2", #"/2: null → {"t":3}"#),
        Case(
            "elements by their id", #"[{"id":"a","v":1},{"id":"b","v":1}]"#,
            #"[{"id":"x"},{"id":"b","v":2},{"id":"a","v":1}]"#, #"/0: null → {"id":"x"}"#, "/1/v: 1 → 2"),
        Case("an element that only moved", #"[{"id":"a"},{"id":2},{"id":"c"}]"#, #"[{"id":"c"},{"id":"a"},{"id":2}]"#),
        Case(
            "what is gone of an element that moved", #"[{"id":"a","v":1},{"id":"b"}]"#, #"[{"id":"b"},{"id":"a"}]"#,
            "/0/v: 1 → null"),
        Case(
            "an id of another type", #"[{"id":1}]"#, #"[{"id":"1"}]"#, #"/0: {"id":1} → null"#,
            #"/0: null → {"id":"1"}"#),
        Case(
            "ids that are there twice", #"[{"id":1,"v":1},{"id":1,"v":2}]"#,
            #"[{"id":1,"v":1},{"id":1,"v":3},{"id":1}]"#, "/1/v: 2 → 3", #"/2: null → {"id":1}"#),
        Case(
            "some with an id, and some without", #"[7,{"id":1,"v":1},8]"#, #"[{"id":1,"v":2},7,9,{"id":2}]"#,
            "/0/v: 1 → 2", "/2: 8 → 9", #"/3: null → {"id":2}"#),
        Case("an invalid id", #"[{"id":null,"v":1}]"#, #"[{"id":[],"v":2}]"#, "/0/id: null → []", "/0/v: 1 → 2"),
        Case(
            "elements that are gone", #"[{"id":1},{"id":2},{"id":3},{"id":4}]"#, #"[{"id":3},{"id":5}]"#,
            #"/0: {"id":1} → null"#, #"/1: {"id":2} → null"#, #"/3: {"id":4} → null"#, #"/1: null → {"id":5}"#),
    ]

    @Test(arguments: cases) func changesAreInDocumentOrder(pair: Case) throws {
        let changes = DocumentComparison.changes(from: try parse(pair.older), to: try parse(pair.newer))
        #expect(changes.map(\.text) == pair.changes)
    }

    private func parse(_ text: String) throws -> PlainValue { try JSONParser.parse(Array(text.utf8)) }

    // MARK: Random documents

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func theChangesTurnTheOlderDocumentIntoTheNewerOne(seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        let older = PlainValue.random(&generator, depth: 5)
        let newer = older.mutated(&generator, depth: 5)
        let places = newer.pointers
        let before = older.leaves()
        var leaves = before
        var last = -1
        for change in DocumentComparison.changes(from: older, to: newer) {
            // The newer document has no null, so a value that becomes null was removed.
            let isGone = change.newer == .null
            let place = try #require((isGone ? older : newer).place(at: change.pointer.description))
            #expect(place.value == (isGone ? change.older : change.newer))
            let former = change.older.leaves(at: place.path)
            #expect(before.filter { $0.key.starts(with: place.path) } == former)
            #expect(former != change.newer.leaves(at: place.path))
            for path in former.keys { #expect(leaves.removeValue(forKey: path) != nil, "told twice") }
            leaves.merge(change.newer.leaves(at: place.path)) { $1 }
            guard !isGone else { continue }
            let pointer = change.pointer.description.utf8
            let position = try #require(places.firstIndex { $0.utf8.elementsEqual(pointer) })
            #expect(position > last)
            last = position
        }
        #expect(leaves == newer.leaves())
    }
}

extension DocumentComparison.Change {
    fileprivate var text: String { "\(pointer): \(older.text) → \(newer.text)" }
}

// MARK: Reference implementation

/// The path of a value by names and ids, whatever its position.
private typealias Path = [[UInt8]]

extension PlainValue {
    fileprivate var text: String {
        var json = JSONWriter<[UInt8]>()
        json.plain(self)
        return String(decoding: json.finish(), as: UTF8.self)
    }

    /// All leaves of a value with their paths, without null.
    fileprivate func leaves(at path: Path = []) -> [Path: String] {
        switch self {
        case .null: return [:]
        case .bool, .string: return [path: text]
        case .int(let number): return [path: Double(number).description]
        case .double(let number): return [path: (number + 0).description]
        case .array, .object:
            let own = if case .array = self { [path: "an array"] } else { [path: "an object"] }
            return parts.reduce(into: own) { leaves, part in
                leaves.merge(part.value.leaves(at: path + [part.name])) { $1 }
            }
        }
    }

    /// The members of an object or an array.
    private var parts: [(name: [UInt8], step: String, value: PlainValue)] {
        switch self {
        case .object(let fields): return fields.map { (Array($0.name.utf8), $0.name, $0.value) }
        case .array(let elements):
            var count: [String: Int] = [:]
            return elements.enumerated().map { index, element in
                let name =
                    switch element[field: "id"] {
                    case .string(let id): "text \(Array(id.utf8))"
                    case .int(let id): "number \(id)"
                    default: "none"
                    }
                count[name, default: 0] += 1
                return (Array("\(name) \(count[name] ?? 0)".utf8), "\(index)", element)
            }
        default: return []
        }
    }

    /// The pointers to a value and everything in it, in order.
    fileprivate var pointers: [String] {
        [""] + parts.flatMap { part in part.value.pointers.map { JSONPointer([part.step]).description + $0 } }
    }

    /// The value at a pointer.
    fileprivate func place(at pointer: String) -> (path: Path, value: PlainValue)? {
        guard !pointer.isEmpty else { return ([], self) }
        for part in parts {
            let step = JSONPointer([part.step]).description
            guard pointer.utf8.starts(with: step.utf8) else { continue }
            let rest = String(pointer.unicodeScalars.dropFirst(step.unicodeScalars.count))
            guard rest.isEmpty || rest.unicodeScalars.first == "/" else { continue }
            return part.value.place(at: rest).map { ([part.name] + $0.path, $0.value) }
        }
        return nil
    }

    // MARK: Random values

    private static let names = ["a", "b", "id", "a/b", "~0", "", "0", "\u{e9}", "e\u{301}", "/\u{301}"]

    fileprivate static func random(_ generator: inout SeededGenerator, depth: Int) -> PlainValue {
        switch Int.random(in: 0..<(depth <= 0 ? 4 : 10), using: &generator) {
        case 0: return .bool(.random(using: &generator))
        case 1: return .int(.random(in: 0...2, using: &generator))
        case 2: return .double([0.5, 1, -0.0].randomElement(using: &generator) ?? 0)
        case 3: return .string(names.randomElement(using: &generator) ?? "")
        case 4...6:
            return .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in .random(&generator, depth: depth - 1) })
        default:
            let some = names.shuffled(using: &generator).prefix(.random(in: 0...4, using: &generator))
            return .object(some.map { PlainField($0, .random(&generator, depth: depth - 1)) })
        }
    }

    /// The same value with parts removed, added or reordered.
    fileprivate func mutated(_ generator: inout SeededGenerator, depth: Int) -> PlainValue {
        guard Int.random(in: 0..<8, using: &generator) > 0 else { return .random(&generator, depth: depth) }
        switch self {
        case .object(let fields):
            var changed = fields.filter { _ in Int.random(in: 0..<6, using: &generator) > 0 }
                .map { PlainField($0.name, $0.value.mutated(&generator, depth: depth - 1)) }
            let isNew = !changed.contains { $0.name.utf8.elementsEqual("new".utf8) }
            if isNew, Int.random(in: 0..<4, using: &generator) == 0 {
                changed.append(PlainField("new", .random(&generator, depth: 0)))
            }
            return Int.random(in: 0..<4, using: &generator) == 0
                ? .object(changed.shuffled(using: &generator)) : .object(changed)
        case .array(let elements):
            var changed = elements.filter { _ in Int.random(in: 0..<6, using: &generator) > 0 }
                .map { $0.mutated(&generator, depth: depth - 1) }
            if Int.random(in: 0..<4, using: &generator) == 0 { changed.insert(.random(&generator, depth: 1), at: 0) }
            return Int.random(in: 0..<4, using: &generator) == 0
                ? .array(changed.shuffled(using: &generator)) : .array(changed)
        default: return self
        }
    }
}
