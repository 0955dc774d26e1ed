internal import Dispatch
internal import Synchronization

/// Work that no worker should be kept by: done one piece at a time, on another thread.
final class SlowLane: Sendable {
    /// The most pieces that may wait.
    static let limit = 32

    private let queue = DispatchQueue(label: "MicroHTTPD.SlowLane")
    private let count = Atomic(0)

    /// Whether there is room for another piece. It has to come then.
    func reserve() -> Bool {
        guard count.wrappingAdd(1, ordering: .relaxed).newValue <= Self.limit else {
            count.wrappingSubtract(1, ordering: .relaxed)
            return false
        }
        return true
    }

    /// Does a piece of work for which there is room, when its turn comes.
    func enter(_ work: @escaping @Sendable () -> Void) {
        queue.async {
            work()
            self.count.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    /// Returns when all is done.
    func finish() {
        queue.sync {}
    }
}
