internal import Coordinate
internal import MicroHTTPD

/// Writes JSON straight to UTF-8, without white space and in the order it is told.
///
/// ```swift
/// var json = JSONWriter()
/// json.object {
///     $0.field("version", 3)
///     $0.array("tabs", state.tabs) { $0.tab($1) }
/// }
/// ```
struct JSONWriter: ~Copyable {
    private var body: HTTPBodyWriter
    /// Whether the next member or element has one before it.
    private var needsComma = false

    init(capacity: Int = 256) {
        body = HTTPBodyWriter(capacity: capacity)
    }

    /// All that was written.
    consuming func finish(isToBeKept: Bool = false) -> HTTPBody {
        body.finish(isToBeKept: isToBeKept)
    }

    // MARK: Values

    mutating func object(_ members: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        members(&self)
        close(UInt8(ascii: "}"))
    }

    mutating func array<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
        open(UInt8(ascii: "["))
        // By index, so that an element is lent and not copied: one of a route document holds a dozen references.
        for index in elements.indices { write(&self, elements[index]) }
        close(UInt8(ascii: "]"))
    }

    mutating func string(_ value: String) {
        separate()
        quote(value)
    }

    mutating func int(_ value: Int) {
        separate()
        body.append(String(value))
    }

    mutating func bool(_ value: Bool) {
        separate()
        body.append(literal: value ? "true" : "false")
    }

    mutating func null() {
        separate()
        body.append(literal: "null")
    }

    mutating func plain(_ value: PlainValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .int(let value): int(value)
        case .double(let value):
            separate()
            body.append(value.isFinite ? value.description : "null")
        case .string(let value): string(value)
        case .array(let elements): array(elements) { $0.plain($1) }
        case .object(let fields):
            object { json in
                for field in fields { json.field(field) }
            }
        }
    }

    /// A value that is JSON already.
    mutating func encoded(_ json: HTTPBody) {
        separate()
        body.append(json)
    }

    /// A value on a line of its own.
    mutating func line(_ value: (inout JSONWriter) -> Void) {
        value(&self)
        body.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Members

    /// - Parameter name: Has nothing in it that would have to be escaped.
    mutating func key(_ name: StaticString) {
        separate()
        body.append(UInt8(ascii: "\""))
        body.append(literal: name)
        body.append(UInt8(ascii: "\""))
        colon()
    }

    mutating func field(_ field: PlainField) {
        string(field.name)
        colon()
        plain(field.value)
    }

    mutating func field(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    mutating func field(_ name: StaticString, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    mutating func field(_ name: StaticString, _ value: Int) {
        key(name)
        int(value)
    }

    mutating func field(_ name: StaticString, _ value: Int?) {
        key(name)
        if let value { int(value) } else { null() }
    }

    mutating func field(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    mutating func object(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
        key(name)
        object(members)
    }

    mutating func array<Element>(
        _ name: StaticString, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        array(elements, write)
    }

    // MARK: Bytes

    private mutating func open(_ bracket: UInt8) {
        separate()
        body.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        body.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { body.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func colon() {
        body.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func quote(_ text: String) {
        body.append(UInt8(ascii: "\""))
        body.append(escaping: text, where: Self.mustBeEscaped, Self.escape)
        body.append(UInt8(ascii: "\""))
    }

    /// RFC 8259, section 7.
    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ byte: UInt8, into body: inout HTTPBodyWriter) {
        body.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): body.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): body.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): body.append(UInt8(ascii: "t"))
        case 0..<0x20:
            body.append(literal: byte < 0x10 ? "u000" : "u001")
            body.append(String(byte & 15, radix: 16))
        default: body.append(byte)
        }
    }
}
