internal import Synchronization

/// A counter of a store's commits.
package final class CommitCounter: Sendable {
    private let state = Mutex(JournalStatistics())

    package init() {}

    package var statistics: JournalStatistics { state.withLock { $0 } }

    package func count(entries: Int, took duration: Duration) {
        guard entries > 0 else { return }
        state.withLock { state in
            state.commits += 1
            state.entries += entries
            state.commitTime += duration / .seconds(1)
        }
    }
}
