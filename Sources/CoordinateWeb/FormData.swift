internal import Coordinate

/// The names and values of a form as browsers send them: `event=profile.rename&input.name=Ann+Lee`
/// (https://url.spec.whatwg.org/#application/x-www-form-urlencoded).
public struct FormData: Equatable, Sendable {
    /// The type of such a body.
    public static let mediaType = "application/x-www-form-urlencoded"
    /// The most fields of a form.
    public static let maximumFieldCount = 1_000

    /// The values by the bytes of their names. Equal bytes are the same name; equal texts may be two.
    private var values: [[UInt8]: [String]] = [:]
    /// The names in the order in which each was first sent.
    private(set) var names: [String] = []

    /// The reason why a form is not read.
    public enum Refusal: Error {
        /// It has more than ``maximumFieldCount`` fields.
        case tooManyFields
        /// A text has more than 256 combining marks in a row, and would be slow to compare.
        case tooManyMarks
    }

    /// Reads a body. Malformed escapes stand for themselves, as in browsers.
    public init(_ body: [UInt8]) throws(Refusal) {
        let items = body.split(separator: UInt8(ascii: "&"), maxSplits: Self.maximumFieldCount)
        guard items.count <= Self.maximumFieldCount else { throw .tooManyFields }
        for item in items {
            let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            let name = Self.decode(item[..<end])
            let value = Self.decode(item[end...].dropFirst())
            guard name.hasShortMarkRuns, value.hasShortMarkRuns else { throw .tooManyMarks }
            if values[Array(name.utf8)] == nil { names.append(name) }
            values[Array(name.utf8), default: []].append(value)
        }
    }

    /// The values of a name, in the order sent.
    public func values(of name: String) -> [String] { values[Array(name.utf8)] ?? [] }

    /// The value of a name that is sent once; `nil` if it was not sent, or more than once.
    public func value(of name: String) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values[0] : nil
    }

    private static func decode(_ text: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var remaining = text
        while let byte = remaining.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), let decoded = hexadecimal(remaining.prefix(2)) {
                bytes.append(decoded)
                remaining = remaining.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return digits.count == 2 && values.count == 2 ? UInt8(values[0] << 4 | values[1]) : nil
    }
}
