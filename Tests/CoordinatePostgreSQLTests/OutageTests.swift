import Coordinate
import CoordinateSessions
import Foundation
import Logging
import PostgreSQLCluster
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinatePostgreSQL

/// Outages of PostgreSQL of all kinds: no caller waits forever, no acknowledged entry is lost, and the journal resumes
/// afterwards.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
struct OutageTests {
    /// The cluster that these tests stop, one after the other.
    private static let cluster = Mutex<PostgreSQLCluster?>(nil)

    /// Returns a cluster that runs. A test that failed may have left the last one in any state.
    private func cluster() async throws -> PostgreSQLCluster {
        if let cluster = Self.cluster.withLock({ $0 }) {
            try await cluster.resume()
            if (try? await cluster.execute("SELECT 1")) != nil { return cluster }
        }
        let cluster = try await PostgreSQLCluster()
        Self.cluster.withLock { $0 = cluster }
        return cluster
    }

    /// Runs the body with a journal in a PostgreSQL server that the test may stop.
    nonisolated(nonsending) private func withOwnJournal(
        logger: Logger = Logger(label: "test"),
        _ body: nonisolated(nonsending) (PostgreSQLJournal, PostgreSQLCluster, Database) async throws -> Void
    ) async throws {
        let cluster = try await cluster()
        let address = try await cluster.makeAddress()
        let journal = try PostgreSQLJournal(address, logger: logger)
        try await body(journal, cluster, Database(cluster: cluster, address: address))
        journal.close()
    }

    @Test func aServerThatRefusesEntriesIsNotReady() async throws {
        try await withOwnJournal { journal, _, database in
            let session = try await journal.add()
            try await journal.check()
            try await database.execute(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'no'; END$$")
            try await database.execute(
                "CREATE TRIGGER refuse BEFORE INSERT ON coordinate_entries EXECUTE FUNCTION refuse()")
            try await waitUntil { await outcome { try await journal.check() } == .unavailable }
            #expect(await outcome { try await journal.append(.make(version: 1), to: session) } == .unavailable)
            try await database.execute("DROP TRIGGER refuse ON coordinate_entries")
            try await waitUntil { await outcome { try await journal.check() } == nil }
            try await database.expectSound()
        }
    }

    @Test func aFrozenServerBlocksNoCaller() async throws {
        try await withOwnJournal { journal, cluster, database in
            var sessions: [SessionID] = []
            for _ in 0..<4 { sessions.append(try await journal.add(with: [.make(version: 1)])) }
            // All workers have connections now.
            for session in sessions { _ = try await journal.entries(of: session) }
            _ = try await journal.head(of: sessions[0])
            try await journal.append(.make(version: 2), to: sessions[0])
            try await cluster.pause()
            // Each request gets a result, although PostgreSQL does not respond.
            let first = Task.immediate { [sessions] in
                try await journal.append(.make(version: 2, mark: 7), to: sessions[1])
            }
            let second = Task.immediate { [sessions] in try await journal.append(.make(version: 2), to: sessions[2]) }
            let end = Task.immediate { [sessions] in try await journal.end(sessions[3], at: nil) }
            let reading = Task.immediate { [sessions] in try await journal.read(sessions[0], after: 0, limit: 5) }
            let check = Task.immediate { try await journal.check() }
            #expect(await first.outcome == .outcomeUnknown)
            // It may have been sent together with the first one.
            #expect([.unavailable, .outcomeUnknown].contains(await second.outcome))
            #expect(await end.outcome == .outcomeUnknown)
            #expect(await check.outcome == .unavailable)
            await #expect(throws: JournalError.unavailable) { try await reading.value }
            // A later request gets a result as well.
            #expect(await outcome { try await journal.append(.make(version: 2), to: sessions[2]) } == .unavailable)
            await #expect(throws: JournalError.unavailable) { try await journal.head(of: sessions[0]) }
            await #expect(throws: JournalError.unavailable) { try await journal.add() }
            await #expect(throws: JournalError.unavailable) {
                try await journal.list(SessionQuery(app: "Racing", limit: 1))
            }
            try await cluster.resume()
            try await waitUntil { await outcome { try await journal.check() } == nil }
            // An abandoned change may have been made. Repeating it shows which.
            let again = await eventualOutcome { try await journal.append(.make(version: 2, mark: 7), to: sessions[1]) }
            let last = try await journal.entries(of: sessions[1]).last
            #expect(again == nil || again == .conflict)
            #expect(last?.mark == 7)
            try await waitUntil {
                await outcome { try await journal.append(.make(version: 3), to: sessions[0]) } == nil
            }
            try await database.expectSound()
        }
    }

