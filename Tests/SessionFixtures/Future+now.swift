package import CoordinateSessions

extension Future {
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
