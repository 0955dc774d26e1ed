package import CoordinateSessions

extension Future {
    /// The value, which must be available without waiting.
    package func now() throws -> Value {
        guard let result else { throw NotYetDone() }
        return try result.get()
    }
}

/// The value is not available yet.
package struct NotYetDone: Error {
    package init() {}
}
