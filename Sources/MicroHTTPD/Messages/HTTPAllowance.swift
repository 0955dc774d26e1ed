internal import Synchronization

/// A limit on the memory that is held for many clients together.
///
/// Code that needs more checks the limit first, and reports the bytes afterwards: so it may be exceeded by what is
/// under way at a time.
public struct HTTPAllowance: Sendable {
    private let isSpent: @Sendable () -> Bool
    private let account: @Sendable (Int) -> Void

    /// Makes an allowance that is part of another account.
    ///
    /// - Parameters:
    ///   - isUsedUp: Returns true where nothing more may be held.
    ///   - use: Called with the bytes that are held from now on, or with a negative number, that were released.
    public init(isUsedUp: @escaping @Sendable () -> Bool, use: @escaping @Sendable (Int) -> Void) {
        isSpent = isUsedUp
        account = use
    }

    /// Makes an allowance of a number of bytes.
    public init(bytes: Int) {
        let total = Total()
        self.init(
            isUsedUp: { total.bytes.load(ordering: .relaxed) >= bytes },
            use: { total.bytes.wrappingAdd($0, ordering: .relaxed) })
    }

    private final class Total: Sendable {
        let bytes = Atomic(0)
    }

    var isUsedUp: Bool { isSpent() }

    func use(_ change: Int) {
        if change != 0 { account(change) }
    }
}
