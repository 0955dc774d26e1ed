import Coordinate
import CoordinateSessions
import Foundation
import GRDB
import Logging
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSQLite

/// What is particular to a journal in a file: the file itself, its transactions, and its garbage.
struct SQLiteJournalTests {
    private let file = TemporaryFile()

    private func open() throws(JournalOpeningError) -> SQLiteJournal {
        try SQLiteJournal(path: file.path, logger: .silent)
    }

    private func isWritable(_ journal: SQLiteJournal) async -> Bool {
        (try? await journal.check()) != nil
    }

    @Test(arguments: ["", "-wal"], [false, true])
    func aRemovedOrReplacedFileIsAnOutageUntilItIsBack(part: String, isReplaced: Bool) async throws {
        let log = LogCapture()
        let journal = try SQLiteJournal(path: file.path, logger: log.logger)
        defer { journal.close() }
        let session = try await journal.add()
        let (place, aside) = (file.path + part, file.path + ".aside")
        try FileManager.default.moveItem(atPath: place, toPath: aside)
        if isReplaced { try FileManager.default.copyItem(atPath: aside, toPath: place) }
        while await isWritable(journal) { await Task.yield() }
        await #expect(throws: JournalError.unavailable) {
            try await journal.append(.make(version: 1), to: session)
        }
        await #expect(throws: JournalError.unavailable) { try await journal.head(of: session) }
        // The journal refuses changes a moment before it says why.
        while log.lines.isEmpty { await Task.yield() }
        #expect(log.lines.count { $0.contains("\(place) was removed or replaced") } == 1, "\(log.lines)")
        if isReplaced { try FileManager.default.removeItem(atPath: place) }
        try FileManager.default.moveItem(atPath: aside, toPath: place)
        while await !isWritable(journal) { await Task.yield() }
        try await journal.append(.make(version: 1), to: session)
        #expect(try await journal.head(of: session)?.version == 1)
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
        _ = try await journal.add(with: entries(100))
        journal.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: file.folder.path)
        #expect(names == ["sessions.sqlite"])
    }

    /// The group of a job that fails is rolled back, and its other jobs are done one by one.
    @Test func aFailedJobDoesNotAffectOthers() async throws {
        let journal = try open()
        defer { journal.close() }
        let (session, known) = (try await journal.add(), SessionRecord.make(timers: [1]))
        _ = try await journal.add(known)
        let answers = [
            Task.immediate { try await journal.append(.make(version: 1, wake: 30), to: session) },
            Task.immediate { try await journal.create(.make(), with: [], until: .distant, limit: 1_000) },
            // Such a session exists, so it cannot be created.
            Task.immediate { try await journal.create(known, with: [], until: .distant, limit: 1_000) },
            Task.immediate { try await journal.append(.make(version: 3, wake: 10), to: session) },
            Task.immediate { try await journal.append(.make(version: 2), to: session) },
        ]
        for index in [0, 1, 4] { try await answers[index].value }
        await #expect(throws: JournalError.unavailable) { try await answers[2].value }
        await #expect(throws: JournalError.conflict) { try await answers[3].value }
        #expect(try await journal.head(of: session)?.version == 2)
        #expect(journal.count == 3)
        #expect(try await journal.due(by: 29) == [known.id])
        #expect(try await journal.due(by: 30) == [session])
    }

    // MARK: Garbage

    @Test func entriesAreDeletedWithTheLastSessionThatSharesThem() async throws {
        let journal = try open()
        defer { journal.close() }
        let parent = try await journal.add(with: entries(3_000))
        let fork = try await journal.fork(parent, at: 2_000)
        try await journal.append(.make(version: 2_001), to: fork)
        let grandchild = try await journal.fork(fork, at: 2_001)

        try await journal.end(parent, at: nil)
        try await journal.tidy()
        #expect(try journal.count(in: "entries") == 2_001)
        #expect(try await journal.read(grandchild, after: 1_999, limit: 10).map(\.version) == [2_000, 2_001])
        try await journal.end(fork, at: nil)
        try await journal.tidy()
        #expect(try journal.count(in: "entries") == 2_001)
        #expect(try await journal.read(grandchild, after: 1_999, limit: 10).map(\.version) == [2_000, 2_001])
        try await journal.end(grandchild, at: nil)
        try await journal.tidy()
        try expectEmpty(journal)
    }

    @Test func expiredSessionsAreDeletedFromTheFile() async throws {
        let journal = try open()
        defer { journal.close() }
        for index in 0..<1_000 {
            _ = try await journal.add(.make(timers: [index]), with: entries(1), until: Timestamp(seconds: 100))
        }
        journal.expire(by: Timestamp(seconds: 99))
        try await journal.tidy()
        #expect(journal.count == 1_000)
        journal.expire(by: Timestamp(seconds: 100))
        try await journal.tidy()
        #expect(journal.count == 0)
        try expectEmpty(journal)
    }

    private func entries(_ count: Int) -> [JournalEntry] { (1...count).map { .make(version: $0) } }

    private func expectEmpty(_ journal: SQLiteJournal) throws {
        for table in ["sessions", "log", "entries", "lineage", "garbage", "due"] {
            #expect(try journal.count(in: table) == 0, "\(table)")
        }
    }
}

extension SQLiteJournal {
    func count(in table: String) throws -> Int {
        try file.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    func pragma(_ name: String) throws -> Int {
        try file.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA \(name)") ?? -1 }
    }

    /// Files all entries, and clears the garbage away.
    func tidy() async throws {
        repeat {
            expire(by: Timestamp(seconds: 0))
            await flush()
        } while try count(in: "log") + count(in: "garbage") > 0 || tidying.isUnderWay.load(ordering: .relaxed)
    }
}
