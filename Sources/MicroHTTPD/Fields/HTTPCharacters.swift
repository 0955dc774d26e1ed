/// The classes of bytes in the grammar of HTTP.
enum HTTPCharacters {
    /// Whether a byte may occur in a method or header name: `tchar` of RFC 9110, section 5.6.2.
    static func isToken(_ byte: UInt8) -> Bool {
        // Nearly all bytes are letters.
        if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) { return true }
        return switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    /// Whether a byte must not occur in a header value: RFC 9110, section 5.5.
    static func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != UInt8(ascii: "\t")) || byte == 0x7F
    }

    /// The value of a hexadecimal digit; `nil` for any other byte.
    static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// A decoder of `%XX` escapes. libmicrohttpd must not decode them, because its decoded strings end at the first `%00`.
enum PercentEncoding {
    /// The decoded bytes of an escaped text; `nil` if an escape is malformed or stands for NUL.
    static func decodedBytes(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.underestimatedCount)
        var bytes = text.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard
                    let high = bytes.next().flatMap(HTTPCharacters.hexadecimalValue),
                    let low = bytes.next().flatMap(HTTPCharacters.hexadecimalValue),
                    high | low != 0
                else { return nil }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                decoded.append(UInt8(ascii: " "))
            case 0:
                return nil
            default:
                decoded.append(byte)
            }
        }
        return decoded
    }
}
