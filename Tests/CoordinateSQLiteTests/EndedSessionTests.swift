import Coordinate
import CoordinateSessions
import JournalWalk
import SessionFixtures
import Testing

@testable import CoordinateSQLite

/// Sessions that have ended and are kept: they are gone for servers, and complete for an archive.
struct EndedSessionTests {
    private let file = TemporaryFile()

    private func open() throws -> SQLiteJournal {
        try SQLiteJournal(path: file.path, logger: .silent)
    }

    private func add(_ journal: SQLiteJournal, _ record: SessionRecord = .make(), entries: Int) async throws
        -> SessionID
    {
        let expiry = Timestamp(seconds: 4_000_000_000)
        try await journal.create(record, with: [], until: expiry, limit: 1_000).value
        let base = record.parent?.version ?? 0
        for version in base..<(base + entries) {
            try await journal.append(.make(version: version + 1, path: "/\(version + 1)"), to: record.id).value
        }
        return record.id
    }

    private func ended(_ journal: SQLiteJournal, by now: Int = 0) async throws -> [SessionHead] {
        try await journal.endedSessions(of: "Racing", by: Timestamp(seconds: now), after: nil, limit: 100).value
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func toServersAnEndedSessionIsGone(seed: UInt64) async throws {
        let journal = try open()
        defer { journal.close() }
        journal.keepEnded(for: 1_000_000_000)
        var walk = JournalWalk(of: journal, seed: seed)
        let differences = await walk.go(steps: 400)
        #expect(differences.isEmpty, "\(differences.joined(separator: "; "))")
    }

    @Test func anEndedSessionIsReadWithAllThatItShared() async throws {
        let journal = try open()
        defer { journal.close() }
        journal.keepEnded(for: 3_600)
        let parent = try await add(journal, entries: 5)
        let fork = try await add(journal, .make(parent: ForkPoint(session: parent, version: 3)), entries: 2)
        try await journal.end(parent, at: nil).value
        try await journal.end(fork, at: 5).value
        #expect(try await journal.head(of: fork).value == nil)
        await #expect(throws: JournalError.noSuchSession) { try await journal.read(fork, after: 0, limit: 9).value }
        await #expect(throws: JournalError.noSuchSession) { try await journal.end(fork, at: nil).value }

        let heads = try await ended(journal)
        #expect(heads.map(\.record.id.description) == [parent, fork].map(\.description).sorted())
        let head = try #require(heads.first { $0.record.id == fork })
        #expect(head.version == 5)
        #expect(head.path == "/5")
        #expect(head.record.parent == ForkPoint(session: parent, version: 3))
        #expect(try await journal.readEnded(fork, after: 1, limit: 3).value.map(\.path) == ["/2", "/3", "/4"])
        #expect(try await journal.readEnded(parent, after: 0, limit: 9).value.count == 5)

        try await journal.removeEnded(parent).value
        await #expect(throws: JournalError.noSuchSession) { try await journal.removeEnded(parent).value }
        #expect(try await journal.readEnded(fork, after: 0, limit: 9).value.count == 5)
        try await journal.removeEnded(fork).value
        for table in ["sessions", "log", "entries", "lineage", "garbage", "ended"] {
            #expect(try journal.count(in: table) == 0, "\(table)")
        }
    }

    @Test func anExpiredSessionIsKeptAsWell() async throws {
        let first = try open()
        first.keepEnded(for: 3_600)
        _ = try await add(first, entries: 2)
        first.close()
        let journal = try open()
        defer { journal.close() }
        #expect(try await ended(journal, by: 3_999_999_999).isEmpty)
        #expect(try await ended(journal, by: 4_000_000_000).map(\.version) == [2])
        #expect(journal.count == 0)
    }

    @Test func keptSessionsAreDeletedAfterTheirTime() async throws {
        let journal = try open()
        defer { journal.close() }
        journal.keepEnded(for: 3_600)
        let session = try await add(journal, entries: 3)
        try await journal.end(session, at: nil).value
        #expect(try journal.count(in: "ended") == 1)
        repeat {
            journal.expire(by: Timestamp(seconds: 3_000_000_000))
            _ = try await journal.list(SessionQuery(app: "", limit: 1)).value
        } while try journal.count(in: "ended") + journal.count(in: "log") + journal.count(in: "garbage") > 0
        for table in ["entries", "lineage"] { #expect(try journal.count(in: table) == 0) }
    }

    @Test func withoutATimeNothingIsKept() async throws {
        let journal = try open()
        defer { journal.close() }
        let session = try await add(journal, entries: 3)
        try await journal.end(session, at: nil).value
        #expect(try await ended(journal).isEmpty)
        await #expect(throws: JournalError.noSuchSession) {
            try await journal.readEnded(session, after: 0, limit: 9).value
        }
    }
}
