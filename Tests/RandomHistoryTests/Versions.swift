import Synchronization

/// The versions that a client is shown, which must be consecutive.
final class Versions: Sendable {
    private let state: Mutex<(last: Int, isInOrder: Bool)>

    init(after version: Int) {
        state = Mutex((version, true))
    }

    func add(_ version: Int) {
        state.withLock { state in
            state.isInOrder = state.isInOrder && version == state.last + 1
            state.last = version
        }
    }

    func isComplete(upTo version: Int) -> Bool {
        state.withLock { $0.isInOrder && $0.last == version }
    }
}
