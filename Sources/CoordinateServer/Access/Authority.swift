/// A host and its port, as a request names them: `localhost:8080`.
struct Authority: Hashable, Sendable {
    /// The host in lower case, without the final dot of a full name. An IPv6 address has its brackets.
    let host: String
    /// The port; `nil` if the request names none.
    let port: Int?

    /// Reads an authority (RFC 3986, section 3.2); `nil` if it is malformed or its host is empty.
    init?(_ text: String) {
        let bytes = text.utf8
        let closing = bytes.first == UInt8(ascii: "[") ? bytes.firstIndex(of: UInt8(ascii: "]")) : nil
        let colon = bytes[(closing ?? bytes.startIndex)...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        let digits = bytes[colon...].dropFirst()
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), digits.count <= 5 else {
            return nil
        }
        var name = bytes[..<colon]
        if name.last == UInt8(ascii: ".") { name = name.dropLast() }
        let isWhole = closing.map { bytes.index(after: $0) == colon } ?? true
        guard isWhole, !name.isEmpty, name.allSatisfy({ Self.mayBeInHost($0, hasBrackets: closing != nil) })
        else { return nil }
        let host = Substring(name)
        self.host = name.contains { Self.capitals.contains($0) } ? host.lowercased() : String(host)
        port = Int(Substring(digits))
    }

    private static let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")

    private static func mayBeInHost(_ byte: UInt8, hasBrackets: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), capitals, UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"):
            hasBrackets
        default:
            false
        }
    }
}
