import Synchronization

/// Versions that somebody is shown, which should be each the one after the last.
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
