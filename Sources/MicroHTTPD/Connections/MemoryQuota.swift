internal import Synchronization

/// The accounts of the memory that a server holds for its clients, by purpose.
public struct HTTPMemory: Sendable {
    /// The collected bodies of requests. A larger body that exceeds the limit is refused.
    public var bodies: MemoryQuota?
    /// Requests that wait for their answers.
    public var waiting: MemoryQuota?
    /// Large responses that are sent whole.
    public var answers: MemoryQuota?
    /// The memory of connections themselves.
    public var connections: MemoryQuota?
    /// The limit on what clients have not read yet.
    public var readers: HTTPReaders?

    public init(
        bodies: MemoryQuota? = nil, waiting: MemoryQuota? = nil, answers: MemoryQuota? = nil,
        connections: MemoryQuota? = nil, readers: HTTPReaders? = nil
    ) {
        self.bodies = bodies
        self.waiting = waiting
        self.answers = answers
        self.connections = connections
        self.readers = readers
    }
}

/// A limit on the memory held for many clients together.
///
/// Code that needs more checks the limit first and reports the bytes afterwards. So requests in progress may exceed the
/// limit.
public struct MemoryQuota: Sendable {
    private let isSpent: @Sendable () -> Bool
    private let account: @Sendable (Int) -> Void

    /// Creates a quota that is part of another account.
    ///
    /// - Parameters:
    ///   - isUsedUp: Whether no more may be held.
    ///   - use: Called with the number of bytes held, or with a negative number when they are released.
    public init(isUsedUp: @escaping @Sendable () -> Bool, use: @escaping @Sendable (Int) -> Void) {
        isSpent = isUsedUp
        account = use
    }

    /// Creates a quota of a number of bytes.
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

    /// Charges bytes, or with a negative number releases them.
    public func use(_ change: Int) {
        if change != 0 { account(change) }
    }
}
