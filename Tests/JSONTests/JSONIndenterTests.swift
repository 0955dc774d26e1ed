import JSON
import Testing

struct JSONIndenterTests {
    @Test(arguments: [
        ("{}", "{}"), ("[]", "[]"), ("1", "1"), (#""a""#, #""a""#), ("{ }", "{}"),
        (#"{"a":1}"#, "{\n  \"a\": 1\n}"), ("[1,2]", "[\n  1,\n  2\n]"),
        (#"{"a":{"b":[]},"c":[{}]}"#, "{\n  \"a\": {\n    \"b\": []\n  },\n  \"c\": [\n    {}\n  ]\n}"),
        (#"{"a{[,:":"}]\"\\"}"#, "{\n  \"a{[,:\": \"}]\\\"\\\\\"\n}"),
        ("{\n  \"a\": [ 1 , 2 ]\n}\n", "{\n  \"a\": [\n    1,\n    2\n  ]\n}"),
    ])
    func aDocumentHasALineForEachValue(plain: String, indented: String) {
        #expect(String(decoding: JSONIndenter.indent(Array(plain.utf8)), as: UTF8.self) == indented)
    }
}
