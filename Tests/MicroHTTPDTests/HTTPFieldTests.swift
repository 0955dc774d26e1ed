import MicroHTTPD
import Testing

struct HTTPFieldTests {
    @Test(arguments: ["", "A b", "A:", "A\r\nB", "A\0", "Ä", "A/B", "(A)"])
    func aNameIsOneWord(text: String) {
        #expect(HTTPField.Name(rawValue: text) == nil)
    }

    @Test(arguments: ["b\r\nC: d", "b\nc", "b\0", "b\tc", "\u{7F}"])
    func aValueHasNoControlCharacters(text: String) {
        #expect(HTTPField.Value(rawValue: text) == nil)
    }

    @Test(arguments: ["", " ", "a b", "text/html; charset=utf-8", "\"4-x\"", "ä"])
    func aValueMayBeAnyOtherText(text: String) {
        #expect(HTTPField.Value(rawValue: text)?.rawValue == text)
    }

    @Test func namesIgnoreCase() {
        let fields: HTTPFields = ["content-TYPE": "a", .vary: "b", "VARY": "c"]
        #expect(fields[.contentType]?.rawValue == "a")
        #expect(fields["Vary"]?.rawValue == "b")
        #expect(fields["Var"] == nil)
        #expect(Set(fields.map(\.name)).count == 2)
        #expect(fields.map(\.value.rawValue) == ["a", "b", "c"])
    }
}
