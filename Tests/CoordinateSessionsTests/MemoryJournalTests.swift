import Coordinate
import JournalWalk
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The journal in memory: the changes that it accepts and refuses, and the sessions that it removes.
struct MemoryJournalTests {
    private let journal = MemoryJournal()

    /// Adds a session.
    private func add(
        _ session: SessionRecord = .make(), with history: [JournalEntry] = [], until expiry: Int = 100,
        to journal: MemoryJournal? = nil
    ) throws -> SessionID {
        try (journal ?? self.journal).create(
            session, with: history, until: Timestamp(seconds: expiry), limit: 1_000
        ).now()
        return session.id
    }

    private func entries(of session: SessionID) throws -> [JournalEntry] {
        try journal.read(session, after: 0, limit: .max).now()
    }

    @Test func pendingWorkIsLookedAfter() async throws {
        var checks = PendingChecks(of: journal)
        #expect(try await checks.check() == [])
    }

    @Test func aWakeThatMovesOftenIsDueOnceAtItsLastTime() {
        let (schedule, other) = (WakeSchedule(), SessionID.random())
        schedule.note(Timestamp(seconds: 5), for: other, of: "Test")
        let session = SessionID.random()
        for second in 1...1_000 { schedule.note(Timestamp(seconds: second * 7 % 1_001 + 10), for: session, of: "Test") }
        let last = 1_000 * 7 % 1_001 + 10

        #expect(schedule.leaseDue(by: Timestamp(seconds: last - 1), of: "Test", limit: 9) == [other])
        #expect(schedule.leaseDue(by: Timestamp(seconds: 9_999), of: "Other", limit: 9) == [])
        #expect(schedule.leaseDue(by: Timestamp(seconds: 9_999), of: "Test", limit: 9) == [session])
        #expect(schedule.leaseDue(by: Timestamp(seconds: 9_999), of: "Test", limit: 9) == [])
        schedule.endLeases(of: [session, other])
        #expect(schedule.leaseDue(by: Timestamp(seconds: 9_999), of: "Test", limit: 9) == [other, session])
    }

    @Test(arguments: [0, 1, 3, 4, Int.max])
    func onlyTheNextVersionIsAccepted(version: Int) throws {
        let session = try add()
        try journal.append(.make(version: 1), to: session).now()
        #expect(throws: JournalError.conflict) { try journal.append(.make(version: version), to: session).now() }
        try journal.append(.make(version: 2), to: session).now()
        #expect(try entries(of: session).map(\.version) == [1, 2])
    }

    @Test func anUnknownSessionCannotBeReadWrittenOrEnded() throws {
        let unknown = SessionID.random()
        #expect(throws: JournalError.noSuchSession) { try journal.append(.make(version: 1), to: unknown).now() }
        #expect(throws: JournalError.noSuchSession) { try journal.read(unknown, after: 0, limit: 10).now() }
        #expect(throws: JournalError.noSuchSession) { try journal.end(unknown, at: nil).now() }
        #expect(try journal.head(of: unknown).now() == nil)
        journal.keep(unknown, until: Timestamp(seconds: 1))
        #expect(journal.count == 0)
    }

    @Test func anImportKeepsTheStartTimeOfItsOriginal() throws {
        let record = SessionRecord(
            id: .random(), app: "Racing", appVersion: "1.0", createdAt: Timestamp(seconds: 9),
            startedAt: Timestamp(seconds: 1), seed: 7, path: "/splash")
        #expect(try journal.head(of: add(record)).now()?.record == record)
    }

