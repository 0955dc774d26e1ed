internal import Synchronization

/// The accounts of the memory that a server holds for its clients, by what it is held for.
public struct HTTPMemory: Sendable {
    /// Collected bodies of requests; a larger one that exceeds it is refused.
    public var bodies: HTTPAllowance?
    /// Requests that wait for their answers.
    public var waiting: HTTPAllowance?
    /// Large responses that are sent as a whole.
    public var answers: HTTPAllowance?
    /// What each connection takes by itself.
    public var connections: HTTPAllowance?
    /// The limit for what clients have not read.
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

    /// Charges bytes that are held from now on, or with a negative number, that were released.
    public func use(_ change: Int) {
        if change != 0 { account(change) }
    }
}
