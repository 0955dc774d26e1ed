import Coordinate
import CoordinateSessions
import JournalWalk
import PostgreSQLCluster
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinatePostgreSQL

/// The moments at which sessions are due: they are committed with the entries that set them, and removed with the
/// sessions.
@Suite(
    .timeLimit(.minutes(2)),
    .enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
struct DueTests {
    @Test func pendingWorkIsLookedAfter() async throws {
        try await withJournal(leaseTime: .long) { journal, address in
            var checks = PendingChecks(of: journal)
            #expect(try await checks.check() == [])
            try await Database(cluster: .shared, address: address).expectEmpty(cleaning: journal)
        }
    }

    @Test func entriesOfAGroupSetTheDueMoments() async throws {
        try await withJournals { one, other, database in
            var sessions: [SessionID] = []
            for _ in 0..<60 { sessions.append(try await one.add()) }
            var last = Array(repeating: Timestamp?.none, count: 60)
            for version in 1...6 {
                let wakes = sessions.indices.map { index -> Int? in
                    (index + version).isMultiple(of: 3) ? nil : 1_000 * version + index
                }
                // One of two entries with the same version is accepted, and its moment counts.
                let answers = sessions.enumerated().map { index, session in
                    let entry =
                        (index + version).isMultiple(of: 4)
                        ? JournalEntry.make(version: version) : .make(version: version, wake: wakes[index])
                    return (
                        entry, one.append(entry.with { $0.mark = 1 }, to: session),
                        other.append(.make(version: version, wake: 77).with { $0.mark = 2 }, to: session)
                    )
                }
                for (index, (entry, first, second)) in answers.enumerated() {
                    let outcomes = [await first.outcome, await second.outcome]
                    #expect(outcomes.count { $0 == nil } == 1)
                    if outcomes[1] == nil {
                        last[index] = Timestamp(seconds: 77)
                    } else if entry.changesPending {
                        last[index] = entry.wake
                    }
                }
            }
            let rows = try await database.execute("SELECT session, due_at FROM coordinate_due")
            let expected = zip(sessions, last).compactMap { session, wake in wake.map { "\(session)|\($0.seconds)" } }
            #expect(rows.sorted() == expected.sorted())
            try await database.expectSound()
        }
    }

    /// The entry was accepted the first time, so its moment may be outdated by now.
    @Test func aRepeatedEntryChangesNoDueMoment() async throws {
        try await withJournals { one, other, _ in
            let session = try await one.add()
            let entry = JournalEntry.make(version: 1, wake: 10).with { $0.mark = 7 }
            try await one.append(entry, to: session).value
            try await other.append(.make(version: 2, wake: nil), to: session).value
            #expect(await one.append(entry, to: session).outcome == .conflict)
            #expect(try await one.due(by: 1_000) == [])
        }
    }

    // MARK: Ends

    @Test func eachExpiredSessionIsReportedToOneServer() async throws {
        try await withJournals { one, other, database in
            let made = (0..<1_200).map { index in
                let record = SessionRecord.make(app: index.isMultiple(of: 3) ? "Notes" : "Racing", timers: [5])
                return (record, one.create(record, with: [], until: Timestamp(seconds: 5), limit: 10_000))
            }
            for (_, answer) in made { try await answer.value }
            let kept = try await one.add(.make(timers: [5]))
            let told = Mutex<[String]>([])
            try await eventually {
                for server in [one, other] {
                    server.expire(by: Timestamp(seconds: 5)) { session, app in
                        told.withLock { $0.append("\(session) of \(app)") }
                    }
                }
                return try await database.count("coordinate_sessions") == 1
            }
            // The expiry that was requested last has no sessions to report.
            for server in [one, other] { _ = try await server.add(limit: 10_000) }
            #expect(told.withLock { $0.sorted() } == made.map { "\($0.0.id) of \($0.0.app)" }.sorted())
            #expect(try await database.execute("SELECT session FROM coordinate_due") == [kept.description])
        }
    }

    // MARK: Older tables

    @Test func anOlderDatabaseIsMigrated() async throws {
        let cluster = try await PostgreSQLCluster.shared
        let address = try await cluster.makeAddress()
        let older = try PostgreSQLJournal(address)
        let session = try await older.add(with: [.make(version: 1)])
        older.close()
        try await cluster.execute("DROP TABLE coordinate_due", at: address)
        for column in ["version", "is_repeated", "event", "app_version", "times"] {
            try await cluster.execute("ALTER TABLE coordinate_sessions DROP COLUMN crash_\(column)", at: address)
        }
        for column in ["slice", "name", "work_withheld"] {
            try await cluster.execute("ALTER TABLE coordinate_sessions DROP COLUMN \(column)", at: address)
        }
        try await cluster.execute("UPDATE coordinate_schema SET version = 1", at: address)
        #expect(throws: JournalOpeningError.self) { try PostgreSQLJournal(address, access: .readOnly) }
        let journal = try PostgreSQLJournal(address)
        defer { journal.close() }
        #expect(try await journal.entries(of: session).count == 1)
        #expect(try await journal.due(by: 1_000) == [])
        try await journal.append(.make(version: 2, wake: 10), to: session).value
        #expect(try await journal.due(by: 1_000) == [session])
        try await journal.note(.make(), of: session).value
        #expect(try await journal.head(of: session).value?.crash == .make())
        #expect(try await cluster.execute("SELECT slice FROM coordinate_sessions", at: address) == ["\(session.slice)"])
    }
}