    @Test func aHeadContainsTheVersionAndThePath() throws {
        let record = SessionRecord.make(options: .object([PlainField("locale", .string("de"))]))
        let session = try add(record, until: 77)
        let new = SessionHead(
            record: record, version: 0, path: "/splash", lastEventAt: nil, expiresAt: Timestamp(seconds: 77))
        #expect(try journal.head(of: session).now() == new)
        let work = PendingWork(id: "1-1", name: "prices", at: "AppCoordinator", due: nil)
        let timer = PendingWork(id: "1-2", name: "tick", at: "AppCoordinator", due: Timestamp(seconds: 1))
        try journal.append(.make(version: 1).with { $0.begun = [work, timer] }, to: session).now()
        try journal.append(.make(version: 2).with { $0.pending = "1-1" }, to: session).now()
        journal.keep(session, until: Timestamp(seconds: 99))
        let later = SessionHead(
            record: record, version: 2, path: "/main/teams", lastEventAt: Timestamp(seconds: 1_795_253_400),
            expiresAt: Timestamp(seconds: 99), pending: 1)
        #expect(try journal.head(of: session).now() == later)
        try journal.append(.make(version: 3).with { $0.ended = ["1-2"] }, to: session).now()
        #expect(try journal.head(of: session).now()?.pending == 0)
    }

