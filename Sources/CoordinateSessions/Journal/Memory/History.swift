internal import Synchronization

/// The entries of one session: a run of bytes of its own, after runs that it shares with its forks or has of its parent.
///
/// A million idle sessions are kept like this. A fork takes over references, however long the history is and however many
/// forks it came through: no entry is ever copied for one.
struct History: Sendable {
    /// Entries that are never changed again, in one run of bytes.
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

    /// What is taken over as one: the first entries of a segment, or many of these.
    private enum Part: Sendable {
        case run(Segment, count: Int)
        case bundle(Bundle)

        var count: Int {
            switch self {
            case .run(_, let count): count
            case .bundle(let bundle): bundle.count
            }
        }

        /// In bytes, more or less: whoever has the first entries only has their share.
        var size: Int {
            switch self {
            case .run(let segment, let count): segment.bytes.count * count / segment.count
            case .bundle(let bundle): bundle.size
            }
        }

        /// How many bundles there are within one another.
        var depth: Int {
            switch self {
            case .run: 0
            case .bundle(let bundle): bundle.depth
            }
        }
    }

    /// Parts of one depth, kept once for all forks of forks that have them.
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

    /// As many parts of one depth become a bundle: so nobody has many more than this of each, and depths are few.
    private static let bundleCount = 32
    /// What a reference to a part takes, in bytes.
    private static let partSize = 32

    /// Those of its parent, deepest bundles first.
    private var inherited: [Part] = []
    /// Its own that forks have, too. Each is longer than the next one.
    private var sealed: [Part] = []
    private var sharedCount = 0
    private var sharedSize = 0
    private var own: [UInt8] = []
    private var ownCount: Int32 = 0
    /// Where the last of its own entries begins.
    private var lastOffset: Int32 = 0

    var count: Int { sharedCount + Int(ownCount) }

    /// In bytes, with what is shared.
    var size: Int { sharedSize + own.count }

    /// The memory that it takes for itself alone, in bytes.
    var footprint: Int { own.capacity + (inherited.count + sealed.count) * Self.partSize }

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
        var reading = Reading(after: version, upTo: last)
        for part in inherited { reading.read(part, isInherited: true) }
        for part in sealed { reading.read(part, isInherited: false) }
        reading.read(own, count: Int(ownCount), words, isInherited: false)
        return reading.entries
    }

    /// The last entry; nil where there is none.
    func last(_ words: [String]) -> JournalEntry? {
        guard ownCount > 0 else { return entries(after: count - 1, limit: 1, words).first }
        var reader = CompactReader(own)
        reader.skip(Int(lastOffset))
        return EntryCoding.decode(version: count, &reader, words)
    }

    /// A walk over the parts, oldest first, that takes some entries out of them.
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

    /// The first entries, for a fork.
    ///
    /// - Parameter memory: is charged with what both have from now on.
    mutating func fork(at version: Int, _ words: SharedStringTable, memory: HistoryMemory? = nil) -> History {
        if version > sharedCount { seal(words, memory) }
        var fork = History()
        fork.take(inherited + sealed, upTo: version)
        fork.bundle(memory)
        return fork
    }

    /// Takes over the first entries of some parts.
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

    /// Makes bundles of what has become many parts.
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

    /// Makes its own run one that can be shared. It is joined with those before it that are no longer, so that there
    /// are ever fewer, the longer they are.
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

/// The memory that histories take, in bytes.
final class HistoryMemory: Sendable {
    private let total = Atomic(0)

    var bytes: Int { total.load(ordering: .relaxed) }

    func charge(_ change: Int) {
        guard change != 0 else { return }
        total.wrappingAdd(change, ordering: .relaxed)
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
