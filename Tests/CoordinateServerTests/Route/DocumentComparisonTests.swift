import Coordinate
import JSON
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
}

extension DocumentComparison.Change {
    fileprivate var text: String { "\(pointer): \(older.text) → \(newer.text)" }
}

extension PlainValue {
    fileprivate var text: String {
        var json = JSONWriter<[UInt8]>()
        json.plain(self)
        return String(decoding: json.finish(), as: UTF8.self)
    }
}
