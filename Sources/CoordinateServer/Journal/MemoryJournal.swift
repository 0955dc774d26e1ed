internal import Synchronization

/// A journal that lives as long as the process.
final class MemoryJournal: Journal {
    /// How large a session's history may be, in bytes of its compact form.
    private let maximumSize: Int
    /// What histories say again and again, over all sessions.
    private let words = Mutex(StringTable())
    /// Sessions are spread over shards, so that those on different threads seldom wait for each other.
    private let shards = (0..<64).map { _ in Shard() }

    private final class Shard: Sendable {
        let histories = Mutex<[SessionID: History]>([:])
    }

    init(maximumSize: Int = 16 * 1024 * 1024) {
        self.maximumSize = maximumSize
    }

    func append(_ entry: JournalEntry, to session: SessionID) throws(JournalError) {
        let record = words.withLock { History.encode(entry, &$0) }
        try shard(of: session).histories.withLock { histories throws(JournalError) in
            guard (histories[session]?.count ?? 0) + 1 == entry.version else { throw .conflict }
            guard (histories[session]?.size ?? 0) + record.count <= maximumSize else { throw .full }
            histories[session, default: History()].append(record)
        }
    }

    func read(_ session: SessionID, after version: Int, limit: Int) -> [JournalEntry] {
        let history = shard(of: session).histories.withLock { $0[session] }
        guard let history, version < history.count else { return [] }
        return words.withLock { history.entries(after: version, limit: limit, $0) }
    }

    func end(_ session: SessionID) {
        shard(of: session).histories.withLock { _ = $0.removeValue(forKey: session) }
    }

    func check() {}

    private func shard(of session: SessionID) -> Shard {
        shards[session.shard(of: shards.count)]
    }
}
