package import CoordinateSessions

extension Future {
    /// The value, as soon as it is there.
    package var value: Value {
        get async throws(Failure) {
            let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
                whenDone { continuation.resume(returning: $0) }
            }
            return try result.get()
        }
    }

    /// The value, which has to be there without waiting for anybody.
    package func now() throws -> Value {
        guard let result else { throw NotYetDone() }
        return try result.get()
    }
}

/// Somebody would have to be waited for.
package struct NotYetDone: Error {
    package init() {}
}
