import Testing

@testable import MicroHTTPD

/// Faster loops over bytes, compared with slow ones.
struct ByteWordTests {
    /// Calls the body with bytes of several lengths: a normal text in which one byte is replaced.
    private func forEachByteAtEachPlace(_ body: ([UInt8], UInt8) -> Void) {
        // The text has no two hexadecimal digits in a row, before which a percent sign would be well-formed.
        let text = Array("/snow/rust/wish/you/mill".utf8)
        for length in [1, 2, 7, 8, 9, 16, 17] {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var bytes = Array(text.prefix(length))
                    bytes[place] = byte
                    body(bytes, byte)
                }
            }
        }
    }

    @Test func eachSoughtByteIsMarked() {
        forEachByteAtEachPlace { bytes, byte in
            bytes.withUnsafeBytes { raw in
                #expect(raw.haveMarks { $0.marks(below: 0x21) } == (byte < 0x21))
                #expect(raw.haveMarks { $0.marks(above: 0x7E) } == (byte > 0x7E))
                #expect(raw.haveMarks { $0.marks(of: UInt8(ascii: "#")) } == (byte == UInt8(ascii: "#")))
            }
        }
    }

    @Test func severalMarksInOneWordAreFound() {
        var wrong: [[UInt8]] = []
        for one in UInt8.min...UInt8.max {
            for other in UInt8.min...UInt8.max {
                let bytes = [one, other, other, one, UInt8(ascii: "a"), one, other, one, other]
                let isFound = bytes.withUnsafeBytes { $0.haveMarks { $0.marks(below: 0x20) | $0.marks(of: 0x7F) } }
                if isFound != [one, other].contains(where: { $0 < 0x20 || $0 == 0x7F }) { wrong.append(bytes) }
            }
        }
        #expect(wrong.isEmpty)
        #expect([UInt8]().withUnsafeBytes { $0.haveMarks { $0.marks(below: 0x21) } } == false)
    }

    @Test func fastAndSlowTargetChecksAgree() {
        forEachByteAtEachPlace { bytes, byte in
            // A byte that is not part of an escape or a multi-byte character is well-formed or not by itself.
            let isPrintable = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "%")
            let target = [UInt8(ascii: "/")] + bytes
            let range = target.withUnsafeBytes { TargetValidation.pathRange($0, query: nil) }
            #expect((range == 0..<target.count) == isPrintable)
            #expect((range == nil) == !isPrintable)
            let isInQuery = target.withUnsafeBytes { TargetValidation.pathRange($0, query: [0x61]) } != nil
            #expect(isInQuery == isPrintable)
            let query = [UInt8(ascii: "/")].withUnsafeBytes { TargetValidation.pathRange($0, query: bytes) }
            #expect((query == 0..<1) == isPrintable)
        }
    }

    @Test(arguments: [[0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xFF], [0x80], [0xC0, 0x80], [0xED, 0xA0]] as [[UInt8]])
    func targetsThatAreNotUTF8AreRefused(bytes: [UInt8]) {
        for length in 0...16 {
            let target = [UInt8(ascii: "/")] + Array(repeating: UInt8(ascii: "a"), count: length) + bytes
            #expect(target.withUnsafeBytes { TargetValidation.pathRange($0, query: nil) } == nil)
            #expect((target + target).withUnsafeBytes { TargetValidation.pathRange($0, query: nil) } == nil)
        }
    }

    @Test func namesAllowTokenCharactersOnly() {
        let tokens = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        for byte in UInt8.min...UInt8.max { #expect(HTTPCharacters.isToken(byte) == tokens.contains(byte)) }
    }

    @Test func wordsAreComparedIgnoringCase() {
        let word: StaticString = "content-length0"
        let text = Array("content-length0".utf8)
        for place in text.indices {
            for byte in UInt8(0x20)...UInt8.max {
                var bytes = text
                bytes[place] = byte
                let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
                let isSame = bytes.withUnsafeBytes { HeaderValidation.is($0.bindMemory(to: CChar.self), word) }
                #expect(isSame == (lower == text[place]))
            }
        }
        for shorter in text.indices {
            let isSame = text.prefix(shorter).withUnsafeBytes {
                HeaderValidation.is($0.bindMemory(to: CChar.self), word)
            }
            #expect(!isSame)
        }
    }

    @Test func spansAreEqualIfAllBytesAre() {
        func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool { one.span.isEqual(to: other.span) }
        let text = Array("return=minimal".utf8)
        #expect(areEqual(text, Array("return=minimal".utf8)))
        #expect(areEqual([], []))
        for place in text.indices {
            var other = text
            other[place] ^= 1
            #expect(!areEqual(text, other))
            #expect(!areEqual(text, Array(text.prefix(place))))
        }
    }
}
