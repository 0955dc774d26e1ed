internal import Synchronization

/// The accounts of the memory that a server holds for its clients, by purpose.
public struct HTTPMemory: Sendable {
    /// The collected bodies of requests. A larger body that exceeds the limit is refused.
    public var bodies: HTTPAllowance?
    /// Requests that wait for their answers.
    public var waiting: HTTPAllowance?
    /// Large responses that are sent whole.
    public var answers: HTTPAllowance?
    /// The memory of connections themselves.
    public var connections: HTTPAllowance?
    /// The limit on what clients have not read yet.
    public var readers: HTTPReaders?

    public init(
        bodies: HTTPAllowance? = nil, waiting: HTTPAllowance? = nil, answers: HTTPAllowance? = nil,
        connections: HTTPAllowance? = nil, readers: HTTPReaders? = nil
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
public struct HTTPAllowance: Sendable {
    private let isSpent: @Sendable () -> Bool
    private let account: @Sendable (Int) -> Void

    /// Creates an allowance that is part of another account.
    ///
    /// - Parameters:
    ///   - isUsedUp: Whether no more may be held.
    ///   - use: Called with the number of bytes held, or with a negative number when they are released.
    public init(isUsedUp: @escaping @Sendable () -> Bool, use: @escaping @Sendable (Int) -> Void) {
        isSpent = isUsedUp
        account = use
    }

    /// Creates an allowance of a number of bytes.
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
