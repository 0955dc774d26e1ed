import Coordinate
import CoordinateSessions
import Foundation
import PostgreSQLCluster
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinatePostgreSQL

/// A primary and its synchronous standby, under one address: whichever of them is the primary, no acknowledged entry is
/// lost, and the servers need no configuration change.
@Suite(
    .serialized, .timeLimit(.minutes(3)),
    .enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
struct StandbyTests {
    /// Runs the body with a primary that acknowledges only entries that its standby has, and the address of both.
    nonisolated(nonsending) private func withPair(
        _ body: nonisolated(nonsending) (PostgreSQLCluster, PostgreSQLCluster, String) async throws -> Void
    ) async throws {
        let primary = try await PostgreSQLCluster()
        let schema = try await primary.makeSchema(ownedBy: "locked")
        let standby = try await PostgreSQLCluster(standbyOf: primary)
        try await primary.requireStandby(true)
        try await primary.awaitStandby()
        let hosts = "\(primary.host),\(standby.host)"
        try await body(
            primary, standby, primary.address(schema: schema, user: "locked", password: "secret", hosts: hosts))
    }

    enum End: CaseIterable { case killed, standingStill }

    /// It takes most of a minute: `make standbys`.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["STANDBYS"] != nil), arguments: End.allCases)
    func thePromotedStandbyHasAllAcknowledgedEntries(end: End) async throws {
        try await withPair { primary, standby, address in
            let log = LogCapture()
            let one = try PostgreSQLJournal(address, logger: log.logger)
            let other = try PostgreSQLJournal(address, logger: log.logger)
            var sessions: [SessionID] = []
            for _ in 0..<16 { sessions.append(try await one.add()) }
            let followed = try await other.add()
            let calls = Atomic(0)
            let subscription = other.follow(followed) { calls.add(1, ordering: .relaxed) }
            try await waitUntil { calls.load(ordering: .relaxed) == 1 }

            let writers = Writers(of: sessions, in: [one, other])
            var (primary, standby) = (primary, standby)
            // The second time, the first host takes over.
            for promotions in 1...2 {
                try await writers.progress(by: 200)
                if end == .killed { try await primary.kill() } else { try await primary.pause() }
                try await standby.promote()
                try await standby.requireStandby(false)
                try await writers.progress(by: 200)
                let entry = JournalEntry.make(version: promotions, mark: .random(in: 1 ... .max))
                #expect(await eventualOutcome(of: entry, to: followed, in: one) == nil)
                try await waitUntil { calls.load(ordering: .relaxed) == promotions + 1 }

                try await primary.kill()
                (primary, standby) = (standby, try await PostgreSQLCluster(standbyOf: standby, port: primary.port))
                try await primary.requireStandby(true)
                try await primary.awaitStandby()
            }
            try await writers.progress(by: 200)
            try await writers.finish()
            withExtendedLifetime(subscription) {}
            one.close()
            other.close()
            try await Database(cluster: primary, address: address).expectSound()
            #expect(log.lines.count { $0.contains("cannot be reached") } >= 2)
            #expect(!log.lines.joined().contains("secret"))
        }
    }

    /// No request at the address decides which host is the primary. But this one has no standby that follows it, so it
    /// cannot commit.
    @Test func aFormerPrimaryThatComesBackAloneAcknowledgesNothing() async throws {
        try await withPair { former, standby, address in
            let journal = try PostgreSQLJournal(address)
            let session = try await journal.add()
            try await journal.append(.make(version: 1), to: session)
            journal.close()
            try await former.kill()
            try await standby.promote()
            try await standby.requireStandby(false)
            try await former.start()

            let alone = address.replacing(",\(standby.host)", with: "")
            // The journal does not use it, not even for a read, which could return outdated data.
            do throws(JournalOpeningError) {
                try PostgreSQLJournal(alone).close()
                Issue.record("The journal was opened.")
            } catch {
                guard case .unreachable(let reason) = error else { throw error }
                #expect(reason.contains("standby"))
                #expect(!reason.contains("secret"))
            }
            // Although it is named first, the journal finds the other host.
            let next = try PostgreSQLJournal(address)
            defer { next.close() }
            try await next.append(.make(version: 2), to: session)
            #expect(try await next.head(of: session)?.version == 2)
            let count = "SELECT count(*) FROM coordinate_entries"
            let schema = address.split(separator: "?").last.map { "?\($0)" } ?? ""
            #expect(try await former.execute(count, at: former.address() + schema) == ["1"])
            #expect(try await standby.execute(count, at: standby.address() + schema) == ["2"])
        }
    }

    /// A commit that waits for a standby is not ended by a time limit, and its connection outlives its client.
    @Test func commitsThatWaitForAStandbyDoNotPileUp() async throws {
        try await withPair { primary, standby, address in
            let journal = try PostgreSQLJournal(address)
            var sessions: [SessionID] = []
            for _ in 0..<3 { sessions.append(try await journal.add()) }
            for session in sessions { try await journal.append(.make(version: 1), to: session) }
            #expect(try await journal.head(of: sessions[0])?.version == 1)
            try await standby.stop()
            let entry = JournalEntry.make(version: 2, mark: 7)
            #expect(await outcome { try await journal.append(entry, to: sessions[0]) } == .outcomeUnknown)
            // From now on it is certain that nothing is done.
            for session in sessions {
                #expect(await outcome { try await journal.append(entry, to: session) } == .unavailable)
            }
            let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            #expect(try await primary.execute(waiting) == ["1"])
            // Entries that were committed before can be read; this one was not.
            #expect(try await journal.head(of: sessions[0])?.version == 1)
            try await standby.start()
            #expect(await eventualOutcome { try await journal.append(entry, to: sessions[0]) } == .conflict)
            #expect(try await journal.entries(of: sessions[0]).last == entry)
            #expect(await eventualOutcome(of: entry, to: sessions[1], in: journal) == nil)
            journal.close()
        }
    }

    /// The entry is written here, and may not be on the standby. PostgreSQL reports that, and shuts down.
    @Test func aCommitThatWaitsForAStandbyDuringAShutdownIsUnknown() async throws {
        try await withPair { primary, standby, address in
            let journal = try PostgreSQLJournal(address)
            let session = try await journal.add()
            try await journal.append(.make(version: 1), to: session)
            try await standby.stop()
            let entry = JournalEntry.make(version: 2, mark: 7)
            let append = Task.immediate { try await journal.append(entry, to: session) }
            let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            try await waitUntil { try await primary.execute(waiting) == ["1"] }
            try await primary.stop()
            #expect(await append.outcome == .outcomeUnknown)
            try await primary.start()
            try await standby.start()
            #expect(await eventualOutcome { try await journal.append(entry, to: session) } == .conflict)
            #expect(try await journal.entries(of: session).last == entry)
            journal.close()
        }
    }

    /// While an address moves, acknowledged entries may not have reached the standby yet.
    @Test func aServerDoesNotReadFromAStandby() async throws {
        try await withPair { primary, standby, address in
            let journal = try PostgreSQLJournal(address.replacing(",\(standby.host)", with: ""))
            let session = try await journal.add()
            try await journal.append(.make(version: 1), to: session)
            #expect(try await journal.head(of: session)?.version == 1)
            try await primary.kill()
            try await standby.stop()
            try await standby.start(at: primary.port)
            for _ in 0..<3 {
                await #expect(throws: JournalError.unavailable) { try await journal.head(of: session) }
            }
            try await standby.promote()
            try await standby.requireStandby(false)
            #expect(await eventualOutcome(of: .make(version: 2, mark: 7), to: session, in: journal) == nil)
            #expect(await eventualValue { try await journal.head(of: session) }?.version == 2)
            journal.close()
        }
    }
}
