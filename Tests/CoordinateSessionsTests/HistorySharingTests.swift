import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The histories that forks share with their parents. The fuzz target `histories` tries random ones.
struct HistorySharingTests {
    /// A history in its compact form, and its expected contents.
    private struct Branch {
        var history = History()
        let words: SharedStringTable
        var expected: [JournalEntry] = []

        mutating func append(_ entry: JournalEntry) {
            history.append(words.withTable { EntryCoding.encode(entry, &$0) })
            expected.append(entry)
        }

        mutating func fork(at version: Int, words other: SharedStringTable) -> Branch {
            Branch(
                history: history.fork(at: version, words), words: other,
                expected: expected.prefix(version).map(\.inherited))
        }

        /// Whether it has the expected entries, and its last one is the expected one.
        var isWhole: Bool {
            history.entries(after: 0, limit: .max, words.strings) == expected
                && history.last(words.strings) == expected.last
        }
    }

    @Test func forksOfForksCanBeAnyDepth() {
        // Sessions of one shard have one table.
        let tables = (0..<3).map { _ in SharedStringTable() }
        var line = [Branch(words: tables[0])]
        for depth in 0..<200 {
            line[depth].append(.make(version: line[depth].expected.count + 1, path: "/\(depth)"))
            // Most continue from the end, some from an earlier version.
            let count = line[depth].expected.count
            line.append(line[depth].fork(at: depth % 20 == 19 ? count / 2 : count, words: tables[depth % 3]))
        }
        let damaged = line.indices.filter { !line[$0].isWhole }
        #expect(damaged == [])
    }

    @Test func aHistoryThatIsForkedAtEveryVersionStaysWhole() {
        let words = SharedStringTable()
        var branch = Branch(words: words)
        var forks: [Branch] = []
        for version in 1...500 {
            branch.append(.make(version: version, path: "/\(version)"))
            forks.append(branch.fork(at: version, words: words))
        }
        #expect(branch.isWhole)
        let damaged = forks.indices.filter { !forks[$0].isWhole }
        #expect(damaged == [])
    }

    @Test func theRetriesOfTheParentsClientAreNotInherited() {
        let words = SharedStringTable()
        var branch = Branch(words: words)
        let retry = Retry(key: "a", fingerprint: 1, isMinimal: false)
        for version in 1...3 { branch.append(.make(version: version).with { $0.retry = retry }) }
        let fork = branch.fork(at: 2, words: words)
        #expect(fork.history.entries(after: 0, limit: 9, words.strings) == [.make(version: 1), .make(version: 2)])
        #expect(fork.history.last(words.strings) == .make(version: 2))
        #expect(branch.history.entries(after: 0, limit: 9, words.strings).map(\.retry) == [retry, retry, retry])
        #expect(branch.history.last(words.strings)?.retry == retry)
    }

    @Test func aForkCountsTheSizeOfItsEntries() {
        let words = SharedStringTable()
        var branch = Branch(words: words)
        for version in 1...1_000 { branch.append(.make(version: version)) }
        let whole = branch.history.size
        #expect(branch.fork(at: 1_000, words: words).history.size == whole)
        #expect(branch.fork(at: 10, words: words).history.size <= whole / 50)
        #expect(branch.fork(at: 0, words: words).history.size == 0)
        #expect(branch.history.size == whole)
    }

    @Test func aForkNeedsLittleMemoryHoweverManyForksPrecedeIt() throws {
        let journal = MemoryJournal()
        var last = SessionRecord.make()
        try journal.create(last, with: [], until: Timestamp(seconds: .max), limit: .max).now()
        let payload = PlainValue.object([PlainField("text", .string(String(repeating: "x", count: 60_000)))])
        func entry(_ version: Int) -> JournalEntry { .make(version: version).with { $0.payload = payload } }
        for version in 1...100 {
            try journal.append(entry(version), to: last.id).now()
            // One of many forks of forks is the parent of all others.
            let fork = SessionRecord.make(parent: ForkPoint(session: last.id, version: version))
            try journal.create(fork, with: [], until: Timestamp(seconds: .max), limit: .max).now()
            last = fork
        }
        try journal.append(entry(101), to: last.id).now()
        let before = journal.memoryUse
        #expect(before > 100 * 60_000)
        let forks = (0..<100).map { _ in SessionRecord.make(parent: ForkPoint(session: last.id, version: 101)) }
        for fork in forks { try journal.create(fork, with: [], until: Timestamp(seconds: .max), limit: .max).now() }
        #expect(journal.memoryUse - before < 100 * 5_000)
        #expect(try journal.read(forks[99].id, after: 0, limit: 1_000).now().count == 101)
        for fork in forks { try journal.end(fork.id, at: nil).now() }
        #expect(journal.memoryUse <= before + 60_000)
    }
}
