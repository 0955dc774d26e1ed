import Coordinate
import JSON
import Testing

struct JSONParserTests {
    static let valid: [(String, PlainValue)] = [
        ("null", .null), (" true ", .bool(true)), ("\t\r\nfalse\n", .bool(false)), ("0", .int(0)), ("-0", .int(0)),
        ("-12", .int(-12)), ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
        ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("1.0", .int(1)), ("1e2", .int(100)),
        ("-1.5E-3", .double(-0.0015)), ("1E+2", .int(100)), ("1.5e1", .int(15)), ("0.0", .int(0)),
        ("9007199254740991.0", .int(9_007_199_254_740_991)), ("9007199254740992.0", .double(9_007_199_254_740_992)),
        ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
        ("5e-324", .double(.leastNonzeroMagnitude)), ("\"\"", .string("")),
        (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
        (#""\u00e9\u20AC\u0000""#, .string("é€\u{0}")), (#""\ud83c\udfc1""#, .string("🏁")),
        (#""\uFFFF\uD7FF\uE000""#, .string("\u{FFFF}\u{D7FF}\u{E000}")),
        ("\"🏁\u{2028}\u{7F}\"", .string("🏁\u{2028}\u{7F}")), ("[]", .array([])), ("{}", .object([])),
        ("[ ]", .array([])),
        ("[1, [2], {\"a\": null}]", .array([.int(1), .array([.int(2)]), .object([PlainField("a", .null)])])),
        ("{\"b\":1,\"a\":2}", .object([PlainField("b", .int(1)), PlainField("a", .int(2))])),
        ("{\"\":1}", .object([PlainField("", .int(1))])),
        // Two different letters that look alike.
        ("{\"\u{E9}\":1,\"e\u{301}\":2}", .object([PlainField("\u{E9}", .int(1)), PlainField("e\u{301}", .int(2))])),
    ]

    @Test(arguments: valid)
    func validJSONIsParsed(text: String, value: PlainValue) throws {
        #expect(try JSONParser.parse(Array(text.utf8)) == value)
    }

    @Test func aKeyTwiceAmongManyIsRefused() {
        let fields = ((0..<20).map(String.init) + ["3"]).map { "\"\($0)\":1" }.joined(separator: ",")
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array("{\(fields)}".utf8)) }
    }

    @Test func zeroKeepsItsSign() throws {
        let value = try JSONParser.parse(Array("-0.0".utf8))
        if case .double(let zero) = value { #expect(zero.sign == .minus) } else { Issue.record("\(value)") }
    }

    static let invalid: [(String, line: Int, column: Int)] = [
        ("", 1, 1), ("   ", 1, 4), ("\n\n", 3, 1), ("nul", 1, 1), ("True", 1, 1), ("[1,]", 1, 4), ("[1 2]", 1, 4),
        ("[", 1, 2), ("{\"a\":1,}", 1, 8), ("{a:1}", 1, 2), ("{\"a\" 1}", 1, 6), ("{\"a\":}", 1, 6), ("{\"a\":1", 1, 7),
        ("{\"a\":1]", 1, 7), ("{1:1}", 1, 2), ("1 1", 1, 3), ("{} x", 1, 4), ("01", 1, 2), ("-", 1, 2), ("+1", 1, 1),
        (".5", 1, 1), ("1.", 1, 3), ("1e", 1, 3), ("1e+", 1, 4), ("0x1", 1, 2), ("NaN", 1, 1), ("Infinity", 1, 1),
        ("1e400", 1, 1), ("-1e400", 1, 1), ("'a'", 1, 1), ("\"a", 1, 3), ("\"a\nb\"", 1, 3), ("\"\t\"", 1, 2),
        ("\"\u{1F}\"", 1, 2), (#""\x""#, 1, 2), (#""\u12""#, 1, 6), (#""\u12G4""#, 1, 6), (#""\"#, 1, 3),
        (#""\ud83c""#, 1, 2), (#""\ud83cx""#, 1, 2), (#""\ud83c\n""#, 1, 2), (#""\udfc1""#, 1, 2),
        (#""\ud83c\ud83c""#, 1, 2), (#""\udfc1\udfc1""#, 1, 2),
        ("{\"a\":1,\"a\":2}", 1, 8), (#"{"a":1,"\u0061":2}"#, 1, 8), ("// comment\n1", 1, 1), ("\u{FEFF}{}", 1, 1),
        ("{\n  \"é\": ?\n}", 2, 8), ("[\r\n\r\n  1,\r\n]", 4, 1), ("[\u{A0}1]", 1, 2),
    ]

    @Test(arguments: invalid)
    func anErrorNamesThePlace(text: String, line: Int, column: Int) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text.utf8)) }
        #expect(error?.line == line, "\(error?.expected ?? "")")
        #expect(error?.column == column, "\(error?.expected ?? "")")
        #expect(error?.expected.isEmpty == false)
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0x5C, 0x6E, 0x80, 0x22], [0xFF],
            [0x7B, 0x22, 0xFE, 0x22, 0x3A, 0x31, 0x7D],
            [0x00], [0x22, 0x00, 0x22], [0xEF, 0xBB, 0xBF, 0x31],
        ] as [[UInt8]])
    func textThatIsNotUTF8IsRefused(bytes: [UInt8]) {
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(bytes) }
    }

    /// Swift sorts the marks before it compares or hashes a text, in a time that grows with the square of their number.
    @Test(arguments: ["\u{301}", #"\u0301"#, "%CC%81"])
    func aTextHasAtMost256CombiningMarksInARow(mark: String) throws {
        func text(_ count: Int) -> [UInt8] { Array(("{\"a" + String(repeating: mark, count: count) + "\": 1}").utf8) }
        _ = try JSONParser.parse(text(256))
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(text(257)) }
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
    func nestingHasThirtyTwoLevels(open: String, close: String) throws {
        func nested(_ depth: Int) -> [UInt8] {
            let inner = close == "}" ? "1" : ""
            return Array((String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)).utf8)
        }
        _ = try JSONParser.parse(nested(32))
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(nested(33)) }
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(nested(30_000)) }
    }
}
