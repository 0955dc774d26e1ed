internal import Dispatch
internal import Synchronization

/// Work that no worker should be kept by: done one piece at a time, on another thread.
final class SlowLane: Sendable {
    /// The most pieces that may wait.
    static let limit = 32

    private let queue = DispatchQueue(label: "MicroHTTPD.SlowLane")
    private let count = Atomic(0)
    /// What has been reserved and is not done.
    private let unfinished = DispatchGroup()

    /// Whether there is room for another piece. It has to come then.
    func reserve() -> Bool {
        guard count.wrappingAdd(1, ordering: .relaxed).newValue <= Self.limit else {
            count.wrappingSubtract(1, ordering: .relaxed)
            return false
        }
        unfinished.enter()
        return true
    }

    /// Does a piece of work for which there is room, when its turn comes.
    func enter(_ work: @escaping @Sendable () -> Void) {
        queue.async {
            work()
            self.count.wrappingSubtract(1, ordering: .relaxed)
            self.unfinished.leave()
        }
    }

    /// Returns when all that there is room for is done.
    func finish() {
        unfinished.wait()
    }
}
