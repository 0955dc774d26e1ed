/// The grammar of JSON (RFC 8259), implemented differently than the parser: without recursion, and without values. A
/// text is split into words, and each pair of brackets becomes a value when it closes.
enum JSONGrammar {
    private enum Word: Equatable {
        case value, text
        case sign(UInt8)
    }

    static func includes(_ bytes: [UInt8]) -> Bool {
        guard String(validating: bytes, as: UTF8.self) != nil else { return false }
        var rest = bytes[...]
        var open: [Word] = []
        while true {
            rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
            guard let first = rest.first else { return open == [.value] || open == [.text] }
            switch first {
            case UInt8(ascii: "\""):
                guard let size = textSize(rest) else { return false }
                rest = rest.dropFirst(size)
                open.append(.text)
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":"):
                rest = rest.dropFirst()
                open.append(.sign(first))
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                rest = rest.dropFirst()
                guard close(&open, with: first) else { return false }
            default:
                let word = rest.prefix { !Array(" \t\r\n,:[]{}\"".utf8).contains($0) }
                guard isPlain(String(decoding: word, as: UTF8.self)) else { return false }
                rest = rest.dropFirst(word.count)
                open.append(.value)
            }
        }
    }

    /// Replaces a pair of brackets and its contents by one value.
    private static func close(_ open: inout [Word], with bracket: UInt8) -> Bool {
        // In ASCII an opening bracket precedes the closing one by two.
        guard let start = open.lastIndex(where: { [.sign(0x5B), .sign(0x7B)].contains($0) }),
            open[start] == .sign(bracket - 2)
        else { return false }
        let inside = open[(start + 1)...]
        open.replaceSubrange(start..., with: [.value])
        guard !inside.isEmpty else { return true }
        return inside.split(separator: .sign(UInt8(ascii: ",")), omittingEmptySubsequences: false).allSatisfy {
            member in
            let words = bracket == UInt8(ascii: "}") ? member.dropFirst(2) : member
            let isNamed = member.starts(with: [.text, .sign(UInt8(ascii: ":"))])
            return (bracket == UInt8(ascii: "]") || isNamed) && (Array(words) == [.value] || Array(words) == [.text])
        }
    }

    /// The number of bytes of a quoted text; `nil` if it does not end, or is malformed.
    private static func textSize(_ bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes.dropFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return bytes.count - rest.count
            case ..<0x20: return nil
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                if escaped != UInt8(ascii: "u") {
                    guard "\"\\/bfnrt".utf8.contains(escaped) else { return nil }
                    continue
                }
                guard let unit = unit(&rest), unit & 0xFC00 != 0xDC00 else { return nil }
                guard unit & 0xFC00 == 0xD800 else { continue }
                guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
                    let low = Self.unit(&rest), low & 0xFC00 == 0xDC00
                else { return nil }
            default: break
            }
        }
        return nil
    }

    private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt16? {
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// Whether a word is a number, or one of the three literals.
    private static func isPlain(_ word: String) -> Bool {
        ["true", "false", "null"].contains(word)
            || word.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
    }
}
