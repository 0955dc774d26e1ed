internal import Synchronization

/// A journal that lives as long as the process.
final class MemoryJournal: Journal {
    /// Sessions are spread over shards, so that those on different threads seldom wait for each other.
    private let shards = (0..<64).map { _ in Shard() }

    private final class Shard: Sendable {
        let histories = Mutex<[SessionID: [JournalEntry]]>([:])
    }

    func append(_ entry: JournalEntry, to session: SessionID) throws(JournalError) {
        let isNext = shard(of: session).histories.withLock { histories in
            guard histories[session, default: []].count + 1 == entry.version else { return false }
            histories[session, default: []].append(entry)
            return true
        }
        guard isNext else { throw .conflict }
    }

    func read(_ session: SessionID, after version: Int, limit: Int) -> [JournalEntry] {
        shard(of: session).histories.withLock { histories in
            Array(histories[session, default: []].dropFirst(version).prefix(limit))
        }
    }

    func end(_ session: SessionID) {
        shard(of: session).histories.withLock { _ = $0.removeValue(forKey: session) }
    }

    private func shard(of session: SessionID) -> Shard {
        shards[session.shard(of: shards.count)]
    }
}
