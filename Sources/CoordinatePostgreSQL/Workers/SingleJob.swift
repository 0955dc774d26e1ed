internal import CoordinateSessions

/// A job that is done alone, not together with others of its kind.
struct SingleJob: ConnectionJob {
    /// Does the job, and resumes its caller unless it throws.
    let carryOut: @Sendable (inout Link) throws(PostgreSQLError) -> Void
    /// Reports an error to the caller.
    let fail: @Sendable (JournalError) -> Void

    /// - Parameter body: Throws a ``JournalError`` to the caller, and a ``PostgreSQLError`` to the worker.
    init<Value: Sendable>(
        for caller: JournalCaller<Value>, _ body: @escaping @Sendable (inout Link) throws -> Value
    ) {
        carryOut = { link throws(PostgreSQLError) in
            do {
                caller.resume(returning: .success(try body(&link)))
            } catch let error as JournalError {
                caller.resume(returning: .failure(error))
            } catch {
                throw error as! PostgreSQLError
            }
        }
        fail = { caller.resume(returning: .failure($0)) }
    }

    /// Creates a job without a caller that waits.
    init(_ body: @escaping @Sendable (inout Link) throws(PostgreSQLError) -> Void) {
        carryOut = body
        fail = { _ in }
    }

    func refuse() { fail(.unavailable) }
}
