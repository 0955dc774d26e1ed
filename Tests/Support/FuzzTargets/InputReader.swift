/// A reader that creates values from an input's bytes, from beginning to end, for properties of values.
///
/// After the last byte, it returns 0, the empty text and the end of a list.
struct InputReader {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) {
        rest = input[...]
    }

    private mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

    mutating func bool() -> Bool { byte() & 1 == 1 }

    mutating func text() -> String {
        let size = min(byte(), rest.count)
        defer { rest = rest.dropFirst(size) }
        return String(decoding: rest.prefix(size), as: UTF8.self)
    }

    /// - Parameter limit: The most texts.
    mutating func texts(atMost limit: Int) -> [String] {
        (0..<byte() % (limit + 1)).map { _ in text() }
    }
}
