/// A reader that creates values from an input's bytes, from beginning to end, for properties of values.
///
/// After the last byte, it returns 0, the empty text and the end of a list.
struct InputReader {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) {
        rest = input[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func bool() -> Bool { byte() & 1 == 1 }

    /// Returns a number below another one.
    mutating func number(below bound: Int) -> Int { bound < 2 ? 0 : Int(byte()) % bound }

    /// Returns any number; short ones are likely.
    mutating func int() -> Int {
        let size = number(below: 9)
        let bits = (0..<size).reduce(0 as UInt64) { bits, _ in bits << 8 | UInt64(byte()) }
        return bool() ? Int(truncatingIfNeeded: ~bits) : Int(truncatingIfNeeded: bits)
    }

    mutating func bits() -> UInt64 {
        (0..<8).reduce(0) { bits, _ in bits << 8 | UInt64(byte()) }
    }

    mutating func text() -> String {
        let size = min(Int(byte()), rest.count)
        defer { rest = rest.dropFirst(size) }
        return String(decoding: rest.prefix(size), as: UTF8.self)
    }

    mutating func optional<Value>(_ value: (inout InputReader) -> Value) -> Value? {
        bool() ? value(&self) : nil
    }

    /// - Parameter limit: The most elements.
    mutating func list<Value>(atMost limit: Int, _ value: (inout InputReader) -> Value) -> [Value] {
        (0..<number(below: limit + 1)).map { _ in value(&self) }
    }

    /// Returns the remaining bytes.
    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}
