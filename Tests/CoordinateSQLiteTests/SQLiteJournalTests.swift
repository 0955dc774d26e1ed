import Coordinate
import CoordinateSessions
import Foundation
import GRDB
import JournalWalk
import Logging
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSQLite

/// A journal in a file: the same results as the journal in memory, and the same contents after a restart.
struct SQLiteJournalTests {
    private let file = TemporaryFile()

    private func open() throws(JournalOpeningError) -> SQLiteJournal {
        try SQLiteJournal(path: file.path, logger: .silent)
    }

    private func add(_ journal: SQLiteJournal, _ record: SessionRecord = .make(), entries: Int = 0) async throws
        -> SessionID
    {
        let history = (1...(entries + 1)).dropLast().map { JournalEntry.make(version: $0) }
        try await journal.create(record, with: history, until: Timestamp(seconds: 100), limit: 1_000).value
        return record.id
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func itReturnsTheSameResultsAsTheJournalInMemory(seed: UInt64) async throws {
        let journal = try open()
        defer { journal.close() }
        var walk = JournalWalk(of: journal, seed: seed)
        let differences = await walk.go(steps: 400)
        #expect(differences.isEmpty, "\(differences.joined(separator: "; "))")
    }

    @Test func everythingSurvivesARestart() async throws {
        let first = try open()
        let parent = try await add(first, entries: 5)
        let fork = try await add(first, .make(parent: ForkPoint(session: parent, version: 3)))
        let retry = Retry(key: "a", fingerprint: .max, isMinimal: true)
        let entry = JournalEntry.make(version: 4).with { $0.retry = retry }
        try await first.append(entry, to: fork).value
        first.keep(fork, until: Timestamp(seconds: 777))
        first.close()

        let second = try open()
        defer { second.close() }
        #expect(second.count == 2)
        let head = try await second.head(of: fork).value
        #expect(head?.version == 4)
        #expect(head?.expiresAt == Timestamp(seconds: 777))
        #expect(head?.record.parent == ForkPoint(session: parent, version: 3))
        #expect(try await second.read(fork, after: 0, limit: 10).value.map(\.version) == [1, 2, 3, 4])
        #expect(try await second.read(fork, after: 3, limit: 10).value == [entry])
        #expect(try await second.head(of: parent).value?.version == 5)
    }

    private func isWritable(_ journal: SQLiteJournal) async -> Bool {
        (try? await journal.check().value) != nil
    }

    @Test(arguments: ["", "-wal"], [false, true])
    func aRemovedOrReplacedFileIsAnOutageUntilItIsBack(part: String, isReplaced: Bool) async throws {
        let log = LogCapture()
        let journal = try SQLiteJournal(path: file.path, logger: log.logger)
        defer { journal.close() }
        let session = try await add(journal)
        let (place, aside) = (file.path + part, file.path + ".aside")
        try FileManager.default.moveItem(atPath: place, toPath: aside)
        if isReplaced { try FileManager.default.copyItem(atPath: aside, toPath: place) }
        while await isWritable(journal) { await Task.yield() }
        await #expect(throws: JournalError.unavailable) {
            try await journal.append(.make(version: 1), to: session).value
        }
        await #expect(throws: JournalError.unavailable) { try await journal.head(of: session).value }
        #expect(log.lines.count { $0.contains("\(place) was removed or replaced") } == 1, "\(log.lines)")
        if isReplaced { try FileManager.default.removeItem(atPath: place) }
        try FileManager.default.moveItem(atPath: aside, toPath: place)
        while await !isWritable(journal) { await Task.yield() }
        try await journal.append(.make(version: 1), to: session).value
        #expect(try await journal.head(of: session).value?.version == 1)
    }

    @Test func consecutiveCrashesAreCounted() async throws {
        let first = try open()
        let session = try await add(first, entries: 2)
        let other = try await add(first)
        for (crash, times) in CrashNote.running {
            try await first.note(crash, of: session).value
            #expect(try await first.head(of: session).value?.crash == crash.with(times: times))
        }
        #expect(
            try await first.list(SessionQuery(app: "Racing", limit: 5)).value.sessions.compactMap(\.crash).count == 1)
        let fork = try await add(first, .make(parent: ForkPoint(session: session, version: 1)))
        await #expect(throws: JournalError.noSuchSession) { try await first.note(.make(), of: .random()).value }
        first.close()

        let second = try open()
        defer { second.close() }
        for unharmed in [other, fork] { #expect(try await second.head(of: unharmed).value?.crash == nil) }
        try await second.note(.make(version: 4), of: session).value
        #expect(try await second.head(of: session).value?.crash == .make(version: 4, times: 2))
    }

