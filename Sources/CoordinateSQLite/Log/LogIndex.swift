internal import CoordinateSessions
internal import Synchronization

/// An index of the log, in memory: the places of the entries that were appended, and are not filed yet.
///
/// It has a current generation, which grows, and possibly an older one, which is being filed. The writer of the file
/// adds appended entries after their commit, before any result is reported. It releases a generation after the commit
/// with which all of it is filed.
final class LogIndex: Sendable {
    private struct State {
        var current = LogGeneration()
        var compaction: LogGeneration?
        /// The last id so far.
        var lastID: Int64
        /// The last id that is filed, with all before it.
        var filedID: Int64
    }

    private let state: Mutex<State>

    /// Creates an empty index.
    ///
    /// - Parameter filedID: The last id that is filed.
    init(filedID: Int64) {
        state = Mutex(State(lastID: filedID, filedID: filedID))
    }

    /// The generations, oldest first. Read them before the transaction that uses them begins.
    var generations: [LogGeneration] {
        state.withLock { state in (state.compaction.map { [$0] } ?? []) + [state.current] }
    }

    /// The number of entries that are not filed.
    var count: Int { state.withLock { $0.current.count + ($0.compaction?.count ?? 0) } }

    /// The number of entries that were added since a pass began; of all entries if no pass is under way.
    var currentCount: Int { state.withLock { $0.current.count } }

    /// The last id so far, for the writer, which assigns the next one.
    var lastID: Int64 { state.withLock { $0.lastID } }

    /// The last id that is filed.
    var filedID: Int64 { state.withLock { $0.filedID } }

    /// Appends the entries that were appended in a committed transaction.
    func append(_ draft: LogGeneration) {
        state.withLock { state in
            state.current.append(draft)
            state.lastID = max(state.lastID, draft.lastID)
        }
    }

    /// Returns the generation to file now, which no longer grows.
    func beginFiling() -> LogGeneration {
        state.withLock { state in
            if let compaction = state.compaction { return compaction }
            let generation = state.current
            state.compaction = generation
            state.current = LogGeneration()
            return generation
        }
    }

    /// Removes the filed generation, after the commit.
    func endFiling() {
        state.withLock { state in
            guard let compaction = state.compaction else { return }
            state.filedID = max(state.filedID, compaction.lastID)
            state.compaction = nil
        }
    }

    /// Follows a file to which another process writes, and returns the generations by which a transaction reads it.
    ///
    /// Ids are never reused. The log loses entries at its beginning and gets new ones at its end, so its first and last
    /// ids show what it contains.
    ///
    /// - Parameters:
    ///   - filedID: The last id that is filed, in that transaction.
    ///   - lastID: The last id, in that transaction.
    ///   - addition: Reads the log's entries after an id into a generation.
    func follow(
        filedID: Int64, lastID: Int64, _ addition: (_ id: Int64, LogGeneration) throws -> Void
    ) rethrows -> [LogGeneration] {
        try state.withLock { state in
            if state.filedID != filedID {
                state = State(lastID: filedID, filedID: filedID)
            }
            if state.lastID < lastID {
                let new = LogGeneration()
                try addition(state.lastID, new)
                state.current.append(new)
                state.lastID = lastID
            }
            return [state.current]
        }
    }
}