    @Test func aCrashLosesNothingAcknowledgedAndDoesNothingTwice() async throws {
        try await withOwnJournal { journal, cluster, database in
            var sessions: [SessionID] = []
            for _ in 0..<16 { sessions.append(try await journal.add()) }
            let writers = Writers(of: sessions, in: [journal])
            for _ in 0..<3 {
                try await writers.progress(by: 200)
                try await cluster.kill()
                await #expect(throws: JournalError.unavailable) { try await journal.head(of: sessions[0]) }
                try await cluster.start()
                try await waitUntil { await outcome { try await journal.check() } == nil }
            }
            try await writers.progress(by: 200)
            #expect(try await writers.finish().allSatisfy { $0 > 0 })
            try await database.expectSound()
        }
    }

    /// A restart ends each connection with a message, which waits on it until the connection is used again.
    @Test func aRestartWithoutRequestsIsNotNoticed() async throws {
        try await withOwnJournal { journal, cluster, database in
            let session = try await journal.add(with: [.make(version: 1)])
            try await journal.append(.make(version: 2), to: session)
            _ = try await journal.entries(of: session)
            _ = try await journal.head(of: session)
            for version in [3, 4] {
                try await cluster.stop()
                try await cluster.start()
                try await journal.append(.make(version: version), to: session)
                #expect(try await journal.head(of: session)?.version == version)
                #expect(try await journal.entries(of: session).count == version)
                let fork = try await journal.fork(session, at: 1)
                try await journal.end(fork, at: 1)
            }
            try await database.expectSound()
        }
    }

