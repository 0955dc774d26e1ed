internal import CoordinateSessions
internal import GRDB

/// Something to be done in the file, together with what else there is to do.
struct Job: Sendable {
    /// Whether it adds an entry.
    var isEntry = false
    /// Does it, and returns how to tell of it once all is committed. It may be called again after a failure.
    let make: @Sendable (Database) throws -> @Sendable () -> Void
    /// Tells that nothing was done.
    let refuse: @Sendable (JournalError) -> Void

    /// A job whose result somebody waits for.
    init<Value: Sendable>(
        _ promise: Promise<Value, JournalError>, isEntry: Bool = false,
        _ body: @escaping @Sendable (Database) throws -> Result<Value, JournalError>
    ) {
        self.isEntry = isEntry
        make = { database in
            let result = try body(database)
            return { promise.fulfil(result) }
        }
        refuse = { promise.fulfil(.failure($0)) }
    }

    /// A job that nobody waits for.
    ///
    /// - Parameter then: is told what it returned, or nil where nothing was done.
    init<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value, then: @escaping @Sendable (Value?) -> Void
    ) {
        make = { database in
            let value = try body(database)
            return { then(value) }
        }
        refuse = { _ in then(nil) }
    }
}
