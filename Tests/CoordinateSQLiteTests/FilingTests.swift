import Coordinate
import CoordinateSessions
import Foundation
import GRDB
import JournalWalk
import SeededGenerator
import SessionFixtures
import Testing

@testable import CoordinateSQLite

/// The compaction of entries: readers see no difference, whenever it runs, and wherever it is interrupted.
struct FilingTests {
    private let file = TemporaryFile()

    /// After every few entries, a few at a time.
    private static let busy = Compaction.Rhythm(bound: 8, least: 1, slice: 3)
    private static let never = Compaction.Rhythm(bound: .max, least: .max)

    private func open(_ rhythm: Compaction.Rhythm = never) throws(JournalOpeningError) -> SQLiteJournal {
        try SQLiteJournal(path: file.path, logger: .silent, rhythm)
    }

    private func add(_ journal: SQLiteJournal, entries: Int) async throws -> SessionID {
        let session = try await journal.add()
        try await journal.append(upTo: entries, to: session)
        return session
    }

    private func versions(_ journal: SQLiteJournal, _ session: SessionID) async throws -> [Int] {
        try await journal.read(session, after: 0, limit: .max).map(\.version)
    }

    // MARK: Walks

    /// As after a crash, at any moment of a pass.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func itContinuesAnInterruptedPass(seed: UInt64) async throws {
        var generator = SeededGenerator(state: seed)
        var journal = try open(Self.never)
        var walk = JournalWalk(of: journal, seed: seed)
        for round in 0..<12 {
            let differences = await walk.walk(steps: 40)
            try #require(differences.isEmpty, "round \(round): \(differences.joined(separator: "; "))")
            journal.close()
            try breakOff(using: &generator)
            journal = try open(Bool.random(using: &generator) ? Self.busy : Self.never)
            walk.journal = journal
        }
        let differences = await walk.walk(steps: 40)
        #expect(differences.isEmpty, "\(differences.joined(separator: "; "))")
        journal.close()
    }

    /// Does a part of a pass: it files some entries, or all and notes that, and removes some of those.
    private func breakOff(using generator: inout SeededGenerator) throws {
        let database = try DatabaseQueue(path: file.path)
        try database.write { database in
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM log, filed WHERE log.id > filed.id") ?? 0
            let isWhole = Int.random(in: 0...3, using: &generator) == 0
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO entries SELECT session, version, pending, mark, content FROM log
                    WHERE id > (SELECT id FROM filed) ORDER BY session, version LIMIT ?
                    """, arguments: [isWhole ? count : Int.random(in: 0...count, using: &generator)])
            guard isWhole, count > 0 else { return }
            try database.execute(sql: "UPDATE filed SET id = (SELECT max(id) FROM log)")
            try database.execute(
                sql: "DELETE FROM log WHERE id IN (SELECT id FROM log ORDER BY id LIMIT ?)",
                arguments: [Int.random(in: 0...count, using: &generator)])
        }
        try database.close()
    }

    // MARK: Places of entries

    @Test func anEntryIsAppendedToTheLogAndFiledLater() async throws {
        let journal = try open(Compaction.Rhythm(bound: .max, least: 1, slice: 7))
        defer { journal.close() }
        let session = try await add(journal, entries: 20)
        #expect(try journal.count(in: "log") == 20)
        #expect(try journal.count(in: "entries") == 0)
        try await journal.tidy()
        #expect(try journal.count(in: "entries") == 20)
        #expect(journal.file.log.count == 0)
        #expect(try await versions(journal, session) == Array(1...20))
        try await journal.append(.make(version: 21), to: session)
        #expect(try await versions(journal, session) == Array(1...21))
    }

    @Test func manyEntriesAreFiledAutomaticallyWithTheirMarksAndRetries() async throws {
        let journal = try open(Compaction.Rhythm(bound: 10, least: .max, slice: 3))
        defer { journal.close() }
        let session = try await journal.add()
        let entries = (1...100).map { version in
            JournalEntry.make(version: version).with {
                $0.mark = .max - UInt64(version)
                $0.retry = Retry(key: "\(version)", fingerprint: 2, isMinimal: false)
            }
        }
        for entry in entries { try await journal.append(entry, to: session) }
        #expect(try journal.count(in: "entries") > 0)
        #expect(try await journal.entries(of: session) == entries)
    }

    /// A reader may still find an entry by an id that it read earlier.
    @Test func idsAreNotReusedAfterARestart() async throws {
        var journal = try open(Self.busy)
        let session = try await add(journal, entries: 20)
        try await journal.tidy()
        #expect(try journal.count(in: "log") == 0)
        let last = journal.file.log.lastID
        journal.close()
        journal = try open(Self.never)
        defer { journal.close() }
        try await journal.append(.make(version: 21), to: session)
        let id = try await journal.file.pool.read { try Int64.fetchOne($0, sql: "SELECT id FROM log") }
        #expect(id == last + 1)
    }
}