    @Test func anOutageIsLoggedOnce() async throws {
        let log = LogCapture()
        try await withOwnJournal(logger: log.logger) { journal, cluster, _ in
            let session = try await journal.add()
            _ = try await journal.renewLeases(of: [])
            try await cluster.stop()
            let appends = (0..<3).map { _ in
                Task.immediate { try await journal.append(.make(version: 1), to: session) }
            }
            await #expect(throws: JournalError.unavailable) { try await journal.head(of: session) }
            for append in appends { #expect(await append.outcome == .unavailable) }
            #expect(await outcome { try await journal.check() } == .unavailable)
            try await cluster.start()
            try await waitUntil {
                await outcome { try await journal.append(.make(version: 1), to: session) } != .unavailable
            }
            try await waitUntil { await outcome { try await journal.check() } == nil }
            // The operations at closing find their connections as well.
            try await waitUntil { (try? await journal.renewLeases(of: [session])) != nil }
            try await waitUntil { await outcome { try await journal.end(.random(), at: nil) } == .noSuchSession }
            #expect(!log.lines.joined().contains(session.description))
        }
        #expect(log.lines.count { $0.contains("cannot be reached") } == 1)
        #expect(log.lines.count { $0.contains("can be reached again") } == 1)
    }

    @Test func followersLearnOfChangesAfterAnOutage() async throws {
        try await withOwnJournal { journal, cluster, database in
            let session = try await journal.add()
            let calls = Atomic(0)
            let subscription = journal.follow(session) { calls.add(1, ordering: .relaxed) }
            try await waitUntil { calls.load(ordering: .relaxed) == 1 }
            let other = try PostgreSQLJournal(database.address)
            defer { other.close() }
            try await cluster.kill()
            try await cluster.start()
            try await waitUntil { await outcome { try await other.append(.make(version: 1), to: session) } == nil }
            try await waitUntil { calls.load(ordering: .relaxed) == 2 }
            withExtendedLifetime(subscription) {}
        }
    }

    @Test func keptSessionsAreWrittenAfterAnOutage() async throws {
        try await withOwnJournal { journal, cluster, _ in
            let session = try await journal.add(until: Timestamp(seconds: 10))
            try await cluster.stop()
            journal.keep(session, until: Timestamp(seconds: 20))
            await #expect(throws: JournalError.unavailable) { try await journal.add() }
            try await cluster.start()
            try await waitUntil {
                journal.expire(by: Timestamp(seconds: 11))
                return (try? await journal.head(of: session))?.expiresAt == Timestamp(seconds: 20)
            }
        }
    }

    /// The outcome is certain except if the connection broke while PostgreSQL was at work.
    @Test func aConnectionThatBreaksDuringAWriteLeavesTheOutcomeUnknown() async throws {
        try await withOwnJournal { journal, _, database in
            let session = try await journal.add()
            try await database.lock(session)
            try await database.endJournalsOnceOneWaits()
            let append = Task.immediate { try await journal.append(.make(version: 1), to: session) }
            #expect(await append.outcome == .outcomeUnknown)
            try await database.unlock()
            try await waitUntil { await outcome { try await journal.append(.make(version: 1), to: session) } == nil }
        }
    }

    /// PostgreSQL ends each connection on which a read waits, so that a group of reads loses its connection with its
    /// first one. The others are tried on the next connection, and none is forgotten.
    @Test(.timeLimit(.minutes(1))) func allReadsOfAGroupThatLosesItsConnectionGetAResult() async throws {
        try await withOwnJournal { journal, _, database in
            let session = try await journal.add(with: [.make(version: 1)])
            // A read waits while it runs, and not while it is prepared.
            try await database.execute(
                """
                ALTER TABLE coordinate_lineage RENAME TO lineage;
                CREATE VIEW coordinate_lineage AS SELECT * FROM lineage
                WHERE (SELECT pg_advisory_xact_lock_shared(7))::text IS NOT NULL
                """)
            #expect(await eventualValue { try await journal.read(session, after: 0, limit: 9) }.count == 1)
            try await database.lock("SELECT pg_advisory_lock(7)")
            database.endReadsThatWait()
            let reads = (0..<12).map { _ in Task.immediate { try await journal.read(session, after: 0, limit: 9) } }
            for read in reads {
                await #expect(throws: JournalError.unavailable) { try await read.value }
            }
            try await database.unlock()
            #expect(await eventualValue { try await journal.read(session, after: 0, limit: 9) }.count == 1)
        }
    }

    /// The entry is written here, but not on the standby that the server requires.
    @Test func aCommitThatMayNotBeSafeIsUnknown() async throws {
        try await withOwnJournal { journal, cluster, database in
            let session = try await journal.add()
            let first = JournalEntry.make(version: 1, mark: 4)
            try await journal.append(first, to: session)
            try await cluster.requireStandby(true)
            let entry = JournalEntry.make(version: 2, mark: 5)
            let record = SessionRecord.make()
            let append = Task.immediate { try await journal.append(entry, to: session) }
            let creation = Task.immediate { try await journal.create(record, with: [], until: .distant, limit: 1_000) }
            let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            try await waitUntil { try await cluster.execute("SELECT count(*) \(waiting)") == ["2"] }
            try await cluster.execute("SELECT pg_cancel_backend(pid) \(waiting)")
            #expect(await append.outcome == .outcomeUnknown)
            #expect(await creation.outcome == .outcomeUnknown)
            try await cluster.requireStandby(false)
            #expect(await eventualOutcome { try await journal.append(entry, to: session) } == .conflict)
            #expect(try await journal.entries(of: session) == [first, entry])
            let again = await eventualOutcome {
                try await journal.create(record, with: [], until: .distant, limit: 1_000)
            }
            #expect(again == .conflict)
        }
    }

    @Test func aReadOnlyServerIsLeftAndNotReady() async throws {
        try await withOwnJournal { journal, cluster, _ in
            let session = try await journal.add()
            try await journal.check()
            try await cluster.execute("ALTER DATABASE postgres SET default_transaction_read_only = on")
            try await cluster.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'coordinate'")
            try await waitUntil { await outcome { try await journal.check() } == .unavailable }
            #expect(await outcome { try await journal.append(.make(version: 1), to: session) } == .unavailable)
            try await cluster.execute(
                "ALTER DATABASE postgres RESET default_transaction_read_only",
                at: cluster.address() + "?options=-cdefault_transaction_read_only%3Doff")
            try await waitUntil { await outcome { try await journal.append(.make(version: 1), to: session) } == nil }
            try await waitUntil { await outcome { try await journal.check() } == nil }
        }
    }

    /// Most of them are sent as one group, which PostgreSQL refuses as a whole.
    @Test func anEntryThatIsRefusedFailsAlone() async throws {
        try await withOwnJournal { journal, _, database in
            var sessions: [SessionID] = []
            for _ in 0..<6 { sessions.append(try await journal.add()) }
            try await database.execute(
                "ALTER TABLE coordinate_entries ADD CONSTRAINT refused CHECK (session <> '\(sessions[3])')")
            let appends = sessions.map { session in
                Task.immediate { try await journal.append(.make(version: 1), to: session) }
            }
            for (number, append) in appends.enumerated() {
                #expect(await append.outcome == (number == 3 ? .unavailable : nil), "entry \(number)")
            }
        }
    }

    @Test func aChangeThatWaitsForALockBlocksNoOthers() async throws {
        try await withOwnJournal { journal, _, database in
            var sessions: [SessionID] = []
            for _ in 0..<5 { sessions.append(try await journal.add()) }
            try await database.lock(sessions[2])
            let answers = sessions.map { session in
                Task.immediate { try await journal.append(.make(version: 1), to: session) }
            }
            for (session, answer) in zip(sessions, answers) where session != sessions[2] {
                // A slow machine may have refused it for now, since all were sent together.
                if await answer.outcome == .unavailable {
                    try await waitUntil {
                        await outcome { try await journal.append(.make(version: 1), to: session) } == nil
                    }
                } else {
                    #expect(await answer.outcome == nil)
                }
            }
            #expect(await answers[2].outcome == .unavailable)
            try await database.unlock()
            try await journal.append(.make(version: 1), to: sessions[2])
        }
    }

    @Test func aClosedOrReleasedJournalLeavesNothingBehind() async throws {
        let cluster = try await cluster()
        let connections = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'coordinate'"
        for isClosed in [false, true] {
            let journal = try PostgreSQLJournal(await cluster.makeAddress())
            let session = try await journal.add()
            try await journal.append(.make(version: 1), to: session)
            #expect(try await journal.entries(of: session).count == 1)
            #expect(try await cluster.execute(connections) != ["0"])
            guard isClosed else { continue }
            journal.close()
            try await waitUntil { try await cluster.execute(connections) == ["0"] }
            withExtendedLifetime(journal) {}
        }
        let former = try threads()
        for _ in 0..<5 {
            let journal = try PostgreSQLJournal(await cluster.makeAddress())
            _ = try await journal.add()
        }
        // Other tests and their journals may have started some of them.
        let begun = try threads().subtracting(former)
        try await waitUntil { try threads().intersection(begun).count < 25 }
        try await waitUntil { try await cluster.execute(connections) == ["0"] }
    }

    /// The ids of all threads of the tests.
    private func threads() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))
    }

    @Test func closingDoesNotWaitForAMissingServer() async throws {
        let cluster = try await cluster()
        let journal = try PostgreSQLJournal(await cluster.makeAddress())
        let session = try await journal.add()
        try await cluster.stop()
        journal.keep(session, until: .distant)
        let append = Task.immediate { try await journal.append(.make(version: 1), to: session) }
        journal.close()
        #expect(await append.outcome == .unavailable)
        #expect(await outcome { try await journal.append(.make(version: 1), to: session) } == .unavailable)
        await #expect(throws: JournalError.unavailable) { try await journal.head(of: session) }
        try await cluster.start()
    }
}

