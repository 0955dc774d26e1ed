import JSON
import Testing

struct JSONIndenterTests {
    private static let documents = [
        ("{}", "{}"), ("[]", "[]"), ("1", "1"), (#""a""#, #""a""#), ("{ }", "{}"),
        (#"{"a":1}"#, "{\n  \"a\": 1\n}"), ("[1,2]", "[\n  1,\n  2\n]"),
        (#"{"a":{"b":[]},"c":[{}]}"#, "{\n  \"a\": {\n    \"b\": []\n  },\n  \"c\": [\n    {}\n  ]\n}"),
        (#"{"a{[,:":"}]\"\\"}"#, "{\n  \"a{[,:\": \"}]\\\"\\\\\"\n}"),
        ("{\n  \"a\": [ 1 , 2 ]\n}\n", "{\n  \"a\": [\n    1,\n    2\n  ]\n}"),
    ]

    @Test(arguments: documents)
    func aDocumentHasALineForEachValue(plain: String, indented: String) {
        var indenter = JSONIndenter()
        indenter.append(Array(plain.utf8))
        #expect(String(decoding: indenter.finish(), as: UTF8.self) == indented)
    }

    @Test(arguments: documents)
    func piecesGiveTheSame(plain: String, indented: String) {
        var indenter = JSONIndenter()
        var pieces: [UInt8] = []
        for byte in plain.utf8 {
            indenter.append([byte])
            pieces += indenter.finish()
        }
        #expect(String(decoding: pieces, as: UTF8.self) == indented)
    }
}
