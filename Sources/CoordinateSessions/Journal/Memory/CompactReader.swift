internal import Coordinate

/// A reader of the bytes that a ``CompactWriter`` wrote, in the same order. The bytes never left the process.
struct CompactReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func skip(_ count: Int) {
        position += count
    }

    mutating func byte() -> UInt8 {
        position += 1
        return bytes[position - 1]
    }

    mutating func number() -> Int {
        var bits: UInt = 0
        var shift: UInt = 0
        while true {
            let next = byte()
            bits |= UInt(next & 0x7F) << shift
            guard next >= 0x80 else { break }
            shift += 7
        }
        return Int(bitPattern: bits >> 1) ^ -Int(bitPattern: bits & 1)
    }

    mutating func fixed() -> UInt64 {
        stride(from: 0, to: 64, by: 8).reduce(0) { $0 | UInt64(byte()) << UInt64($1) }
    }

    mutating func string() -> String {
        let count = number()
        position += count
        return String(decoding: bytes[(position - count)..<position], as: UTF8.self)
    }

    mutating func word(_ words: [String]) -> String {
        let known = number()
        return known < 0 ? string() : words[known]
    }

    mutating func plain(_ words: [String]) -> PlainValue {
        switch PlainTag(rawValue: byte()) {
        case .null, nil: .null
        case .no: .bool(false)
        case .yes: .bool(true)
        case .int: .int(number())
        case .double: .double(Double(bitPattern: fixed()))
        case .string: .string(string())
        case .array: .array((0..<number()).map { _ in plain(words) })
        case .object: .object((0..<number()).map { _ in PlainField(word(words), plain(words)) })
        }
    }
}
