internal import Coordinate

/// A writer of values in sequence, without names or separators. ``CompactReader`` reads them.
struct CompactWriter {
    /// The bytes written, after a byte that is reserved for their number.
    private var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(64)
        bytes.append(0)
    }

    /// Returns all bytes that were written, preceded by their number.
    consuming func sized() -> [UInt8] {
        let count = bytes.count - 1
        if count < 64 {
            // The size of most entries fits in the reserved byte.
            bytes[0] = UInt8(count << 1)
        } else {
            var size = CompactWriter()
            size.number(count)
            bytes.replaceSubrange(..<1, with: size.bytes[1...])
        }
        return bytes
    }

    mutating func byte(_ value: UInt8) {
        bytes.append(value)
    }

    /// Writes seven bits a byte, the lowest first; the sign is the lowest bit of all.
    mutating func number(_ value: Int) {
        var rest = UInt(bitPattern: value << 1 ^ value >> (Int.bitWidth - 1))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func fixed(_ value: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func string(_ value: String) {
        number(value.utf8.count)
        bytes.append(contentsOf: value.utf8)
    }

    /// Writes a string that is likely to occur again.
    mutating func word(_ value: String, _ words: inout StringTable) {
        guard let known = words.number(of: value) else {
            number(-1)
            return string(value)
        }
        number(known)
    }

    mutating func plain(_ value: PlainValue, _ words: inout StringTable) {
        byte(PlainTag(of: value).rawValue)
        switch value {
        case .null, .bool: break
        case .int(let value): number(value)
        case .double(let value): fixed(value.bitPattern)
        case .string(let value): string(value)
        case .array(let elements):
            number(elements.count)
            for element in elements { plain(element, &words) }
        case .object(let fields):
            number(fields.count)
            for field in fields {
                word(field.name, &words)
                plain(field.value, &words)
            }
        }
    }
}

/// The first byte of a plain value, which says what follows.
enum PlainTag: UInt8 {
    case null, no, yes, int, double, string, array, object

    init(of value: PlainValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let value): value ? .yes : .no
            case .int: .int
            case .double: .double
            case .string: .string
            case .array: .array
            case .object: .object
            }
    }
}
