package import Coordinate

/// A strict parser of one JSON value (RFC 8259). It refuses duplicate keys, a byte order mark, lone surrogates, and
/// text after the value.
package struct JSONParser {
    /// The deepest nesting of arrays and objects in values from clients.
    package static let maximumDepth = 32

    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var position = 0

    /// - Parameter maximumDepth: The deepest nesting of arrays and objects. Each level uses stack space.
    package static func parse(
        _ bytes: [UInt8], maximumDepth: Int = maximumDepth
    ) throws(JSONSyntaxError) -> PlainValue {
        var parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.error("the end, after the value") }
        return value
    }

    private init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> PlainValue {
        skipSpace()
        guard let byte = current else { throw error("a value") }
        switch byte {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error("a value")
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> PlainValue {
        guard depth <= maximumDepth else { throw error("nothing nested deeper than \(maximumDepth) levels") }
        position += 1
        skipSpace()
        var fields: [PlainField] = []
        var names = FieldNames()
        if skip(UInt8(ascii: "}")) { return .object(fields) }
        fields.reserveCapacity(4)
        repeat {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw error("a key in quotes") }
            let keyPosition = position
            let name = try string()
            guard names.isNew(name, after: fields) else { throw error("no key twice", at: keyPosition) }
            skipSpace()
            guard skip(UInt8(ascii: ":")) else { throw error("a colon") }
            fields.append(PlainField(name, try value(depth: depth)))
            skipSpace()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw error("a comma or }") }
        return .object(fields)
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> PlainValue {
        guard depth <= maximumDepth else { throw error("nothing nested deeper than \(maximumDepth) levels") }
        position += 1
        skipSpace()
        var elements: [PlainValue] = []
        if skip(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth))
            skipSpace()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw error("a comma or ]") }
        return .array(elements)
    }

    private mutating func literal(_ text: String, _ value: PlainValue) throws(JSONSyntaxError) -> PlainValue {
        guard bytes[position...].starts(with: text.utf8) else { throw error("a value") }
        position += text.utf8.count
        return value
    }

    private mutating func number() throws(JSONSyntaxError) -> PlainValue {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        var isWhole = true
        if skip(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isWhole = false
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let int = Int(text) { return .int(int) }
        guard let double = Double(text), double.isFinite else { throw error("a smaller number", at: start) }
        return double.whole.map(PlainValue.int) ?? .double(double)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        guard let first = current, isDigit(first) else { throw error("a digit") }
        while let byte = current, isDigit(byte) { position += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    // MARK: Strings

    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
            position += 1
        }
        let plain = bytes[start..<position]
        if skip(UInt8(ascii: "\"")) { return try text(plain, at: start) }
        var decoded = Array(plain)
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return try text(decoded[...], at: start)
            case UInt8(ascii: "\\"):
                try decoded.append(contentsOf: escape())
            case 0..<0x20:
                throw error("no control character inside a string: escape it")
            default:
                decoded.append(byte)
                position += 1
            }
        }
        throw error("the closing quote of a string")
    }

    private func text(_ bytes: ArraySlice<UInt8>, at start: Int) throws(JSONSyntaxError) -> String {
        // `validating` is not specialized and so is slow. Most texts are ASCII and need no validation.
        if bytes.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }) { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw error("UTF-8 in a string", at: start) }
        guard text.hasShortMarkRuns else { throw error("no more than 256 combining marks in a row", at: start) }
        return text
    }

    private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
        let start = position
        position += 1
        guard let byte = current else { throw error("the rest of an escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            let unit = try hexadecimal()
            guard (0xD800..<0xE000).contains(unit) else { return utf8(unit, start) }
            guard unit < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else {
                throw error("a pair of surrogates", at: start)
            }
            let low = try hexadecimal()
            guard (0xDC00..<0xE000).contains(low) else { throw error("a pair of surrogates", at: start) }
            return utf8(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), start)
        default: throw error("one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u", at: start)
        }
    }

    private func utf8(_ scalar: UInt32, _ start: Int) -> [UInt8] {
        Unicode.Scalar(scalar).map { Array(String(Character($0)).utf8) } ?? []
    }

    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    // MARK: Bytes

    private var current: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func error(_ expected: String, at position: Int? = nil) -> JSONSyntaxError {
        let before = bytes[..<(position ?? self.position)]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        // A continuation byte of a character is not a column of its own.
        let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        return JSONSyntaxError(expected: expected, line: before.count { $0 == 0x0A } + 1, column: column)
    }
}

/// The field names of one object, compared by code units (RFC 8259, section 8.3), unlike Swift strings.
private struct FieldNames {
    /// Used from the 17th name on. A few names are faster to search than to hash.
    private var many: Set<[UInt8]> = []

    mutating func isNew(_ name: String, after fields: [PlainField]) -> Bool {
        guard fields.count >= 16 else {
            return !fields.contains {
                $0.name.utf8.count == name.utf8.count && $0.name.utf8.elementsEqual(name.utf8)
            }
        }
        if many.isEmpty { many = Set(fields.map { Array($0.name.utf8) }) }
        return many.insert(Array(name.utf8)).inserted
    }
}

/// A syntax error in a JSON text.
package struct JSONSyntaxError: Error, Equatable {
    /// The expected syntax at the place of the error.
    package let expected: String
    /// The line of the error, from 1.
    package let line: Int
    /// The column of the error, in characters, from 1.
    package let column: Int
}
