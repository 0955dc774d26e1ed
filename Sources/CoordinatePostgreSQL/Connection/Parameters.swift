internal import CoordinateSessions

/// The value of a parameter.
enum Parameter: Sendable {
    case null
    case int(Int32)
    case long(Int64)
    case text(String)
    case bytes([UInt8])
    case ids([SessionID])
    case texts([String])

    static func long(orNull value: Int64?) -> Parameter { value.map(Parameter.long) ?? .null }
}

/// The values of a statement's parameters, in PostgreSQL's binary form, all in one buffer.
///
/// The form of an array is that of `array_recv`: dimensions, flags, the type of the elements, their number, the index
/// of the first one, and each element, preceded by its length.
struct Parameters: Sendable {
    /// The types of elements, by their ids in `pg_type`.
    private enum ElementType: Int32 {
        case bytes = 17
        case int64 = 20
        case int32 = 23
        case text = 25
    }

    /// The bytes of all values. Never empty, since an empty value also needs an address in it.
    private(set) var buffer: [UInt8] = [0]
    /// The range of each value in the buffer; `nil` for null.
    private(set) var values: [Range<Int>?] = []

    mutating func append(_ value: Parameter) {
        switch value {
        case .null: values.append(nil)
        case .int(let value): append { $0.appendBigEndian(value) }
        case .long(let value): append { $0.appendBigEndian(value) }
        case .text(let text): append { $0 += text.utf8 }
        case .bytes(let bytes): append { $0 += bytes }
        case .ids(let ids): appendIDs(of: ids) { $0 }
        case .texts(let texts): appendTexts(of: texts) { $0 }
        }
    }

    /// Appends an array of ids.
    mutating func appendIDs<Elements: Collection>(of elements: Elements, _ id: (Elements.Element) -> SessionID) {
        appendArray(.text, elements) { element, buffer in
            id(element).write(to: &buffer)
            return true
        }
    }

    /// Appends an array of texts.
    mutating func appendTexts<Elements: Collection>(of elements: Elements, _ text: (Elements.Element) -> String) {
        appendArray(.text, elements) { element, buffer in
            buffer += text(element).utf8
            return true
        }
    }

    /// Appends an array of byte strings, any of which can be null.
    mutating func appendBytes<Elements: Collection>(of elements: Elements, _ bytes: (Elements.Element) -> [UInt8]?) {
        appendArray(.bytes, elements) { element, buffer in
            guard let bytes = bytes(element) else { return false }
            buffer += bytes
            return true
        }
    }

    /// Appends an array of numbers.
    mutating func appendInts<Elements: Collection>(of elements: Elements, _ number: (Elements.Element) -> Int32) {
        appendArray(.int32, elements) { element, buffer in
            buffer.appendBigEndian(number(element))
            return true
        }
    }

    /// Appends an array of large numbers, any of which can be null.
    mutating func appendLongs<Elements: Collection>(of elements: Elements, _ number: (Elements.Element) -> Int64?) {
        appendArray(.int64, elements) { element, buffer in
            guard let number = number(element) else { return false }
            buffer.appendBigEndian(number)
            return true
        }
    }

    /// Appends an array.
    ///
    /// - Parameter write: Appends an element to the buffer. Returns `false` if the element is null.
    private mutating func appendArray<Elements: Collection>(
        _ type: ElementType, _ elements: Elements, _ write: (Elements.Element, inout [UInt8]) -> Bool
    ) {
        append { buffer in
            // An array without elements has no dimensions.
            buffer.appendBigEndian(Int32(elements.isEmpty ? 0 : 1))
            buffer.appendBigEndian(Int32(0))
            buffer.appendBigEndian(type.rawValue)
            guard !elements.isEmpty else { return }
            buffer.appendBigEndian(Int32(elements.count))
            buffer.appendBigEndian(Int32(1))
            for element in elements {
                let start = buffer.count
                buffer.appendBigEndian(Int32(-1))
                guard write(element, &buffer) else { continue }
                buffer.setBigEndian(Int32(buffer.count - start - 4), at: start)
            }
        }
    }

    private mutating func append(_ write: (inout [UInt8]) -> Void) {
        let start = buffer.count
        write(&buffer)
        values.append(start..<buffer.count)
    }
}

extension [UInt8] {
    mutating func appendBigEndian<Value: FixedWidthInteger>(_ value: Value) {
        for shift in stride(from: Value.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> Value(shift)))
        }
    }

    fileprivate mutating func setBigEndian(_ value: Int32, at index: Int) {
        for byte in 0..<4 { self[index + byte] = UInt8(truncatingIfNeeded: value >> Int32(24 - 8 * byte)) }
    }
}