    @Test func aCommitIsSynchronizedWithTheDisk() throws {
        let journal = try open()
        defer { journal.close() }
        #expect(try journal.pragma("synchronous") == 2)
    }

    @Test func onlyItsOwnerCanReadTheFile() throws {
        let journal = try open()
        defer { journal.close() }
        for name in try FileManager.default.contentsOfDirectory(atPath: file.folder.path) {
            let path = file.folder.appending(path: name).path
            let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(permissions == 0o600, "\(name)")
        }
    }

    @Test func aClosedJournalIsOneFile() async throws {
        let journal = try open()
        _ = try await add(journal, entries: 100)
        journal.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: file.folder.path)
        #expect(names.sorted() == ["sessions.sqlite", "sessions.sqlite-owner"])
    }

    @Test func commitsAreCounted() async throws {
        let journal = try open()
        defer { journal.close() }
        let session = try await add(journal)
        #expect(journal.statistics == JournalStatistics())
        for version in 1...3 { try await journal.append(.make(version: version), to: session).value }
        #expect(journal.statistics.commits == 3)
        #expect(journal.statistics.entries == 3)
        #expect(journal.statistics.commitTime > 0)
    }

    @Test func entriesThatArriveMeanwhileAreCommittedTogether() async throws {
        let journal = try open()
        defer { journal.close() }
        var sessions: [SessionID] = []
        for _ in 0..<200 { sessions.append(try await add(journal)) }
        let answers = sessions.map { journal.append(.make(version: 1), to: $0) }
        for answer in answers { try await answer.value }
        #expect(journal.statistics.entries == 200)
        #expect(journal.statistics.commits < 200)
    }

    /// A job that fails does not affect others.
    @Test func aFailedJobDoesNotAffectOthers() async throws {
        let journal = try open()
        defer { journal.close() }
        let session = try await add(journal)
        let record = SessionRecord.make()
        _ = try await add(journal, record)
        let answers = [
            journal.append(.make(version: 1), to: session),
            // Such a session exists, so it cannot be created.
            journal.create(record, with: [], until: Timestamp(seconds: 100), limit: 1_000),
            journal.append(.make(version: 2), to: session),
        ]
        try await answers[0].value
        await #expect(throws: JournalError.unavailable) { try await answers[1].value }
        try await answers[2].value
        #expect(try await journal.head(of: session).value?.version == 2)
        #expect(journal.count == 2)
    }

    // MARK: Garbage

    @Test func entriesAreDeletedWithTheLastSessionThatSharesThem() async throws {
        let journal = try open()
        defer { journal.close() }
        let parent = try await add(journal, entries: 3_000)
        let fork = try await add(journal, .make(parent: ForkPoint(session: parent, version: 2_000)))
        try await journal.append(.make(version: 2_001), to: fork).value
        let grandchild = try await add(journal, .make(parent: ForkPoint(session: fork, version: 2_001)))

        try await journal.end(parent, at: nil).value
        try await cleared(journal)
        #expect(try journal.count(in: "entries") == 2_001)
        #expect(try await journal.read(grandchild, after: 1_999, limit: 10).value.map(\.version) == [2_000, 2_001])
        try await journal.end(fork, at: nil).value
        try await cleared(journal)
        #expect(try journal.count(in: "entries") == 2_001)
        #expect(try await journal.read(grandchild, after: 1_999, limit: 10).value.map(\.version) == [2_000, 2_001])
        try await journal.end(grandchild, at: nil).value
        try await cleared(journal)
        for table in ["sessions", "log", "entries", "lineage", "garbage"] { #expect(try journal.count(in: table) == 0) }
    }

    @Test func expiredSessionsAreDeletedFromTheFile() async throws {
        let journal = try open()
        defer { journal.close() }
        for _ in 0..<1_000 { _ = try await add(journal, entries: 1) }
        journal.expire(by: Timestamp(seconds: 99))
        try await cleared(journal)
        #expect(journal.count == 1_000)
        journal.expire(by: Timestamp(seconds: 100))
        try await cleared(journal)
        #expect(journal.count == 0)
        for table in ["sessions", "log", "entries", "garbage"] { #expect(try journal.count(in: table) == 0) }
    }

    private func cleared(_ journal: SQLiteJournal) async throws {
        repeat {
            journal.expire(by: Timestamp(seconds: 0))
            _ = try await journal.list(SessionQuery(app: "", limit: 1)).value
        } while try journal.count(in: "log") + journal.count(in: "garbage") > 0 || journal.isTidying
    }
}

extension SQLiteJournal {
    func count(in table: String) throws -> Int {
        try file.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    func pragma(_ name: String) throws -> Int {
        try file.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA \(name)") ?? -1 }
    }

    var isTidying: Bool { tidying.isUnderWay.load(ordering: .relaxed) }
}
