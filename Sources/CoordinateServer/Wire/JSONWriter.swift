internal import Coordinate

/// Writes JSON straight to UTF-8, without white space and in the order it is told.
///
/// ```swift
/// var json = JSONWriter()
/// json.object {
///     $0.field("version", 3)
///     $0.array("tabs", state.tabs) { $0.tab($1) }
/// }
/// ```
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    /// Whether the next member or element has one before it.
    private var needsComma = false

    init(capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    // MARK: Values

    mutating func object(_ members: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        members(&self)
        close(UInt8(ascii: "}"))
    }

    mutating func array<Element>(_ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void) {
        open(UInt8(ascii: "["))
        for element in elements { write(&self, element) }
        close(UInt8(ascii: "]"))
    }

    mutating func string(_ value: String) {
        separate()
        quote(value)
    }

    mutating func int(_ value: Int) {
        separate()
        digits(of: value)
    }

    mutating func bool(_ value: Bool) {
        separate()
        raw(value ? "true" : "false")
    }

    mutating func null() {
        separate()
        raw("null")
    }

    mutating func plain(_ value: PlainValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .int(let value): int(value)
        case .double(let value):
            separate()
            raw(value.isFinite ? value.description : "null")
        case .string(let value): string(value)
        case .array(let elements): array(elements) { $0.plain($1) }
        case .object(let fields):
            object { json in
                for field in fields {
                    json.key(field.name)
                    json.plain(field.value)
                }
            }
        }
    }

    /// A value that is JSON already.
    mutating func encoded(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// A value on a line of its own.
    mutating func line(_ value: (inout JSONWriter) -> Void) {
        value(&self)
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Members

    mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func field(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    mutating func field(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    mutating func field(_ name: String, _ value: Int) {
        key(name)
        int(value)
    }

    mutating func field(_ name: String, _ value: Int?) {
        key(name)
        if let value { int(value) } else { null() }
    }

    mutating func field(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
        key(name)
        object(members)
    }

    mutating func array<Element>(
        _ name: String, _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        array(elements, write)
    }

    // MARK: Bytes

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func digits(of value: Int) {
        raw(String(value))
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        // Copied first and looked at afterwards: an array's bytes are read many times faster than a string's.
        bytes.append(contentsOf: text.utf8)
        for index in start..<bytes.count where Self.mustBeEscaped(bytes[index]) {
            bytes.removeSubrange(start...)
            for byte in text.utf8 { escape(byte) }
            break
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// RFC 8259, section 7.
    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        guard Self.mustBeEscaped(byte) else { return bytes.append(byte) }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        case 0..<0x20:
            raw(byte < 0x10 ? "u000" : "u001")
            raw(String(byte & 15, radix: 16))
        default: bytes.append(byte)
        }
    }
}
