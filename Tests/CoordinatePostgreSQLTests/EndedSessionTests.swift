import Coordinate
import CoordinateSessions
import JournalWalk
import PostgreSQLCluster
import SessionFixtures
import Testing

@testable import CoordinatePostgreSQL

/// Sessions that have ended and are kept, and sessions that are erased.
@Suite(.enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
struct EndedSessionTests {
    @Test(arguments: [11, 12] as [UInt64])
    func toServersAnEndedSessionIsGone(seed: UInt64) async throws {
        try await withJournal(leaseTime: .long) { journal, _ in
            journal.keepEnded(for: 1_000_000_000)
            var walk = JournalWalk(of: journal, seed: seed)
            let differences = await walk.go(steps: 300)
            #expect(differences.isEmpty, "\(differences.joined(separator: "; "))")
        }
    }

    private func ended(_ journal: PostgreSQLJournal, by now: Int = 0) async throws -> [SessionHead] {
        try await journal.endedSessions(of: "Racing", by: Timestamp(seconds: now), after: nil, limit: 100).value
    }

    @Test func anEndedSessionIsReadWithAllThatItShared() async throws {
        try await withJournal { journal, address in
            journal.keepEnded(for: 3_600)
            let parent = try await journal.add()
            try await journal.append(upTo: 5, to: parent)
            let fork = try await journal.fork(parent, at: 3)
            try await journal.append(upTo: 5, after: 3, path: "/fork", to: fork)
            try await journal.end(parent, at: nil).value
            try await journal.end(fork, at: 5).value
            #expect(try await journal.head(of: fork).value == nil)
            await #expect(throws: JournalError.noSuchSession) { try await journal.end(fork, at: nil).value }

            let heads = try await ended(journal)
            #expect(heads.map(\.record.id.description) == [parent, fork].map(\.description).sorted())
            let head = try #require(heads.first { $0.record.id == fork })
            #expect(head.version == 5)
            #expect(head.path == "/fork")
            #expect(try await journal.readEnded(fork, after: 1, limit: 3).value.map(\.version) == [2, 3, 4])
            try await journal.removeEnded(parent).value
            await #expect(throws: JournalError.noSuchSession) { try await journal.removeEnded(parent).value }
            #expect(try await journal.readEnded(fork, after: 0, limit: 9).value.count == 5)
            try await journal.removeEnded(fork).value
            let database = Database(cluster: .shared, address: address)
            try await database.expectEmpty(cleaning: journal)
            #expect(try await database.count("coordinate_ended") == 0)
        }
    }

    @Test func anExpiredSessionIsKeptAndDeletedAfterItsTime() async throws {
        try await withJournal { journal, address in
            journal.keepEnded(for: 1_000_000)
            let session = try await journal.add(until: Timestamp(seconds: 10))
            try await journal.append(upTo: 2, to: session)
            #expect(try await ended(journal, by: 9).isEmpty)
            #expect(try await ended(journal, by: 10).map(\.version) == [2])
            let database = Database(cluster: .shared, address: address)
            try await database.execute("UPDATE coordinate_ended SET kept_until = 5")
            try await eventually {
                journal.expire(by: Timestamp(seconds: 5))
                return try await database.count("coordinate_ended") == 0
            }
            try await database.expectEmpty(cleaning: journal)
        }
    }

    @Test func anErasedSessionLeavesNoRow() async throws {
        try await withJournal { journal, address in
            let session = try await journal.add()
            try await journal.append(upTo: 4, to: session)
            let fork = try await journal.fork(session, at: 3)
            let erasure = try await journal.erase(session).value
            #expect(erasure.holders == [Erasure.Holder(fork, .fork, upTo: 3, hasEnded: false)])
            #expect(erasure.remnants.contains("VACUUM"))
            #expect(try await journal.head(of: session).value == nil)
            #expect(try await journal.entries(of: fork).map(\.version) == [1, 2, 3])
            try await journal.append(upTo: 4, after: 3, to: fork)
            let database = Database(cluster: .shared, address: address)
            #expect(try await database.count("coordinate_entries") == 4)

            #expect(try await journal.erase(fork).value.holders == [])
            for table in ["sessions", "entries", "lineage", "due", "garbage", "ended"] {
                #expect(try await database.count("coordinate_\(table)") == 0, "\(table)")
            }
            await #expect(throws: JournalError.noSuchSession) { try await journal.erase(fork).value }
        }
    }

    @Test func aToolThatOnlyReadsChangesNothing() async throws {
        let address = try await PostgreSQLCluster.shared.makeAddress()
        let journal = try PostgreSQLJournal(address)
        defer { journal.close() }
        let session = try await journal.add()
        let tool = try PostgreSQLJournal(address, access: .readOnly)
        defer { tool.close() }
        await #expect(throws: JournalError.unavailable) { try await tool.erase(session).value }
        await #expect(throws: JournalError.unavailable) { try await tool.removeEnded(session).value }
        #expect(try await journal.head(of: session).value != nil)
    }
}
