package import Coordinate

/// Makes the attempts at a piece of work, and has what came of them told. It returns what gives them up.
///
/// It is called under a lock, and tells nothing within the call.
package typealias WorkExecutor =
    @Sendable (
        _ attempts: WorkAttempts, _ finished: @escaping @Sendable (any DeclaredEvents) -> Void
    ) -> @Sendable () -> Void

extension WorkAttempts {
    /// Makes them in a task of their own.
    package static let inTask: WorkExecutor = { attempts, finished in
        let task = Task {
            if let event = await attempts.run() { finished(event) }
        }
        return { task.cancel() }
    }
}
