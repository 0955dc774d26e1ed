internal import Synchronization

/// Bytes that many have together.
final class ByteAllowance: Sendable {
    private let used = Atomic(0)

    /// Takes so many more; false where that would be too many, and none are taken.
    func add(_ count: Int, upTo limit: Int) -> Bool {
        if used.wrappingAdd(count, ordering: .relaxed).newValue <= limit { return true }
        remove(count)
        return false
    }

    func remove(_ count: Int) {
        used.wrappingSubtract(count, ordering: .relaxed)
    }
}
