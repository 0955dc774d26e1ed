internal import Synchronization

/// The entries of one session: its own bytes, after runs of bytes that it shares with its forks or its parent.
///
/// It is small enough for a million idle sessions. A fork copies references and no entries, however long the history is
/// and however many forks precede it.
struct History: Sendable {
    /// A run of entries that never changes again.
    private final class Segment: Sendable {
        let bytes: [UInt8]
        let count: Int
        let words: SharedStringTable
        private let memory: HistoryMemory?

        init(bytes: [UInt8], count: Int, words: SharedStringTable, memory: HistoryMemory?) {
            self.bytes = bytes
            self.count = count
            self.words = words
            self.memory = memory
            memory?.charge(bytes.count)
        }

        deinit {
            memory?.charge(-bytes.count)
        }
    }

    /// A unit that a fork inherits: the first entries of a segment, or a bundle of parts.
    private enum Part: Sendable {
        case run(Segment, count: Int)
        case bundle(Bundle)

        var count: Int {
            switch self {
            case .run(_, let count): count
            case .bundle(let bundle): bundle.count
            }
        }

        /// The approximate size in bytes: a session that has only the first entries of a segment counts its share.
        var size: Int {
            switch self {
            case .run(let segment, let count): segment.bytes.count * count / segment.count
            case .bundle(let bundle): bundle.size
            }
        }

        /// The number of bundles nested in one another.
        var depth: Int {
            switch self {
            case .run: 0
            case .bundle(let bundle): bundle.depth
            }
        }
    }

    /// Parts of one depth, stored once for all forks of forks that have them.
    private final class Bundle: Sendable {
        let parts: [Part]
        let count: Int
        let size: Int
        let depth: Int
        private let memory: HistoryMemory?

        init(_ parts: [Part], memory: HistoryMemory?) {
            self.parts = parts
            count = parts.reduce(0) { $0 + $1.count }
            size = parts.reduce(0) { $0 + $1.size }
            depth = (parts.first?.depth ?? 0) + 1
            self.memory = memory
            memory?.charge(parts.count * History.partSize)
        }

        deinit {
            memory?.charge(-parts.count * History.partSize)
        }
    }

    /// The number of parts of one depth that become a bundle. It keeps the parts of each depth, and the depths, few.
    private static let bundleCount = 32
    /// The size of a reference to a part, in bytes.
    private static let partSize = 32

    /// The parts of its parent, deepest bundles first.
    private var inherited: [Part] = []
    /// Its own parts that forks share. Each is longer than the next one.
    private var sealed: [Part] = []
    private var sharedCount = 0
    private var sharedSize = 0
    private var own: [UInt8] = []
    private var ownCount: Int32 = 0
    /// The offset in `own` at which the last entry begins.
    private var lastOffset: Int32 = 0

    var count: Int { sharedCount + Int(ownCount) }

    /// The size in bytes, shared parts included.
    var size: Int { sharedSize + own.count }

    /// The memory that only this history uses, in bytes.
    var footprint: Int { own.capacity + (inherited.count + sealed.count) * Self.partSize }

    /// Appends an entry that ``EntryCoding`` encoded.
    mutating func append(_ record: [UInt8]) {
        lastOffset = Int32(own.count)
        own.append(contentsOf: record)
        ownCount += 1
    }

    // MARK: Reading

    /// The entries after a version, oldest first, at most `limit`.
    ///
    /// - Parameter words: The table with which its own entries were written.
    func entries(after version: Int, limit: Int, _ words: [String]) -> [JournalEntry] {
        guard version < count, limit > 0 else { return [] }
        let last = version + min(limit, count - version)
        var reading = Reading(after: version, upTo: last)
        for part in inherited { reading.read(part, isInherited: true) }
        for part in sealed { reading.read(part, isInherited: false) }
        reading.read(own, count: Int(ownCount), words, isInherited: false)
        return reading.entries
    }

