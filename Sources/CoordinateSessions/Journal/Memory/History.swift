/// The entries of one session: a run of bytes of its own, after runs that it shares with its forks or has of its parent.
///
/// A million idle sessions are kept like this. A fork takes over references, however long the history is.
struct History: Sendable {
    /// Entries that are never changed again, in one run of bytes.
    private final class Segment: Sendable {
        let bytes: [UInt8]
        let count: Int
        let words: SharedStringTable

        init(bytes: [UInt8], count: Int, words: SharedStringTable) {
            self.bytes = bytes
            self.count = count
            self.words = words
        }
    }

    /// The first entries of a segment.
    private struct Part: Sendable {
        let segment: Segment
        let count: Int
        /// Whether another session made them.
        let isInherited: Bool

        /// In bytes, more or less: whoever has the first entries only has their share.
        var size: Int { segment.bytes.count * count / segment.count }
    }

    /// More runs than this are made one: who forks forks of forks should not take more memory with each.
    private static let maximumParts = 64

    private var shared: [Part] = []
    private var own: [UInt8] = []
    private var ownCount: Int32 = 0
    /// Where the last of its own entries begins.
    private var lastOffset: Int32 = 0

    var count: Int { sharedCount + Int(ownCount) }

    private var sharedCount: Int { shared.reduce(0) { $0 + $1.count } }

    /// In bytes, with what is shared.
    var size: Int { shared.reduce(own.count) { $0 + $1.size } }

    /// Appends an entry that ``EntryCoding`` made.
    mutating func append(_ record: [UInt8]) {
        lastOffset = Int32(own.count)
        own.append(contentsOf: record)
        ownCount += 1
    }

    // MARK: Reading

    /// The entries after a version, oldest first, at most `limit`.
    ///
    /// - Parameter words: The table that its own entries were written with.
    func entries(after version: Int, limit: Int, _ words: [String]) -> [JournalEntry] {
        guard version < count, limit > 0 else { return [] }
        let last = version + min(limit, count - version)
        var entries: [JournalEntry] = []
        entries.reserveCapacity(last - version)
        var first = 0
        for part in shared {
            if first + part.count > version, first < last {
                Self.read(
                    part.segment.bytes, from: first, after: version, upTo: min(last, first + part.count),
                    part.segment.words.strings, isInherited: part.isInherited, into: &entries)
            }
            first += part.count
        }
        if last > first {
            Self.read(own, from: first, after: version, upTo: last, words, isInherited: false, into: &entries)
        }
        return entries
    }

    /// The last entry; nil where there is none.
    func last(_ words: [String]) -> JournalEntry? {
        guard ownCount > 0 else { return entries(after: count - 1, limit: 1, words).first }
        var reader = CompactReader(own)
        reader.skip(Int(lastOffset))
        return EntryCoding.decode(version: count, &reader, words)
    }

    private static func read(
        _ bytes: [UInt8], from first: Int, after version: Int, upTo last: Int, _ words: [String], isInherited: Bool,
        into entries: inout [JournalEntry]
    ) {
        var reader = CompactReader(bytes)
        for _ in first..<max(first, version) { reader.skip(reader.number()) }
        for version in max(first, version)..<last {
            let entry = EntryCoding.decode(version: version + 1, &reader, words)
            entries.append(isInherited ? entry.inherited : entry)
        }
    }

    // MARK: Sharing

    /// The first entries, for a fork. Nothing is copied but what is short.
    mutating func fork(at version: Int, _ words: SharedStringTable) -> History {
        if version > sharedCount { seal(words) }
        var fork = History()
        var rest = version
        for part in shared where rest > 0 {
            fork.shared.append(Part(segment: part.segment, count: min(rest, part.count), isInherited: true))
            rest -= min(rest, part.count)
        }
        if fork.shared.count > Self.maximumParts { fork.flatten(words) }
        return fork
    }

    /// Makes its own run one that can be shared. It is joined with those before it that are no longer, so that there
    /// are ever fewer, the longer they are.
    private mutating func seal(_ words: SharedStringTable) {
        var bytes = own
        var count = Int(ownCount)
        while let last = shared.last, !last.isInherited, last.segment.words === words, last.count == last.segment.count,
            last.count <= count
        {
            bytes = last.segment.bytes + bytes
            count += last.count
            shared.removeLast()
        }
        shared.append(
            Part(segment: Segment(bytes: bytes, count: count, words: words), count: count, isInherited: false))
        own = []
        ownCount = 0
        lastOffset = 0
    }

    /// Makes all runs one.
    private mutating func flatten(_ words: SharedStringTable) {
        let entries = entries(after: 0, limit: count, [])
        let bytes = words.withTable { table in entries.flatMap { EntryCoding.encode($0, &table) } }
        shared = [
            Part(
                segment: Segment(bytes: bytes, count: entries.count, words: words), count: entries.count,
                isInherited: true)
        ]
    }
}

/// Entries that have no session yet, in their compact form: what is imported, until all of it is there.
struct CompactEntries: Sequence, Sendable {
    private var history = History()
    private var words = StringTable()

    /// In bytes.
    var size: Int { history.size }

    mutating func append(_ entry: JournalEntry) {
        history.append(EntryCoding.encode(entry, &words))
    }

    func makeIterator() -> AnyIterator<JournalEntry> {
        var page: ArraySlice<JournalEntry> = []
        var version = 0
        return AnyIterator {
            if page.isEmpty { page = history.entries(after: version, limit: 1_000, words.strings)[...] }
            guard let entry = page.popFirst() else { return nil }
            version = entry.version
            return entry
        }
    }
}
