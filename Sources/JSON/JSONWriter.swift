public import Coordinate

/// A writer of JSON as UTF-8, without white space, in the order of its calls.
///
/// ```swift
/// var json = JSONWriter<[UInt8]>()
/// json.object {
///     $0.field("version", 3)
///     $0.array("tabs", state.tabs) { $0.tab($1) }
/// }
/// ```
///
/// Everything can be inlined, so that it is specialized for each destination. Otherwise each byte would cost calls.
@usableFromInline
package struct JSONWriter<Output: JSONOutput & ~Copyable>: ~Copyable {
    @usableFromInline var output: Output
    /// Whether a comma must precede the next member or element.
    @usableFromInline var needsComma = false

    /// - Parameter capacity: The expected number of bytes.
    @inlinable
    package init(capacity: Int = 256) {
        output = Output(capacity: capacity)
    }

    /// The output with everything written.
    @inlinable
    package consuming func written() -> Output { output }

    // MARK: Values

    @inlinable
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        members(&self)
        close(UInt8(ascii: "}"))
    }

    @inlinable
    package mutating func array<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
        open(UInt8(ascii: "["))
        for element in elements { write(&self, element) }
        close(UInt8(ascii: "]"))
    }

    @inlinable
    package mutating func string(_ value: some StringProtocol) {
        separate()
        quote(value)
    }

    @inlinable
    package mutating func int(_ value: Int) {
        separate()
        if value < 0 { output.append(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        var power: UInt = 1
        while magnitude / power >= 10 { power *= 10 }
        while power > 0 {
            output.append(UInt8(ascii: "0") + UInt8(magnitude / power % 10))
            power /= 10
        }
    }

    @inlinable
    package mutating func bool(_ value: Bool) {
        separate()
        output.append(literal: value ? "true" : "false")
    }

    @inlinable
    package mutating func null() {
        separate()
        output.append(literal: "null")
    }

    @inlinable
    package mutating func plain(_ value: PlainValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .int(let value): int(value)
        case .double(let value):
            if let whole = value.whole { return int(whole) }
            separate()
            output.append(value.isFinite ? value.description : "null")
        case .string(let value): string(value)
        case .array(let elements): array(elements) { $0.plain($1) }
        case .object(let fields):
            object { json in
                for field in fields { json.field(field) }
            }
        }
    }

    /// Writes a value that is already JSON.
    ///
    /// - Parameter append: Writes exactly the value.
    @inlinable
    package mutating func encoded(_ append: (inout Output) -> Void) {
        separate()
        append(&output)
    }

    /// Writes a value on its own line.
    @inlinable
    package mutating func line(_ value: (inout JSONWriter) -> Void) {
        value(&self)
        output.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Members

    /// - Parameter name: The name, which must not need escapes.
    @inlinable
    @inline(__always)  // so that the length of a name is a constant where it is written
    package mutating func key(_ name: StaticString) {
        separate()
        output.append(UInt8(ascii: "\""))
        output.append(literal: name)
        output.append(UInt8(ascii: "\""))
        colon()
    }

    @inlinable
    package mutating func field(_ field: PlainField) {
        string(field.name)
        colon()
        plain(field.value)
    }

    @inlinable
    package mutating func field(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    @inlinable
    package mutating func field(_ name: StaticString, _ value: (some StringProtocol)?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    @inlinable
    package mutating func field(_ name: StaticString, _ value: Int) {
        key(name)
        int(value)
    }

    @inlinable
    package mutating func field(_ name: StaticString, _ value: Int?) {
        key(name)
        if let value { int(value) } else { null() }
    }

    @inlinable
    package mutating func field(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    @inlinable
    package mutating func plain(_ name: StaticString, _ value: PlainValue) {
        key(name)
        plain(value)
    }

    @inlinable
    package mutating func object(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
        key(name)
        object(members)
    }

    @inlinable
    package mutating func array<Element>(
        _ name: StaticString, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        array(elements, write)
    }

    /// - Parameter write: Writes the element at a position.
    @inlinable
    package mutating func array(_ name: StaticString, count: Int, _ write: (inout JSONWriter, Int) -> Void) {
        key(name)
        open(UInt8(ascii: "["))
        for position in 0..<count { write(&self, position) }
        close(UInt8(ascii: "]"))
    }

    // MARK: Bytes

    @inlinable
    mutating func open(_ bracket: UInt8) {
        separate()
        output.append(bracket)
        needsComma = false
    }

    @inlinable
    mutating func close(_ bracket: UInt8) {
        output.append(bracket)
        needsComma = true
    }

    @inlinable
    mutating func separate() {
        if needsComma { output.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    @inlinable
    mutating func colon() {
        output.append(UInt8(ascii: ":"))
        needsComma = false
    }

    @inlinable
    mutating func quote(_ text: some StringProtocol) {
        // RFC 8259, section 7.
        output.append(text, between: UInt8(ascii: "\""), escaping: UInt8(ascii: "\\"), by: Self.escape)
    }

    @inlinable
    static func escape(_ byte: UInt8, into output: inout Output) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): output.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): output.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): output.append(UInt8(ascii: "t"))
        case 0..<0x20:
            output.append(literal: byte < 0x10 ? "u000" : "u001")
            output.append(String(byte & 15, radix: 16))
        default: output.append(byte)
        }
    }
}
