internal import CoordinateSessions

/// A job in the file, done in a transaction with others.
struct Job: Sendable {
    /// Whether it adds an entry.
    let isEntry: Bool
    /// Does the job, and returns the closure that resumes its caller after the commit. It may be called again after a
    /// failure.
    let make: @Sendable (Transaction) throws -> @Sendable () -> Void
    /// Reports that nothing was done.
    let refuse: @Sendable () -> Void

    /// - Parameter body: Throws a ``JournalError`` if it has changed nothing, and any other error if the transaction
    ///   must not be committed.
    init<Value: Sendable>(
        for caller: JournalCaller<Value>, isEntry: Bool, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) {
        self.isEntry = isEntry
        make = { transaction in
            let result: Result<Value, JournalError>
            do {
                result = .success(try body(transaction))
            } catch let error as JournalError {
                result = .failure(error)
            }
            return { caller.resume(returning: result) }
        }
        refuse = { caller.resume(returning: .failure(.unavailable)) }
    }
}

extension GroupWorker<Job> {
    /// Does a job in a transaction, and returns its value once that is committed.
    func perform<Value: Sendable>(
        isEntry: Bool = false, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(JournalError) -> Value {
        try await result { Job(for: $0, isEntry: isEntry, body) }
    }
}
