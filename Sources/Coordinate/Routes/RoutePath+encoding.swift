extension RoutePath {
    /// Returns a value, percent-encoded as one part of a path, or as the name or value of a query item. Unreserved
    /// characters stay as they are (RFC 3986, section 2.3).
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

    /// Decodes one part of a path; returns `nil` if an escape is malformed or the result is not UTF-8.
    ///
    /// - Parameter space: The byte that represents a space; `nil` if there is none.
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

    /// Reads an item of a query; returns `nil` if it is malformed or has no name. A plus sign is a space, as browsers
    /// write it.
    static func item(_ item: Substring.UTF8View) -> Item? {
        let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
        guard end != item.startIndex, let name = decode(item[..<end], space: UInt8(ascii: "+")),
            let value = decode(item[end...].dropFirst(), space: UInt8(ascii: "+"))
        else { return nil }
        return Item(name, value)
    }

    /// Returns the parts of a path in canonical form, each with a slash in front; `nil` if one is malformed.
    ///
    /// - Parameter parts: The path without the first slash.
    static func canonicalParts(_ parts: Substring.UTF8View) -> String? {
        // A path of only empty parts has a slash after each part, so it is already canonical.
        if parts.allSatisfy({ $0 == UInt8(ascii: "/") }) { return String(parts) }
        var text = ""
        for part in parts.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let decoded = decode(part) else { return nil }
            text += "/"
            text += encode(decoded)
        }
        return text
    }

    /// Returns a query in canonical form, with the question mark; `nil` if an item is malformed.
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
