/// The name of a place in a trace: `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`
/// (https://www.w3.org/TR/trace-context, section 3.2).
package enum Traceparent {
    /// The name of the message field that contains it.
    package static let field = "traceparent"

    /// The length of a name in version 00, in bytes. Later versions begin with the same form.
    private static let length = 55

    /// Returns the name in the form of version 00, in which it is passed on; `nil` if the text is malformed.
    package static func read(_ text: some Collection<UInt8>) -> String? {
        let bytes = Array(text.prefix(length + 1))
        let parts = bytes.prefix(length).split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [2, 32, 16, 2], parts.allSatisfy({ $0.allSatisfy(isDigit) }),
            parts[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } }),
            follows(bytes.dropFirst(length).first, version: String(decoding: parts[0], as: UTF8.self))
        else { return nil }
        return "00" + String(decoding: bytes[2..<length], as: UTF8.self)
    }

    /// Whether the text may continue after the known part. Version 00 ends there, and there is no version ff.
    private static func follows(_ next: UInt8?, version: String) -> Bool {
        version == "00" ? next == nil : version != "ff" && (next == nil || next == UInt8(ascii: "-"))
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
