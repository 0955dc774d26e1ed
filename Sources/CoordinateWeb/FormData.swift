/// The names and values of a form as browsers send them: `event=profile.rename&input.name=Ann+Lee`
/// (https://url.spec.whatwg.org/#application/x-www-form-urlencoded).
public struct FormData: Equatable, Sendable {
    /// The type of such a body.
    public static let mediaType = "application/x-www-form-urlencoded"

    private var items: [(name: String, value: String)] = []

    /// Reads a body. Malformed escapes stand for themselves, as in browsers.
    public init(_ body: [UInt8]) {
        for item in body.split(separator: UInt8(ascii: "&")) {
            let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            items.append((Self.decode(item[..<end]), Self.decode(item[end...].dropFirst())))
        }
    }

    /// The names, in the order sent; a name that was sent twice is there twice.
    var names: [String] { items.map(\.name) }

    /// The values of a name, in the order sent.
    public func values(of name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// The value of a name that is sent once; `nil` if it was not sent, or more than once.
    public func value(of name: String) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values[0] : nil
    }

    public static func == (one: FormData, other: FormData) -> Bool {
        one.items.elementsEqual(other.items) { $0 == $1 }
    }

    private static func decode(_ text: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), let decoded = hexadecimal(rest.prefix(2)) {
                bytes.append(decoded)
                rest = rest.dropFirst(2)
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
