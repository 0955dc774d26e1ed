extension RoutePath {
    /// Percent-encodes a value as one part of a path, or as the name or value of an item of a query (RFC 3986, section
    /// 2.3: unreserved characters stay as they are).
    static func encode(_ part: String) -> String {
        guard !part.utf8.allSatisfy(isUnreserved) else { return part }
        let digits = Array("0123456789ABCDEF")
        return part.utf8.reduce(into: "") { encoded, byte in
            if isUnreserved(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded.append("%")
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 15)])
            }
        }
    }

    /// Decodes one part of a path; `nil` if an escape is malformed or the result is not UTF-8.
    ///
    /// - Parameter space: The byte that stands for a space, if there is one.
    static func decode(_ part: Substring.UTF8View, space: UInt8? = nil) -> String? {
        guard part.contains(where: { $0 == UInt8(ascii: "%") || $0 == space }) else { return String(part) }
        var bytes: [UInt8] = []
        var rest = part.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte == space ? UInt8(ascii: " ") : byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Reads an item of a query; `nil` if it is malformed or has no name. Browsers write a space as a plus sign.
    static func item(_ item: Substring.UTF8View) -> Item? {
        let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
        guard end != item.startIndex, let name = decode(item[..<end], space: UInt8(ascii: "+")),
            let value = decode(item[end...].dropFirst(), space: UInt8(ascii: "+"))
        else { return nil }
        return Item(name, value)
    }

    /// The parts of a path in canonical form, each with a slash in front; `nil` if one is malformed.
    ///
    /// - Parameter parts: The path without the first slash.
    static func canonicalParts(_ parts: Substring.UTF8View) -> String? {
        // Only in a path of empty parts alone does each of them have a slash after it.
        if parts.allSatisfy({ $0 == UInt8(ascii: "/") }) { return String(parts) }
        var text = ""
        for part in parts.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let decoded = decode(part) else { return nil }
            text += "/"
            text += encode(decoded)
        }
        return text
    }

    /// A query in canonical form, with the question mark; `nil` if an item is malformed.
    ///
    /// - Parameter query: The query without its question mark.
    static func canonicalQuery(_ query: Substring.UTF8View) -> String? {
        var text = ""
        for part in query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            guard let item = item(part) else { return nil }
            text += text.isEmpty ? "?" : "&"
            text += "\(encode(item.name))=\(encode(item.value))"
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