    /// The last entry; `nil` if there is none.
    func last(_ words: [String]) -> JournalEntry? {
        guard ownCount > 0 else { return entries(after: count - 1, limit: 1, words).first }
        var reader = CompactReader(own)
        reader.skip(Int(lastOffset))
        return EntryCoding.decode(version: count, &reader, words)
    }

    /// A walk over the parts, oldest first, that decodes the entries of a range of versions.
    private struct Reading {
        let version: Int
        let last: Int
        /// The version before the next part.
        var position = 0
        var entries: [JournalEntry] = []

        init(after version: Int, upTo last: Int) {
            self.version = version
            self.last = last
            entries.reserveCapacity(last - version)
        }

        mutating func read(_ part: Part, isInherited: Bool) {
            guard position + part.count > version, position < last else {
                position += part.count
                return
            }
            switch part {
            case .run(let segment, let count):
                read(segment.bytes, count: count, segment.words.strings, isInherited: isInherited)
            case .bundle(let bundle):
                for part in bundle.parts { read(part, isInherited: isInherited) }
            }
        }

        mutating func read(_ bytes: [UInt8], count: Int, _ words: [String], isInherited: Bool) {
            let first = position
            position += count
            let end = min(last, position)
            guard position > version, first < end else { return }
            var reader = CompactReader(bytes)
            for _ in first..<max(first, version) { reader.skip(reader.number()) }
            for version in max(first, version)..<end {
                let entry = EntryCoding.decode(version: version + 1, &reader, words)
                entries.append(isInherited ? entry.inherited : entry)
            }
        }
    }

    // MARK: Sharing

    /// Returns a history with the first entries, for a fork.
    ///
    /// - Parameter memory: Charged with the parts that both share from now on.
    mutating func fork(at version: Int, _ words: SharedStringTable, memory: HistoryMemory? = nil) -> History {
        if version > sharedCount { seal(words, memory) }
        var fork = History()
        fork.take(inherited + sealed, upTo: version)
        fork.bundle(memory)
        return fork
    }

    /// Inherits the first entries of some parts.
    private mutating func take(_ parts: [Part], upTo version: Int) {
        for part in parts where sharedCount < version {
            let rest = version - sharedCount
            switch part {
            case .bundle(let bundle) where bundle.count > rest: take(bundle.parts, upTo: version)
            case .run(let segment, let count) where count > rest: add(.run(segment, count: rest))
            default: add(part)
            }
        }
    }

    private mutating func add(_ part: Part) {
        inherited.append(part)
        sharedCount += part.count
        sharedSize += part.size
    }

    /// Joins parts of one depth into a bundle once there are many.
    private mutating func bundle(_ memory: HistoryMemory?) {
        var end = inherited.endIndex
        while let depth = inherited[..<end].last?.depth {
            let start = inherited[..<end].lastIndex { $0.depth != depth }.map { $0 + 1 } ?? 0
            if end - start >= Self.bundleCount {
                let bundle = Bundle(Array(inherited[start..<end]), memory: memory)
                inherited.replaceSubrange(start..<end, with: [.bundle(bundle)])
                end = start + 1
            } else {
                end = start
            }
        }
    }

    /// Turns its own bytes into a run that can be shared. It is joined with preceding runs that are not longer, so
    /// there are few long runs.
    private mutating func seal(_ words: SharedStringTable, _ memory: HistoryMemory?) {
        var bytes = own
        var count = Int(ownCount)
        while case .run(let segment, let length)? = sealed.last, length <= count {
            bytes = segment.bytes + bytes
            count += length
            sealed.removeLast()
        }
        sealed.append(.run(Segment(bytes: bytes, count: count, words: words, memory: memory), count: count))
        sharedCount += Int(ownCount)
        sharedSize += own.count
        own = []
        ownCount = 0
        lastOffset = 0
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

/// Entries without a session, in their compact form: those of an import that is not complete yet.
struct CompactEntries: Sequence, Sendable {
    private var history = History()
    private var words = StringTable()

    /// The size in bytes.
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
