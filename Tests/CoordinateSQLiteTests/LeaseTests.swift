import Coordinate
import CoordinateSessions
import Foundation
import GRDB
import JournalWalk
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSQLite

/// Pending work in a file, and its leases.
struct LeaseTests {
    private let file = TemporaryFile()

    private func open() throws(JournalOpeningError) -> SQLiteJournal {
        try SQLiteJournal(path: file.path, logger: .silent)
    }

    private func add(_ journal: SQLiteJournal, _ record: SessionRecord = .make(), until expiry: Int = 100)
        async throws -> SessionID
    {
        try await journal.create(record, with: [], until: Timestamp(seconds: expiry), limit: 10_000).value
        return record.id
    }

    private func due(_ journal: SQLiteJournal, by moment: Int) async throws -> [SessionID] {
        try await journal.leaseDue(by: Timestamp(seconds: moment), of: "Racing", limit: 100).value
    }

    @Test func pendingWorkIsLookedAfter() async throws {
        let journal = try open()
        defer { journal.close() }
        var checks = PendingChecks(of: journal)
        #expect(try await checks.check() == [])
        #expect(try journal.count(in: "due") == 0)
    }

    @Test func aRestartEndsLeasesAndKeepsDueMoments() async throws {
        let first = try open()
        let timer = try await add(first, .make(timers: [10]))
        let work = try await add(first)
        let parent = try await add(first, .make(timers: [5]))
        try await first.append(.make(version: 1, wake: 20), to: work).value
        try await first.append(.make(version: 1, wake: nil), to: parent).value
        let fork = try await add(first, .make(parent: ForkPoint(session: work, version: 1)))
        #expect(try await due(first, by: 10) == [timer])
        #expect(try await first.lease(work).value)
        first.close()

        let second = try open()
        defer { second.close() }
        #expect(try await second.renewLeases(of: [timer, work]).value == [])
        #expect(try await due(second, by: 10) == [timer])
        #expect(Set(try await due(second, by: 20)) == [work, fork])
    }

    /// A due moment is written together with its cause, or not at all.
    @Test func aRefusedEntryChangesNoDueMoment() async throws {
        let journal = try open()
        defer { journal.close() }
        let record = SessionRecord.make()
        let session = try await add(journal, record)
        let answers = [
            journal.append(.make(version: 2, wake: 10), to: session),
            // Such a session exists, so all changes of this group fail.
            journal.create(
                SessionRecord(
                    id: session, app: "Racing", appVersion: "1.0", createdAt: Timestamp(seconds: 1), seed: 1, path: "/",
                    begun: SessionRecord.make(timers: [1]).begun), with: [], until: Timestamp(seconds: 9), limit: 10),
            journal.append(.make(version: 1, wake: 30), to: session),
        ]
        await #expect(throws: JournalError.conflict) { try await answers[0].value }
        await #expect(throws: JournalError.unavailable) { try await answers[1].value }
        try await answers[2].value
        #expect(try await due(journal, by: 29) == [])
        #expect(try await due(journal, by: 30) == [session])
    }

    @Test func eachExpiredSessionIsReportedOnce() async throws {
        let journal = try open()
        defer { journal.close() }
        var expected: [String] = []
        for index in 0..<600 {
            let app = index.isMultiple(of: 3) ? "Notes" : "Racing"
            let session = try await add(journal, .make(app: app, timers: [1]), until: 5)
            expected.append("\(session) of \(app)")
        }
        let told = Mutex<[String]>([])
        repeat {
            journal.expire(by: Timestamp(seconds: 5)) { session, app in
                told.withLock { $0.append("\(session) of \(app)") }
            }
            _ = try await journal.list(SessionQuery(app: "", limit: 1)).value
        } while told.withLock({ $0.count }) < expected.count || journal.isTidying
        #expect(told.withLock { $0.sorted() } == expected.sorted())
        #expect(try journal.count(in: "due") == 0)
    }

    /// A file of the first version of the tables, as a server left it.
    @Test func anOlderFileIsMigrated() async throws {
        let session = SessionRecord.make()
        let older = try DatabasePool(path: file.path)
        try Schema.migrator.migrate(older, upTo: "1")
        try await older.write { database in
            try database.execute(
                sql: "INSERT INTO sessions VALUES (?, ?, ?, 0, 0, 100)",
                arguments: [session.id.description, session.app, Data(session.stored)])
            try database.execute(
                sql: "INSERT INTO entries VALUES (?, 1, 0, NULL, ?)",
                arguments: [session.id.description, Data(JournalEntry.make(version: 1).stored)])
        }
        try older.close()
        #expect(throws: JournalOpeningError.self) { try SQLiteJournal(reading: file.path) }
        let journal = try open()
        defer { journal.close() }
        #expect(try await journal.head(of: session.id).value?.version == 1)
        #expect(try await due(journal, by: 1_000) == [])
        try await journal.append(.make(version: 2, wake: 10), to: session.id).value
        #expect(try await due(journal, by: 1_000) == [session.id])
        #expect(try await journal.head(of: session.id).value?.crash == nil)
        try await journal.note(.make(), of: session.id).value
        #expect(try await journal.head(of: session.id).value?.crash == .make())
    }

    @Test func aReadOnlyJournalLeasesNothing() async throws {
        let journal = try open()
        defer { journal.close() }
        let session = try await add(journal, .make(timers: [10]))
        let reader = try SQLiteJournal(reading: file.path)
        defer { reader.close() }
        #expect(try await reader.head(of: session).value?.pending == 1)
        await #expect(throws: JournalError.unavailable) { try await due(reader, by: 10) }
        await #expect(throws: JournalError.unavailable) { try await reader.lease(session).value }
        reader.endLeases(of: [session])
        #expect(try await journal.lease(session).value)
    }
}
