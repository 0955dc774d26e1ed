internal import Coordinate
internal import Synchronization

/// The entries of one session in compact form: runs that it shares with its forks or its parent, and its own since.
///
/// A fork copies references and next to no entries, however long the history is and however many forks precede it.
struct History: Sendable {
    /// Entries that never change again, charged once until the last session that has them ends.
    private final class Run: Sendable {
        let bytes: [UInt8]
        private let memory: HistoryMemory

        init(_ bytes: [UInt8], memory: HistoryMemory) {
            self.bytes = bytes
            self.memory = memory
            memory.charge(bytes.capacity)
        }

        deinit {
            memory.charge(-bytes.capacity)
        }
    }

    /// The first entries of a run, or all of them.
    private struct Part {
        let run: Run
        let count: Int
        /// The size of these entries, in bytes.
        let size: Int

        var entries: CompactEntries { CompactEntries(bytes: run.bytes[..<size]) }

        func prefix(_ limit: Int) -> Part {
            guard limit < count else { return self }
            var reading = entries.makeIterator()
            for _ in 0..<limit { _ = reading.next() }
            return Part(run: run, count: limit, size: reading.position)
        }
    }

    /// The facts of a session's last entry that its head needs.
    struct Last {
        let path: String
        let time: Timestamp
        let wake: Timestamp?

        init(_ entry: JournalEntry) {
            (path, time, wake) = (entry.path, entry.time, entry.wake)
        }
    }

    /// The size, in bytes, from which its own entries become a run. So a read passes over earlier ones, and a history
    /// that changes while it is read copies little.
    private static let runSize = 32 * 1024
    /// A run up to this size, in bytes, is joined with shorter ones before it. So a history has few runs, and a fork
    /// copies few entries.
    private static let joinedSize = 16 * 1024

    /// The shared entries, oldest first.
    private var parts: [Part] = []
    private var sharedCount = 0
    /// The number of its first entries that are its parent's.
    private var inheritedCount = 0
    /// The entries after the shared ones.
    private var own: [UInt8] = []
    private(set) var count = 0
    /// The size of all entries, in bytes.
    private(set) var size = 0
    /// The last entry; `nil` if there is none.
    private(set) var last: Last?
    /// The number of pieces of work and timers pending after the last entry.
    private(set) var pending: Int

    /// - Parameter pending: The number of pieces of work and timers pending before any entry.
    init(pending: Int) {
        self.pending = pending
    }

    /// The memory that only this history uses, in bytes. A path of usual length is not counted.
    var footprint: Int {
        own.capacity + parts.count * MemoryLayout<Part>.stride + (last?.path.utf8.count ?? 0) / 256 * 256
    }

    /// Appends the next entry; `false` if the history would then exceed a size.
    ///
    /// - Parameter memory: Charged with entries that become a run.
    mutating func append(_ entry: JournalEntry, upTo limit: Int, memory: HistoryMemory) -> Bool {
        let content = entry.compact
        let added = CompactEntries.size(of: content)
        guard size + added <= limit else { return false }
        pending += entry.pendingChange
        let needed = own.count + added
        // Most sessions have few entries: for these it reserves less than an array does by itself.
        if needed > own.capacity, needed < 4_096 { own.reserveCapacity(needed + needed / 4) }
        CompactEntries.append(content, pending: pending, to: &own)
        count += 1
        size += added
        last = Last(entry)
        if own.count >= Self.runSize { seal(memory) }
        return true
    }

    /// Returns the entries after a version, oldest first, at most `limit`.
    func entries(after version: Int, limit: Int) throws(JournalError) -> [JournalEntry] {
        guard version < count, limit > 0 else { return [] }
        var entries: [JournalEntry] = []
        entries.reserveCapacity(min(limit, count - version))
        try read(after: version, limit: limit) { entry, _ in entries.append(entry) }
        return entries
    }

    private func read(
        after version: Int, limit: Int, _ found: (consuming JournalEntry, _ pending: Int) -> Void
    ) throws(JournalError) {
        let last = version + min(limit, count - version)
        // The version that was read or skipped last.
        var number = 0
        for part in parts where number < last {
            if number + part.count > version {
                try read(part.entries, after: version, upTo: last, &number, found)
            } else {
                number += part.count
            }
        }
        if number < last { try read(CompactEntries(bytes: own[...]), after: version, upTo: last, &number, found) }
    }

