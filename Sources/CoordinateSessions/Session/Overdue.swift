internal import Synchronization

/// What is to be tried again when the sessions are looked after next: about a second later.
package final class Overdue: Sendable {
    private let tries = Mutex<[@Sendable () -> Void]>([])

    func add(_ body: @escaping @Sendable () -> Void) {
        tries.withLock { $0.append(body) }
    }

    /// Tries all of it, in the order in which it came.
    func tryAgain() {
        let tries = tries.withLock { tries in
            defer { tries = [] }
            return tries
        }
        for body in tries { body() }
    }
}
