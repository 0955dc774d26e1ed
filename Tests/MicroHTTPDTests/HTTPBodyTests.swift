import MicroHTTPD
import Testing

struct HTTPBodyTests {
    @Test func whatIsAppendedStandsThereInOrder() {
        var writer = HTTPBodyWriter(capacity: 0)
        writer.append(literal: "a literal, ")
        writer.append("a string that is too long to be a small one, ")
        writer.append("é")
        writer.append(UInt8(ascii: "!"))
        writer.append(Array(" bytes".utf8))
        writer.append(HTTPBody(Array(" and a body".utf8)))
        #expect(writer.finish().text == "a literal, a string that is too long to be a small one, é! bytes and a body")
    }

    @Test(arguments: [0, 1, 15, 16, 17, 4096]) func aBodyGrowsAsItIsWritten(capacity: Int) {
        var writer = HTTPBodyWriter(capacity: capacity)
        let numbers = (0..<1_000).map(String.init)
        for number in numbers { writer.append(number) }
        #expect(writer.finish().text == numbers.joined())
    }

    @Test func nothingIsABodyToo() {
        let body = HTTPBodyWriter().finish()
        #expect(body.count == 0)
        #expect(body.bytes == [])
        #expect(HTTPBody([]).bytes == [])
    }

    @Test(arguments: ["", "plain", "a|b", "|", "||", "a long text without anything in it that is not plain", "é|🏁"])
    func whatMustNotStandThereIsReplaced(text: String) {
        var writer = HTTPBodyWriter()
        writer.append("[")
        writer.append(escaping: text, where: { $0 == UInt8(ascii: "|") }, { _, body in body.append("\\p") })
        writer.append("]")
        #expect(writer.finish().text == "[" + text.replacing("|", with: "\\p") + "]")
    }

    @Test func aBodyOutlivesTheResponsesMadeOfIt() {
        let body = HTTPBody(Array("kept".utf8))
        for _ in 0..<10 { #expect(HTTPResponse(status: 200, body: body).body === body) }
        #expect(body.text == "kept")
    }
}

extension HTTPBody {
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
