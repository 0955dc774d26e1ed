internal import Synchronization

/// What may be held in memory for many clients together.
///
/// Whoever takes more asks first, and tells how much it was: so it may be overdrawn by what is under way at a time.
public struct HTTPAllowance: Sendable {
    private let isSpent: @Sendable () -> Bool
    private let account: @Sendable (Int) -> Void

    /// An allowance that is a part of another one's account.
    ///
    /// - Parameters:
    ///   - isUsedUp: tells whether nothing more is to be taken.
    ///   - use: is told of bytes that are held from now on, and with a negative number, that they are not any more.
    public init(isUsedUp: @escaping @Sendable () -> Bool, use: @escaping @Sendable (Int) -> Void) {
        isSpent = isUsedUp
        account = use
    }

    /// An allowance of so many bytes.
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
