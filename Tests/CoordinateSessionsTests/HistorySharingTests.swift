import Coordinate
import SeededGenerator
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The histories that forks share with their parents, compared with arrays that are copied.
struct HistorySharingTests {
    /// Histories in their compact form, and their expected contents.
    private struct Walk {
        struct Branch {
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

            func check(_ generator: inout SeededGenerator, _ step: Comment) {
                #expect(history.count == expected.count, step)
                #expect(history.last(words.strings) == expected.last, step)
                let after = Int.random(in: 0...(expected.count + 1), using: &generator)
                let limit = [0, 1, 7, Int.max].randomElement(using: &generator) ?? 0
                let page = Array(expected.dropFirst(after).prefix(limit))
                #expect(history.entries(after: after, limit: limit, words.strings) == page, step)
            }
        }

        var generator: SeededGenerator
        /// Sessions of one shard have one table.
        let tables = (0..<3).map { _ in SharedStringTable() }
        var branches: [Branch]

        init(seed: UInt64) {
            generator = SeededGenerator(state: seed)
            branches = tables.map { Branch(words: $0) }
        }

        mutating func step() {
            let index = Int.random(in: 0..<branches.count, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0...6:
                for _ in 0..<Int.random(in: 1...5, using: &generator) {
                    branches[index].append(.random(version: branches[index].expected.count + 1, using: &generator))
                }
            case 7, 8:
                let version = Int.random(in: 0...branches[index].expected.count, using: &generator)
                let table = tables.randomElement(using: &generator) ?? tables[0]
                branches.append(branches[index].fork(at: version, words: table))
            default: if branches.count > 3 { branches.remove(at: index) }
            }
        }
    }

    @Test(arguments: UInt64(1)...20)
    func everyForkHasItsOwnEntriesAndItsParents(seed: UInt64) {
        var walk = Walk(seed: seed)
        for step in 0..<300 {
            walk.step()
            guard step % 10 == 9 else { continue }
            for branch in walk.branches { branch.check(&walk.generator, "seed \(seed), step \(step)") }
        }
        for branch in walk.branches {
            #expect(branch.history.entries(after: 0, limit: .max, branch.words.strings) == branch.expected)
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func forksOfForksCanBeAnyDepth(seed: UInt64) {
        var walk = Walk(seed: seed)
        var line = [walk.branches[0]]
        for depth in 0..<200 {
            let last = line.count - 1
            line[last].append(.random(version: line[last].expected.count + 1, using: &walk.generator))
            // Most continue from the end, some from an earlier version.
            let count = line[last].expected.count
            let version = depth % 20 == 19 ? Int.random(in: 0...count, using: &walk.generator) : count
            line.append(line[last].fork(at: version, words: walk.tables[depth % 3]))
        }
        for (depth, branch) in line.enumerated() { branch.check(&walk.generator, "depth \(depth)") }
        #expect(line.last.map { $0.history.entries(after: 0, limit: .max, $0.words.strings) } == line.last?.expected)
    }

    @Test func aHistoryThatIsForkedAtEveryVersionStaysWhole() {
        let words = SharedStringTable()
        var branch = Walk.Branch(words: words)
        var forks: [Walk.Branch] = []
        for version in 1...500 {
            branch.append(.make(version: version, path: "/\(version)"))
            forks.append(branch.fork(at: version, words: words))
        }
        #expect(branch.history.entries(after: 0, limit: .max, words.strings) == branch.expected)
        for fork in forks {
            #expect(fork.history.entries(after: 0, limit: .max, words.strings) == fork.expected)
            #expect(fork.history.last(words.strings) == fork.expected.last)
        }
    }

    @Test func theRetriesOfTheParentsClientAreNotInherited() {
        let words = SharedStringTable()
        var branch = Walk.Branch(words: words)
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
        var branch = Walk.Branch(words: words)
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
