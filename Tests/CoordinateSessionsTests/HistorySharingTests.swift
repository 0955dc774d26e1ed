import Coordinate
import SeededGenerator
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The histories that forks share with their parents. `JournalWalk` tries random ones.
struct HistorySharingTests {
    /// A history, and its expected contents.
    private struct Branch {
        let memory: HistoryMemory
        var history: History
        var expected: [JournalEntry] = []

        init(pending: Int = 0, memory: HistoryMemory = HistoryMemory()) {
            self.memory = memory
            history = History(pending: pending)
        }

        mutating func append(_ entry: JournalEntry) {
            let isAppended = history.append(entry, upTo: .max, memory: memory)
            #expect(isAppended)
            expected.append(entry)
        }

        mutating func fork(at version: Int, pending: Int = 0) throws -> Branch {
            var fork = Branch(memory: memory)
            fork.history = try history.fork(at: version, pending: pending, memory: memory)
            fork.expected = expected.prefix(version).map(\.inherited)
            return fork
        }

        /// Whether it has the expected entries, and its last one is the expected one.
        var isWhole: Bool {
            get throws {
                try history.entries(after: 0, limit: .max) == expected && history.count == expected.count
                    && history.last?.path == expected.last?.path && history.last?.time == expected.last?.time
                    && history.last?.wake == expected.last?.wake
                    && history.pending == expected.reduce(0) { $0 + $1.pendingChange }
            }
        }
    }

    /// Random sessions with forks of forks, in any order, of entries of many sizes.
    @Test(arguments: 0..<8) func randomForksHaveWhatAPlainModelHas(seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        let memory = HistoryMemory()
        var branches = [Branch(memory: memory)]
        for _ in 0..<400 {
            let index = Int.random(in: branches.indices, using: &random)
            let count = branches[index].expected.count
            switch Int.random(in: 0..<10, using: &random) {
            case 0: branches.append(try branches[index].fork(at: count))
            case 1: branches.append(try branches[index].fork(at: .random(in: 0...count, using: &random)))
            case 2 where branches.count > 1: branches.remove(at: index)
            default:
                let size = 1 << Int.random(in: 0...14, using: &random)
                branches[index].append(
                    .make(version: count + 1, wake: .random(using: &random) ? count : nil).with {
                        $0.payload = .string(String(repeating: "x", count: size))
                        $0.retry = Retry(key: "\(count)", fingerprint: 7, isMinimal: true)
                    })
            }
        }
        for branch in branches { #expect(try branch.isWhole) }
        branches = []
        #expect(memory.bytes == 0)
    }

    @Test func aForkCountsTheSizeOfItsEntries() throws {
        var branch = Branch()
        for version in 1...1_000 { branch.append(.make(version: version)) }
        let whole = branch.history.size
        #expect(try branch.fork(at: 1_000).history.size == whole)
        #expect(try branch.fork(at: 10).history.size == whole / 100)
        #expect(try branch.fork(at: 0).history.size == 0)
        #expect(branch.history.size == whole)
        branch.append(.make(version: 1_001))
        #expect(branch.history.size == whole + whole / 1_000)
    }

    @Test func sharedEntriesAreChargedOnceUntilTheLastSessionEnds() throws {
        var parent: Branch? = Branch()
        let memory = try #require(parent?.memory)
        for version in 1...1_000 { parent?.append(.make(version: version)) }
        let size = try #require(parent?.history.size)
        var forks = try (0..<100).compactMap { _ in try parent?.fork(at: 1_000) }
        #expect(forks.count == 100 && memory.bytes >= size && memory.bytes < size * 5 / 4)
        parent = nil
        forks.removeLast(99)
        #expect(memory.bytes >= size)
        forks = []
        #expect(memory.bytes == 0)
    }

    /// A client could fork a long session many times, and let each fork, and forks of that, go their own way.
    @Test func aForkAndItsFirstEventsNeedLittleMemory() throws {
        var branch = Branch()
        // As many shared runs as possible.
        for version in 1...2_000 {
            branch.append(.make(version: version))
            _ = try branch.fork(at: version)
        }
        #expect(branch.history.footprint < 200 * 24)
        let before = branch.memory.bytes
        var forks: [Branch] = []
        for _ in 0..<100 {
            var fork = try branch.fork(at: 2_000)
            fork.append(.make(version: 2_001))
            forks += [try fork.fork(at: 2_001), fork]
        }
        let added = branch.memory.bytes - before + forks.reduce(0) { $0 + $1.history.footprint }
        #expect(added < 100 * 64_000)
        #expect(try forks.allSatisfy { try $0.isWhole })
    }

    @Test func aForkNeedsLittleMemoryHoweverManyForksPrecedeIt() async throws {
        let journal = MemoryJournal()
        var last = SessionRecord.make()
        try await journal.create(last, with: [], until: Timestamp(seconds: .max), limit: .max)
        let payload = PlainValue.object([PlainField("text", .string(String(repeating: "x", count: 60_000)))])
        func entry(_ version: Int) -> JournalEntry { .make(version: version).with { $0.payload = payload } }
        for version in 1...100 {
            try await journal.append(entry(version), to: last.id)
            // One of many forks of forks is the parent of all others.
            let fork = SessionRecord.make(parent: ForkPoint(session: last.id, version: version))
            try await journal.create(fork, with: [], until: Timestamp(seconds: .max), limit: .max)
            last = fork
        }
        try await journal.append(entry(101), to: last.id)
        let before = journal.memoryUse
        #expect(before > 100 * 60_000)
        let forks = (0..<100).map { _ in SessionRecord.make(parent: ForkPoint(session: last.id, version: 101)) }
        for fork in forks { try await journal.create(fork, with: [], until: Timestamp(seconds: .max), limit: .max) }
        #expect(journal.memoryUse - before < 100 * 5_000)
        #expect(try await journal.read(forks[99].id, after: 0, limit: 1_000).count == 101)
        for fork in forks { try await journal.end(fork.id, at: nil) }
        #expect(journal.memoryUse <= before + 60_000)
    }
}