    @Test func aHistoryHasALimit() throws {
        let journal = MemoryJournal(maximumSize: 100)
        for _ in 0..<2 {
            let session = try add(to: journal)
            var version = 1
            #expect(throws: JournalError.full) {
                while version < 1_000 {
                    try journal.append(.make(version: version), to: session).now()
                    version += 1
                }
            }
            #expect(version > 1)
            #expect(try journal.read(session, after: 0, limit: 1_000).now().count == version - 1)
            // A fork from an earlier version has room.
            let fork = try add(.make(parent: ForkPoint(session: session, version: 1)), to: journal)
            try journal.append(.make(version: 2), to: fork).now()
        }
        let history = (1...100).map { JournalEntry.make(version: $0) }
        #expect(throws: JournalError.full) { _ = try add(with: history, to: journal) }
        #expect(journal.count == 4)
    }

    @Test func anEndedSessionIsRemoved() throws {
        let sessions = try (0..<200).map { _ in try add(with: [.make(version: 1)]) }
        for session in sessions.prefix(100) { try journal.end(session, at: nil).now() }
        #expect(journal.count == 100)
        for session in sessions.prefix(100) {
            #expect(throws: JournalError.noSuchSession) { try entries(of: session) }
        }
        for session in sessions.suffix(100) { #expect(try entries(of: session).count == 1) }
    }

    @Test func anEndCanDependOnTheVersion() throws {
        let session = try add(with: [.make(version: 1), .make(version: 2)])
        for version in [0, 1, 3] {
            #expect(throws: JournalError.conflict) { try journal.end(session, at: version).now() }
        }
        try journal.end(session, at: 2).now()
        #expect(journal.count == 0)
    }

    @Test func thereAreNeverMoreSessionsThanTheLimit() throws {
        let expiry = Timestamp(seconds: 100)
        var sessions: [SessionID] = []
        for _ in 0..<3 {
            let record = SessionRecord.make()
            try journal.create(record, with: [], until: expiry, limit: 3).now()
            sessions.append(record.id)
        }
        #expect(throws: JournalError.tooManySessions) {
            try journal.create(.make(), with: [], until: expiry, limit: 3).now()
        }
        try journal.end(sessions[0], at: nil).now()
        try journal.create(.make(), with: [], until: expiry, limit: 3).now()
        #expect(journal.count == 3)
    }

    // MARK: Forks

    @Test func aForkHasTheFirstEntriesOfItsParent() throws {
        let retry = Retry(key: "a", fingerprint: 1, isMinimal: false)
        let history = (1...4).map { version in JournalEntry.make(version: version).with { $0.retry = retry } }
        let parent = try add(with: history)
        for version in 0...4 {
            let record = SessionRecord.make(parent: ForkPoint(session: parent, version: version))
            let fork = try add(record)
            let inherited = history.prefix(version).map { $0.inherited }
            #expect(try entries(of: fork) == inherited)
            try journal.append(.make(version: version + 1, path: "/fork"), to: fork).now()
            try journal.append(.make(version: version + 2, path: "/on"), to: fork).now()
            #expect(try journal.head(of: fork).now()?.record == record)
            #expect(try journal.head(of: fork).now()?.path == "/on")
            #expect(try entries(of: parent) == history)
        }
        try journal.append(.make(version: 5), to: parent).now()
        let fork = try add(.make(parent: ForkPoint(session: parent, version: 5)))
        try journal.end(parent, at: nil).now()
        #expect(try entries(of: fork).map(\.version) == [1, 2, 3, 4, 5])
    }

    @Test func aForkNeedsAParentWithThatVersion() throws {
        let parent = try add(with: [.make(version: 1)])
        for point in [ForkPoint(session: parent, version: 2), ForkPoint(session: .random(), version: 0)] {
            #expect(throws: JournalError.noSuchSession) { _ = try add(.make(parent: point)) }
        }
        #expect(journal.count == 1)
    }

    // MARK: Time

    @Test func anExpiredSessionIsRemoved() throws {
        let sessions = try (1...300).map { try add(until: $0) }
        journal.keep(sessions[0], until: Timestamp(seconds: 1_000))
        journal.expire(by: Timestamp(seconds: 100))
        #expect(journal.count == 201)
        #expect(try journal.head(of: sessions[0]).now() != nil)
        #expect(try journal.head(of: sessions[99]).now() == nil)
        #expect(try journal.head(of: sessions[100]).now() != nil)
        journal.keep(sessions[0], until: Timestamp(seconds: 10))
        journal.expire(by: Timestamp(seconds: 300))
        #expect(journal.count == 0)
    }

    @Test(arguments: [1, 2, 3, 7, 10, 11])
    func sessionsAreListedLastUsedFirst(limit: Int) throws {
        let sessions = try (1...10).map { try add(until: 100 + $0 / 2) }
        _ = try add(.make(app: "Notes"), until: 200)
        journal.keep(sessions[3], until: Timestamp(seconds: 150))
        var listed: [SessionHead] = []
        var next: String?
        repeat {
            let page = try journal.list(SessionQuery(app: "Racing", limit: limit, after: next)).now()
            #expect(page.sessions.count <= limit)
            listed += page.sessions
            next = page.next
        } while next != nil
        #expect(listed.count == 10)
        #expect(Set(listed.map(\.record.id)) == Set(sessions))
        #expect(listed.first?.record.id == sessions[3])
        #expect(zip(listed, listed.dropFirst()).allSatisfy { $0.expiresAt >= $1.expiresAt })
    }

    @Test func sessionsAreListedByPath() throws {
        let session = try add(with: [.make(version: 1, path: "/main/drivers")])
        _ = try add(with: [.make(version: 1, path: "/main/teams")])
        _ = try add()
        let page = try journal.list(SessionQuery(app: "Racing", limit: 10, path: "/main/dr")).now()
        #expect(page.sessions.map(\.record.id) == [session])
        #expect(try journal.list(SessionQuery(app: "Racing", limit: 10, path: "/main")).now().sessions.count == 2)
    }

    @Test func aPageExaminesALimitedNumberOfSessionsForAPath() throws {
        let wanted = try add(with: [.make(version: 1, path: "/main/drivers")], until: 99)
        for _ in 0..<10_500 {
            try journal.create(.make(), with: [], until: Timestamp(seconds: 100), limit: 20_000).now()
        }
        let first = try journal.list(SessionQuery(app: "Racing", limit: 10, path: "/main/dr")).now()
        #expect(first.sessions.isEmpty)
        let next = try #require(first.next)
        let second = try journal.list(SessionQuery(app: "Racing", limit: 10, after: next, path: "/main/dr")).now()
        #expect(second.sessions.map(\.record.id) == [wanted])
        #expect(second.next == nil)
    }

    /// Characters that look alike are different in paths.
    @Test func pathPrefixesAreComparedByteByByte() throws {
        let session = try add(with: [.make(version: 1, path: "/caf\u{E9}")])
        for (path, sessions) in [("/caf", [session]), ("/caf\u{E9}", [session]), ("/cafe\u{301}", [])] {
            let page = try journal.list(SessionQuery(app: "Racing", limit: 10, path: path)).now()
            #expect(page.sessions.map(\.record.id) == sessions, "\(path)")
        }
    }
}