extension Database {
    /// Keeps a session locked, like a slow transaction, until ``unlock()``.
    fileprivate func lock(_ session: SessionID) async throws {
        try await lock("SELECT 1 FROM coordinate_sessions WHERE id = '\(session)' FOR UPDATE")
    }

    /// Keeps what a statement locks until ``unlock()``.
    fileprivate func lock(_ statement: String) async throws {
        Task {
            // Another connection ends it.
            _ = try? await execute("BEGIN; \(statement); SELECT pg_sleep(3600)")
        }
        try await waitUntil { try await sleepers("count(*)") == ["1"] }
    }

    fileprivate func unlock() async throws {
        _ = try await sleepers("pg_terminate_backend(pid)")
        try await waitUntil { try await sleepers("count(*)") == ["0"] }
    }

    private func sleepers(_ selection: String) async throws -> [String] {
        try await execute("SELECT \(selection) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
    }

    /// Ends each connection that waits for the lock of ``lock(_:)``, as long as that is held.
    fileprivate func endReadsThatWait() {
        Task {
            _ = try? await execute(
                """
                DO $$ BEGIN
                WHILE EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock') LOOP
                    PERFORM pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted;
                    PERFORM pg_sleep(0.01);
                END LOOP;
                END $$
                """)
        }
    }

    /// Ends the connections of journals as soon as one of them waits for a lock, while ``lock(_:)`` keeps one.
    /// PostgreSQL itself watches for that, since a journal waits no longer than a second.
    fileprivate func endJournalsOnceOneWaits() async throws {
        Task {
            try? await execute(
                """
                DO $$ BEGIN
                WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted) LOOP PERFORM pg_sleep(0.01); END LOOP;
                PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'coordinate';
                END $$
                """)
        }
        try await waitUntil { try await sleepers("count(*)") == ["2"] }
    }
}
