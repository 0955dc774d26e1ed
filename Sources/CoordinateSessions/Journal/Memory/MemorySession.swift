internal import Coordinate

/// A session in memory, charged with what only it uses as long as it exists.
final class MemorySession {
    /// The size of a session without what varies, with its places in the tables, in bytes.
    private static let fixedSize = 640

    private(set) var record: SessionRecord
    private(set) var history: History
    var expiresAt: Timestamp
    /// The size of the values in the record that clients choose, here and in the index, in bytes.
    private var recordSize = 0
    private let memory: HistoryMemory
    private var charged = 0

    init(_ record: SessionRecord, _ history: History, until expiry: Timestamp, memory: HistoryMemory) {
        self.record = record
        self.history = history
        self.memory = memory
        expiresAt = expiry
        update(record)
    }

    deinit {
        memory.charge(-charged)
    }

    var head: SessionHead {
        SessionHead(
            record: record, version: history.count, path: history.last?.path ?? record.path,
            lastEventAt: history.last?.time, expiresAt: expiresAt, pending: history.pending)
    }

    /// Appends the next entry, unless the history would then exceed a size.
    func append(_ entry: JournalEntry, upTo limit: Int) throws(JournalError) {
        guard entry.version == history.count + 1 else { throw .conflict }
        guard history.append(entry, upTo: limit, memory: memory) else { throw .full }
        charge()
    }

    /// Returns the history of a fork.
    func fork(_ record: SessionRecord, at version: Int) throws(JournalError) -> History {
        guard version <= history.count else { throw .noSuchSession }
        defer { charge() }
        return try history.fork(at: version, pending: record.begun.count, memory: memory)
    }

    func update(_ record: SessionRecord) {
        self.record = record
        let names = record.attributes.reduce(2 * (record.key?.utf8.count ?? 0)) { size, attribute in
            size + 256 + 2 * (attribute.key.utf8.count + attribute.value.utf8.count)
        }
        recordSize = names + record.options.size + record.begun.size
        charge()
    }

    /// Charges the growth: most entries fit into memory that is already reserved.
    private func charge() {
        let size = Self.fixedSize + recordSize + history.footprint
        memory.charge(size - charged)
        charged = size
    }
}
