internal import CoordinateSessions
internal import Synchronization

/// An index of the log, in memory: where the entries are that have been appended, and not filed yet.
///
/// It has a current generation, which grows, and perhaps an older one, which is being filed. The writer of the file adds
/// what it appended once that is committed, and before anybody hears of it; it lets go of a generation when it is
/// committed that all of it is filed.
final class LogIndex: Sendable {
    private struct State {
        var current = LogGeneration()
        var filing: LogGeneration?
        /// The last id that there was.
        var lastID: Int64
        /// The entries up to this id are filed.
        var filedID: Int64
    }

    private let state: Mutex<State>

    /// An index that knows nothing yet.
    ///
    /// - Parameter filedID: The last id that is filed.
    init(filedID: Int64) {
        state = Mutex(State(lastID: filedID, filedID: filedID))
    }

    /// The generations, oldest first. To be had before the transaction begins that reads by them.
    var generations: [LogGeneration] {
        state.withLock { state in (state.filing.map { [$0] } ?? []) + [state.current] }
    }

    /// How many entries are not filed.
    var count: Int { state.withLock { $0.current.count + ($0.filing?.count ?? 0) } }

    /// How many entries came since a pass began, or at all where none is under way.
    var currentCount: Int { state.withLock { $0.current.count } }

    /// The last id that there was, for the writer, which gives out the next.
    var lastID: Int64 { state.withLock { $0.lastID } }

    /// The last id that is filed.
    var filedID: Int64 { state.withLock { $0.filedID } }

    /// Adds what was appended in a transaction, which is committed.
    func add(_ draft: LogGeneration) {
        state.withLock { state in
            state.current.add(draft)
            state.lastID = max(state.lastID, draft.lastID)
        }
    }

    /// The generation that is to be filed now, which does not grow any more.
    func beginFiling() -> LogGeneration {
        state.withLock { state in
            if let filing = state.filing { return filing }
            let generation = state.current
            state.filing = generation
            state.current = LogGeneration()
            return generation
        }
    }

    /// Forgets the generation that was filed, as is committed.
    func endFiling() {
        state.withLock { state in
            guard let filing = state.filing else { return }
            state.filedID = max(state.filedID, filing.lastID)
            state.filing = nil
        }
    }

    /// Follows a file that somebody else writes to, and returns the generations by which a transaction reads it.
    ///
    /// Ids are never used again, and the log loses its first entries and gets others in the end: so the ends tell what
    /// is in it.
    ///
    /// - Parameters:
    ///   - filedID: The last id that is filed, in that transaction.
    ///   - lastID: The last id, in that transaction.
    ///   - addition: Reads what is in the log after an id into a generation.
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
                state.current.add(new)
                state.lastID = lastID
            }
            return [state.current]
        }
    }
}
