internal import Synchronization

/// Strings that occur again and again, each kept once and known by a number.
///
/// It takes so many and no more: whoever invents strings without end fills the table, and not the memory. What is not in
/// it has to be written out.
struct StringTable: Sendable {
    private static let maximumCount = 1 << 12
    private static let maximumLength = 256

    private var numbers: [String: Int] = [:]
    /// By their numbers.
    private(set) var strings: [String] = []

    /// The number of a string, which is added where there is room; nil where it is not, nor can be.
    ///
    /// Only ASCII is taken: Swift holds texts to be equal that are spelt with other characters.
    mutating func number(of string: String) -> Int? {
        guard string.isASCII else { return nil }
        if let number = numbers[string] { return number }
        guard strings.count < Self.maximumCount, string.utf8.count <= Self.maximumLength else { return nil }
        numbers[string] = strings.count
        strings.append(string)
        return strings.count - 1
    }
}

extension String {
    /// Whether there is nothing but ASCII in it. Without a way out in between, many bytes are looked at at once.
    fileprivate var isASCII: Bool {
        let bytes = utf8.span
        var all: UInt8 = 0
        for index in bytes.indices { all |= bytes[index] }
        return all < 0x80
    }
}

/// A table that histories of several sessions refer to, wherever these are kept.
final class SharedStringTable: Sendable {
    private let table = Mutex(StringTable())

    /// All strings so far, by their numbers.
    var strings: [String] { table.withLock { $0.strings } }

    func withTable<Result>(_ body: (inout StringTable) -> sending Result) -> sending Result {
        table.withLock { body(&$0) }
    }
}
