internal import Synchronization

/// A table of strings that occur repeatedly, each stored once and identified by a number.
///
/// Its size is limited: clients that send ever new strings fill the table, but not the memory. A string that is not in
/// the table is written in full.
struct StringTable: Sendable {
    private static let maximumCount = 1 << 12
    private static let maximumLength = 256

    private var numbers: [String: Int] = [:]
    /// The strings, by their numbers.
    private(set) var strings: [String] = []
    /// The numbers of strings that were looked up recently, by their ``slot(of:)``. Most lookups repeat, and comparing
    /// a string takes a fifth of the time of hashing it.
    private var recent = [Int](repeating: 0, count: 64)

    /// Returns the number of a string, and adds the string if there is room; `nil` if it is not in the table and cannot
    /// be added.
    ///
    /// Only ASCII is accepted: Swift considers different spellings of other characters equal.
    mutating func number(of string: String) -> Int? {
        guard string.isASCII else { return nil }
        let slot = slot(of: string)
        if recent[slot] < strings.count, strings[recent[slot]] == string { return recent[slot] }
        if let number = numbers[string] {
            recent[slot] = number
            return number
        }
        guard strings.count < Self.maximumCount, string.utf8.count <= Self.maximumLength else { return nil }
        numbers[string] = strings.count
        strings.append(string)
        return strings.count - 1
    }

    private func slot(of string: String) -> Int {
        let bytes = string.utf8.span
        guard !bytes.isEmpty else { return 0 }
        let last = bytes.count - 1
        return (bytes.count &+ 3 &* Int(bytes[last / 2]) &+ 5 &* Int(bytes[last])) % recent.count
    }
}

extension String {
    /// Whether it contains only ASCII. The loop has no early exit, so that it examines many bytes at once.
    fileprivate var isASCII: Bool {
        let bytes = utf8.span
        var all: UInt8 = 0
        for index in bytes.indices { all |= bytes[index] }
        return all < 0x80
    }
}

/// A table that the histories of several sessions share, in any store.
final class SharedStringTable: Sendable {
    private let table = Mutex(StringTable())

    /// All strings so far, by their numbers.
    var strings: [String] { table.withLock { $0.strings } }

    func withTable<Result>(_ body: (inout StringTable) -> sending Result) -> sending Result {
        table.withLock { body(&$0) }
    }
}
