internal import CoordinateSessions

/// A job in the file, done in a transaction with others.
struct Job: Sendable {
    /// Whether it adds an entry.
    var isEntry = false
    /// Does the job, and returns the closure that reports its result after the commit. It may be called again after a
    /// failure.
    let make: @Sendable (Transaction) throws -> @Sendable () -> Void
    /// Reports that nothing was done.
    let refuse: @Sendable (JournalError) -> Void

    /// Creates a job whose result a promise waits for.
    init<Value: Sendable>(
        _ promise: Promise<Value, JournalError>, isEntry: Bool = false,
        _ body: @escaping @Sendable (Transaction) throws -> Result<Value, JournalError>
    ) {
        self.isEntry = isEntry
        make = { transaction in
            let result = try body(transaction)
            return { promise.fulfil(result) }
        }
        refuse = { promise.fulfil(.failure($0)) }
    }

    /// Creates a job without a caller that waits.
    ///
    /// - Parameter then: Called with its result; with `nil` if nothing was done.
    init<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value, then: @escaping @Sendable (Value?) -> Void
    ) {
        make = { transaction in
            let value = try body(transaction)
            return { then(value) }
        }
        refuse = { _ in then(nil) }
    }
}
