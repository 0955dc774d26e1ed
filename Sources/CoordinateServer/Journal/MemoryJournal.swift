internal import Synchronization

/// A journal that lives as long as the process.
final class MemoryJournal: Journal {
    /// How large a session's history may be, in bytes of its compact form.
    private let maximumSize: Int
    /// Sessions are spread over shards, so that those on different threads seldom wait for each other.
    private let shards = (0..<64).map { _ in Shard() }

    private final class Shard: Sendable {
        let state = Mutex(State())
    }

    private struct State {
        var histories: [SessionID: History] = [:]
        /// What these histories say again and again.
        var words = StringTable()
    }

    init(maximumSize: Int = 16 * 1024 * 1024) {
        self.maximumSize = maximumSize
    }

    func append(_ entry: JournalEntry, to session: SessionID) throws(JournalError) {
        try shard(of: session).state.withLock { state throws(JournalError) in
            let index = state.histories.index(forKey: session)
            guard (index.map { state.histories.values[$0].count } ?? 0) + 1 == entry.version else { throw .conflict }
            let record = History.encode(entry, &state.words)
            guard (index.map { state.histories.values[$0].size } ?? 0) + record.count <= maximumSize else {
                throw .full
            }
            if let index {
                state.histories.values[index].append(record)
            } else {
                state.histories[session, default: History()].append(record)
            }
        }
    }

    func read(_ session: SessionID, after version: Int, limit: Int) -> [JournalEntry] {
        // Both are as they are now, whoever appends from here on: nobody has to wait while they are read.
        let (history, words) = shard(of: session).state.withLock { ($0.histories[session], $0.words.strings) }
        return history?.entries(after: version, limit: limit, words) ?? []
    }

    func end(_ session: SessionID) {
        shard(of: session).state.withLock { _ = $0.histories.removeValue(forKey: session) }
    }

    func check() {}

    private func shard(of session: SessionID) -> Shard {
        shards[session.shard(of: shards.count)]
    }
}
