package import CoordinateSessions

/// The error with which a call fails; `nil` if it succeeds.
package func failure<Value>(_ call: () async throws -> Value) async -> SessionError? {
    do {
        _ = try await call()
        return nil
    } catch {
        return error as? SessionError
    }
}
