internal import Coordinate

extension JournalEntry {
    /// The approximate memory that it uses, in bytes.
    var size: Int {
        let texts = event.utf8.count + at.utf8.count + path.utf8.count + (retry?.key.utf8.count ?? 0)
        return ended.reduce(320 + texts + payload.size + begun.size) { $0 + 32 + $1.utf8.count }
    }
}

extension [PendingWork] {
    /// The approximate memory that these use, in bytes.
    var size: Int {
        reduce(0) { $0 + 128 + $1.id.utf8.count + $1.name.utf8.count + $1.at.utf8.count }
    }
}

extension PlainValue {
    /// The approximate memory that it uses beside its place in an array, in bytes.
    var size: Int {
        switch self {
        case .null, .bool, .int, .double: 0
        case .string(let text): 32 + text.utf8.count
        case .array(let elements): elements.reduce(32) { $0 + 24 + $1.size }
        case .object(let fields): fields.reduce(32) { $0 + 40 + $1.name.utf8.count + $1.value.size }
        }
    }
}