    private func read(
        _ entries: CompactEntries, after version: Int, upTo last: Int, _ number: inout Int,
        _ found: (consuming JournalEntry, _ pending: Int) -> Void
    ) throws(JournalError) {
        for (content, pending) in entries {
            number += 1
            if number > version { found(try entry(number, content), pending) }
            if number == last { return }
        }
    }

    private func entry(_ version: Int, _ compact: ArraySlice<UInt8>) throws(JournalError) -> JournalEntry {
        do throws(UnreadableJSON) {
            let entry = try JournalEntry(version: version, compact: compact)
            return version <= inheritedCount ? entry.inherited : entry
        } catch {
            throw .damaged(version: version)
        }
    }

    // MARK: Sharing

    /// Returns a history with the entries up to a version, for a fork. Both share them from now on.
    ///
    /// - Parameters:
    ///   - pending: The number of pieces of work and timers pending before any entry.
    ///   - memory: Charged with the shared entries.
    mutating func fork(at version: Int, pending: Int, memory: HistoryMemory) throws(JournalError) -> History {
        if version > sharedCount { seal(memory) }
        var fork = History(pending: pending)
        for part in parts where fork.count < version {
            let part = part.prefix(version - fork.count)
            fork.parts.append(part)
            fork.count += part.count
            fork.size += part.size
        }
        (fork.sharedCount, fork.inheritedCount) = (version, version)
        if version == count {
            (fork.last, fork.pending) = (last, self.pending)
        } else if version > 0 {
            try read(after: version - 1, limit: 1) { (fork.last, fork.pending) = (Last($0), $1) }
        }
        return fork
    }

    /// Moves its own entries to a run that forks can share.
    private mutating func seal(_ memory: HistoryMemory) {
        var count = count - sharedCount
        // A copy has no room for more entries, which it will not get.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(own.count)
        bytes += own
        while let part = parts.last, bytes.count <= Self.joinedSize, part.size <= 2 * bytes.count {
            bytes = Array(part.entries.bytes) + bytes
            count += part.count
            parts.removeLast()
        }
        parts.append(Part(run: Run(bytes, memory: memory), count: count, size: bytes.count))
        (own, sharedCount) = ([], self.count)
    }
}

/// Entries in compact form, one after the other. Each follows its size and the number of pieces of work and timers
/// pending after it.
private struct CompactEntries: Sequence {
    private static let headSize = 8

    /// The first bytes of an array.
    let bytes: ArraySlice<UInt8>

    static func size(of content: [UInt8]) -> Int { headSize + content.count }

    static func append(_ content: [UInt8], pending: Int, to bytes: inout [UInt8]) {
        for number in [content.count, pending] {
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        bytes.append(contentsOf: content)
    }

    func makeIterator() -> Iterator { Iterator(bytes: bytes) }

    struct Iterator: IteratorProtocol {
        fileprivate let bytes: ArraySlice<UInt8>
        /// The size of the entries so far, in bytes.
        private(set) var position = 0

        fileprivate init(bytes: ArraySlice<UInt8>) {
            self.bytes = bytes
        }

        mutating func next() -> (content: ArraySlice<UInt8>, pending: Int)? {
            guard position < bytes.count else { return nil }
            let (size, pending) = (number(), number())
            position += size
            return (bytes[(position - size)..<position], pending)
        }

        private mutating func number() -> Int {
            var number: Int32 = 0
            for shift in stride(from: 0, to: 32, by: 8) {
                number |= Int32(bytes[position]) << shift
                position += 1
            }
            return Int(number)
        }
    }
}

/// The memory that histories use, in bytes.
final class HistoryMemory: Sendable {
    private let total = Atomic(0)

    var bytes: Int { total.load(ordering: .relaxed) }

    func charge(_ change: Int) {
        guard change != 0 else { return }
        total.wrappingAdd(change, ordering: .relaxed)
    }
}
