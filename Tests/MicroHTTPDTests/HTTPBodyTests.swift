import MicroHTTPD
import Testing

struct HTTPBodyTests {
    @Test func appendedPartsKeepTheirOrder() {
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

    @Test func aBodyMayBeEmpty() {
        let body = HTTPBodyWriter().finish()
        #expect(body.count == 0)
        #expect(body.bytes == [])
        #expect(HTTPBody([]).bytes == [])
    }

    @Test func specialBytesAreEscapedAtAnyPlace() {
        for length in 0...40 {
            for place in 0..<max(1, length) {
                for byte in UInt8.min...127 {
                    var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    if length > 0 { bytes[place] = byte }
                    var writer = HTTPBodyWriter()
                    writer.append(String(decoding: bytes, as: UTF8.self), between: 34, escaping: 92) { byte, body in
                        body.append("\\\(byte);")
                    }
                    let expected = bytes.map { byte in
                        byte < 0x20 || byte == 34 || byte == 92 ? "\\\(byte);" : String(UnicodeScalar(byte))
                    }
                    #expect(writer.finish().text == "\"\(expected.joined())\"", "\(byte) at \(place) of \(length)")
                }
            }
        }
    }

    @Test(arguments: ["\u{80}", "\u{A0}", "\u{DC}", "\u{7FF}", "\u{22FF}", "\u{10FFFF}"])
    func nonASCIILettersAreNotEscaped(letter: String) {
        for (before, after) in (0...9).flatMap({ before in (0...9).map { (before, $0) } }) {
            for (mark, isFound) in [("", 0), ("\"", 1)] {
                let text = String(repeating: "a", count: before) + letter + mark + String(repeating: "z", count: after)
                var writer = HTTPBodyWriter()
                var count = 0
                // A substring is written like a whole text.
                writer.append(("-" + text).dropFirst(), between: 34, escaping: 92) { byte, body in
                    count += 1
                    body.append(byte)
                }
                #expect(count == isFound)
                #expect(writer.finish().text == "\"\(text)\"")
            }
        }
    }
}

extension HTTPBody {
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
