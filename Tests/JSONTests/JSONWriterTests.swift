import Coordinate
import JSON
import Testing

struct JSONWriterTests {
    @Test(arguments: JSONParserTests.valid.map(\.1))
    func writtenValuesAreParsedUnchanged(value: PlainValue) throws {
        var json = JSONWriter<[UInt8]>()
        json.plain(value)
        let bytes = json.finish()
        #expect(try JSONParser.parse(bytes) == value)
    }

    @Test(
        arguments: [
            (3, "3"), (-100, "-100"), (0.5, "0.5"), (1e22, "1e+22"), (-0.0, "-0.0"), (0, "0"), (.infinity, "null"),
        ] as [(Double, String)])
    func aWholeDoubleIsWrittenAsAnInteger(double: Double, text: String) {
        var json = JSONWriter<[UInt8]>()
        json.plain(.double(double))
        let bytes = json.finish()
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test(arguments: [0, 1, 9, 10, 11, 99, 100, 101, 1_000_000, -1, -10, -99, .max, .max - 1, .min, .min + 1])
    func aNumberIsWrittenInDecimalDigits(number: Int) {
        var json = JSONWriter<[UInt8]>()
        json.int(number)
        #expect(String(decoding: json.finish(), as: UTF8.self) == String(number))
    }

    @Test func everyControlCharacterIsEscaped() throws {
        let text = String(String.UnicodeScalarView((0..<0x80).compactMap(Unicode.Scalar.init)))
        var json = JSONWriter<[UInt8]>()
        json.string(text)
        let bytes = json.finish()
        #expect(bytes.allSatisfy { $0 >= 0x20 })
        #expect(try JSONParser.parse(bytes) == .string(text))
    }

    @Test func objectsAndArraysHaveCommas() {
        var json = JSONWriter<[UInt8]>()
        json.object {
            $0.field("string", "a")
            $0.field("none", String?.none)
            $0.field("int", 1)
            $0.field("noInt", Int?.none)
            $0.field("bool", true)
            $0.object("object") { $0.object("empty") { _ in } }
            $0.array("array", [1, 2]) { $0.int($1) }
            $0.array("nothing", [Int]()) { $0.int($1) }
            $0.array("objects", [1, 2]) { json, number in json.object { $0.field("n", number) } }
            $0.key("encoded")
            $0.encoded { $0.append(literal: "{}") }
            $0.key("null")
            $0.null()
        }
        let bytes = json.finish()
        let expected = """
            {"string":"a","none":null,"int":1,"noInt":null,"bool":true,"object":{"empty":{}},"array":[1,2],\
            "nothing":[],"objects":[{"n":1},{"n":2}],"encoded":{},"null":null}
            """
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test func slashesAndNonASCIILettersAreNotEscaped() {
        var json = JSONWriter<[UInt8]>()
        json.string("/main/é🏁")
        let bytes = json.finish()
        #expect(String(decoding: bytes, as: UTF8.self) == "\"/main/é🏁\"")
    }
}
