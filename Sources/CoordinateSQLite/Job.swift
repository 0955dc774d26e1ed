internal import CoordinateSessions

/// Something to be done in the file, together with what else there is to do.
struct Job: Sendable {
    /// Whether it adds an entry.
    var isEntry = false
    /// Does it, and returns how to tell of it once all is committed. It may be called again after a failure.
    let make: @Sendable (Transaction) throws -> @Sendable () -> Void
    /// Tells that nothing was done.
    let refuse: @Sendable (JournalError) -> Void

    /// A job whose result somebody waits for.
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

    /// A job that nobody waits for.
    ///
    /// - Parameter then: is told what it returned, or nil where nothing was done.
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
