import Coordinate
import CoordinateSessions
import Foundation
import PostgreSQLCluster
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinatePostgreSQL

/// The journal in PostgreSQL keeps the promises of every journal.
@Suite(.enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
struct PostgreSQLJournalTests {
    @Test(arguments: [0, 1, 3, 4, Int.max, -1])
    func onlyTheNextVersionIsAccepted(version: Int) async throws {
        try await withJournal { journal, _ in
            let session = try await journal.add()
            try await journal.append(.make(version: 1), to: session).value
            await #expect(throws: JournalError.conflict) {
                try await journal.append(.make(version: version), to: session).value
            }
            try await journal.append(.make(version: 2), to: session).value
            #expect(try await journal.entries(of: session).map(\.version) == [1, 2])
        }
    }

    @Test func anUnknownSessionCannotBeReadWrittenForkedOrEnded() async throws {
        try await withJournal { journal, _ in
            let unknown = SessionID.random()
            await #expect(throws: JournalError.noSuchSession) {
                try await journal.append(.make(version: 1), to: unknown).value
            }
            await #expect(throws: JournalError.noSuchSession) { try await journal.entries(of: unknown) }
            await #expect(throws: JournalError.noSuchSession) { try await journal.end(unknown, at: nil).value }
            await #expect(throws: JournalError.noSuchSession) { try await journal.fork(unknown, at: 0) }
            #expect(try await journal.head(of: unknown).value == nil)
            journal.keep(unknown, until: later)
            try await journal.check().value
            #expect(journal.count == 0)
        }
    }

    @Test func aHeadContainsTheVersionAndThePath() async throws {
        try await withJournal { journal, _ in
            let record = SessionRecord.make(options: .object([PlainField("locale", .string("de"))]))
            let session = try await journal.add(record, until: Timestamp(seconds: 77))
            let new = SessionHead(
                record: record, version: 0, path: "/splash", lastEventAt: nil, expiresAt: Timestamp(seconds: 77))
            #expect(try await journal.head(of: session).value == new)
            let work = PendingWork(id: "1-1", name: "prices", at: "AppCoordinator", due: nil)
            let timer = PendingWork(id: "1-2", name: "tick", at: "AppCoordinator", due: Timestamp(seconds: 1))
            try await journal.append(.make(version: 1).with { $0.begun = [work, timer] }, to: session).value
            #expect(try await journal.head(of: session).value?.pending == 2)
            try await journal.append(.make(version: 2).with { $0.pending = "1-1" }, to: session).value
            let later = SessionHead(
                record: record, version: 2, path: "/main/teams", lastEventAt: Timestamp(seconds: 1_795_253_400),
                expiresAt: Timestamp(seconds: 77), pending: 1)
            #expect(try await journal.head(of: session).value == later)
            let fork = try await journal.fork(session, at: 1)
            #expect(try await journal.head(of: fork).value?.pending == 2)
            try await journal.append(.make(version: 2).with { $0.ended = ["1-1", "1-2"] }, to: fork).value
            #expect(try await journal.head(of: fork).value?.pending == 0)
        }
    }

    @Test func consecutiveCrashesOfAllServersAreCounted() async throws {
        try await withJournals { one, other, _ in
            let session = try await one.add(with: [.make(version: 1), .make(version: 2)])
            let unharmed = try await one.add()
            for (index, (crash, times)) in CrashNote.running.enumerated() {
                try await (index.isMultiple(of: 2) ? one : other).note(crash, of: session).value
                for journal in [one, other] {
                    #expect(try await journal.head(of: session).value?.crash == crash.with(times: times))
                }
            }
            let page = try await one.list(SessionQuery(app: "Racing", limit: 5)).value
            #expect(page.sessions.compactMap(\.crash) == [.make(version: 4)])
            let fork = try await one.fork(session, at: 1)
            for unharmed in [unharmed, fork] { #expect(try await one.head(of: unharmed).value?.crash == nil) }
            await #expect(throws: JournalError.noSuchSession) { try await one.note(.make(), of: .random()).value }
        }
    }

    @Test func anEntryIsReadAsItWasWritten() async throws {
        try await withJournal { journal, _ in
            let payload = PlainValue.object([
                PlainField("text", .string("a\0b\u{10FFFF}\n\"\\")), PlainField("number", .int(.min)),
                PlainField("list", .array([.null, .bool(true), .double(0.1)])),
            ])
            var entry = JournalEntry(
                version: 1, time: Timestamp(seconds: -5), appVersion: "2\0", event: "a.b", payload: payload, at: "é",
                isHandled: false, handledBy: nil, path: "/\0", origin: .work, pending: "1-1", ended: ["x"],
                traceparent: "t", retry: Retry(key: "k", fingerprint: .max, isMinimal: true), mark: .max)
            let session = try await journal.add()
            try await journal.append(entry, to: session).value
            #expect(try await journal.entries(of: session) == [entry])
            entry.mark = nil
            entry.retry = nil
            let fork = try await journal.fork(session, at: 1)
            #expect(try await journal.entries(of: fork) == [entry])
        }
    }

    @Test func aHistoryIsReadInPages() async throws {
        try await withJournal { journal, _ in
            let history = (1...25).map { JournalEntry.make(version: $0) }
            let session = try await journal.add(with: history)
            for (version, limit, expected) in [
                (0, 10, 1...10), (10, 10, 11...20), (20, 10, 21...25), (24, 1, 25...25), (0, Int.max, 1...25),
            ] {
                let page = try await journal.read(session, after: version, limit: limit).value
                #expect(page.map(\.version) == Array(expected))
            }
            for (version, limit) in [(25, 10), (30, 10), (.max, .max), (3, 0)] {
                #expect(try await journal.read(session, after: version, limit: limit).value.isEmpty)
            }
        }
    }

    @Test(arguments: [1_000, 1_001, 5_500])
    func aSessionCanBeginWithALongHistory(length: Int) async throws {
        try await withJournal { journal, _ in
            let history = (1...length).map { JournalEntry.make(version: $0, path: "/\($0)") }
            let session = try await journal.add(with: history)
            #expect(try await journal.entries(of: session) == history)
            #expect(try await journal.head(of: session).value?.path == "/\(length)")
            #expect(journal.count == 1)
            await #expect(throws: JournalError.tooManySessions) {
                try await journal.add(with: history, limit: 1)
            }
            let second = SessionRecord(
                id: session, app: "Racing", appVersion: "1.0", createdAt: Timestamp(seconds: 1), seed: 1, path: "/")
            await #expect(throws: JournalError.conflict) { try await journal.add(second, with: history) }
            #expect(try await journal.entries(of: session).count == length)
        }
    }

    @Test func concurrentEntriesAreCommittedTogether() async throws {
        try await withJournal { journal, _ in
            var sessions: [SessionID] = []
            for _ in 0..<100 { sessions.append(try await journal.add()) }
            for version in 1...5 {
                let answers = sessions.map { journal.append(.make(version: version), to: $0) }
                for answer in answers { try await answer.value }
            }
            for session in sessions { #expect(try await journal.entries(of: session).count == 5) }
            #expect(journal.statistics.entries == 500)
            #expect(journal.statistics.commits < 250)
        }
    }

    @Test func concurrentEntriesOfOneSessionAreCommittedInOrder() async throws {
        try await withJournal { journal, _ in
            let session = try await journal.add()
            let answers = (1...20).map { journal.append(.make(version: $0), to: session) }
            for answer in answers { try await answer.value }
            #expect(try await journal.entries(of: session).map(\.version) == Array(1...20))
        }
    }

    /// Some entry always waits, in total for longer than the limit for a server that does not respond.
    @Test func waitingEntriesAreNotRefusedUnderLoad() async throws {
        try await withJournal { journal, _ in
            var sessions: [SessionID] = []
            for _ in 0..<32 { sessions.append(try await journal.add()) }
            let end = ContinuousClock.now + .seconds(4)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for session in sessions {
                    group.addTask {
                        var version = 0
                        while ContinuousClock.now < end {
                            let entries = (1...8).map { JournalEntry.make(version: version + $0) }
                            for answer in entries.map({ journal.append($0, to: session) }) { try await answer.value }
                            version += entries.count
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func aHistoryIsIteratedOnce() async throws {
        try await withJournal { journal, _ in
            for length in [5, 2_500] {
                let record = SessionRecord.make()
                let history = Once(entries: (1...length).map { .make(version: $0) })
                try await journal.create(record, with: history, until: later, limit: 10).value
                #expect(try await journal.entries(of: record.id).count == length)
            }
        }
    }

    // MARK: Forks

    @Test func aForkHasTheFirstEntriesOfItsParent() async throws {
        try await withJournal { journal, _ in
            let retry = Retry(key: "a", fingerprint: 1, isMinimal: false)
            let history = (1...4).map {
                JournalEntry.make(version: $0, path: "/\($0)", mark: 9).with { $0.retry = retry }
            }
            let parent = try await journal.add(with: history)
            for version in 0...4 {
                let record = SessionRecord.make(parent: ForkPoint(session: parent, version: version))
                let fork = try await journal.add(record)
                #expect(try await journal.entries(of: fork) == history.prefix(version).map(\.inherited))
                #expect(try await journal.head(of: fork).value?.path == (version == 0 ? "/splash" : "/\(version)"))
                try await journal.append(upTo: version + 2, after: version, path: "/on", to: fork)
                #expect(try await journal.head(of: fork).value?.record == record)
                #expect(try await journal.head(of: fork).value?.path == "/on")
                #expect(try await journal.entries(of: parent) == history)
            }
            await #expect(throws: JournalError.noSuchSession) { try await journal.fork(parent, at: 5) }
            #expect(journal.count == 6)
        }
    }

    @Test func aForkOfForksHasTheEntriesOfAllItsAncestors() async throws {
        try await withJournal { journal, _ in
            let first = try await journal.add()
            try await journal.append(upTo: 4, path: "/first", to: first)
            let second = try await journal.fork(first, at: 3)
            try await journal.append(upTo: 6, after: 3, path: "/second", to: second)
            let third = try await journal.fork(second, at: 5)
            try await journal.append(upTo: 8, after: 5, path: "/third", to: third)
            let early = try await journal.fork(third, at: 2)
            let middle = try await journal.fork(third, at: 4)
            let exact = try await journal.fork(third, at: 5)
            for session in [first, second, third] { try await journal.end(session, at: nil).value }
            journal.expire(by: Timestamp(seconds: 0))
            for (session, paths) in [
                (early, ["/first", "/first"]), (middle, ["/first", "/first", "/first", "/second"]),
                (exact, ["/first", "/first", "/first", "/second", "/second"]),
            ] {
                #expect(try await journal.entries(of: session).map(\.path) == paths)
                #expect(try await journal.head(of: session).value?.version == paths.count)
                #expect(try await journal.head(of: session).value?.path == paths.last)
                try await journal.append(.make(version: paths.count + 1), to: session).value
            }
        }
    }

    @Test(arguments: [Int.max, Int(Int32.max), -1])
    func aVersionOutOfBoundsCannotBeForked(version: Int) async throws {
        try await withJournal { journal, _ in
            let parent = try await journal.add(with: [.make(version: 1)])
            await #expect(throws: JournalError.noSuchSession) { try await journal.fork(parent, at: version) }
            #expect(journal.count == 1)
        }
    }

    // MARK: Ends

    @Test func anEndCanDependOnTheVersion() async throws {
        try await withJournal { journal, _ in
            let session = try await journal.add(with: [.make(version: 1), .make(version: 2)])
            for version in [0, 1, 3, .max] {
                await #expect(throws: JournalError.conflict) { try await journal.end(session, at: version).value }
            }
            let fork = try await journal.fork(session, at: 2)
            await #expect(throws: JournalError.conflict) { try await journal.end(fork, at: 1).value }
            try await journal.end(fork, at: 2).value
            try await journal.end(session, at: 2).value
            #expect(journal.count == 0)
            await #expect(throws: JournalError.noSuchSession) { try await journal.end(session, at: 2).value }
            await #expect(throws: JournalError.noSuchSession) {
                try await journal.append(.make(version: 3), to: session).value
            }
            #expect(try await journal.head(of: session).value == nil)
        }
    }

    @Test func thereAreNeverMoreSessionsThanTheLimit() async throws {
        try await withJournal { journal, _ in
            let answers = (0..<10).map { _ in journal.create(.make(), with: [], until: later, limit: 3) }
            var refusals = 0
            for answer in answers {
                do throws(JournalError) {
                    try await answer.value
                } catch {
                    #expect(error == .tooManySessions)
                    refusals += 1
                }
            }
            #expect(refusals == 7)
            #expect(journal.count == 3)
            let heads = try await journal.list(SessionQuery(app: "Racing", limit: 10)).value.sessions
            let parent = try #require(heads.first).record.id
            await #expect(throws: JournalError.tooManySessions) {
                try await journal.add(.make(parent: ForkPoint(session: parent, version: 0)), limit: 3)
            }
            try await journal.end(parent, at: nil).value
            _ = try await journal.add(limit: 3)
        }
    }

    // MARK: Time

    @Test func anExpiredSessionIsRemoved() async throws {
        try await withJournal { journal, _ in
            var sessions: [SessionID] = []
            for second in 1...30 { sessions.append(try await journal.add(until: Timestamp(seconds: second))) }
            journal.keep(sessions[0], until: Timestamp(seconds: 100))
            // The latest moment is kept.
            journal.keep(sessions[1], until: Timestamp(seconds: 100))
            journal.keep(sessions[1], until: Timestamp(seconds: 50))
            journal.expire(by: Timestamp(seconds: 10))
            try await eventually { journal.count == 22 }
            #expect(try await journal.head(of: sessions[1]).value?.expiresAt == Timestamp(seconds: 100))
            for (index, session) in sessions.enumerated() {
                #expect(try await (journal.head(of: session).value != nil) == (index < 2 || index >= 10))
            }
            journal.expire(by: Timestamp(seconds: 1_000))
            try await eventually { journal.count == 0 }
        }
    }

    @Test func keptSessionsAreWrittenBeforeTheJournalCloses() async throws {
        try await withJournal { journal, address in
            let session = try await journal.add(until: Timestamp(seconds: 5))
            let other = try PostgreSQLJournal(address)
            other.keep(session, until: Timestamp(seconds: 50))
            other.close()
            #expect(try await journal.head(of: session).value?.expiresAt == Timestamp(seconds: 50))
        }
    }

    @Test(arguments: [1, 2, 3, 7, 10, 11])
    func sessionsAreListedLastUsedFirst(limit: Int) async throws {
        try await withJournal { journal, _ in
            var sessions: [SessionID] = []
            for index in 1...10 { sessions.append(try await journal.add(until: Timestamp(seconds: 100 + index / 2))) }
            _ = try await journal.add(.make(app: "Notes"), until: Timestamp(seconds: 200))
            journal.keep(sessions[3], until: Timestamp(seconds: 150))
            var listed: [SessionHead] = []
            var next: String?
            repeat {
                let page = try await journal.list(SessionQuery(app: "Racing", limit: limit, after: next)).value
                #expect(page.sessions.count <= limit)
                listed += page.sessions
                next = page.next
            } while next != nil
            #expect(listed.count == 10)
            #expect(Set(listed.map(\.record.id)) == Set(sessions))
            #expect(listed.first?.record.id == sessions[3])
            #expect(zip(listed, listed.dropFirst()).allSatisfy { $0.expiresAt >= $1.expiresAt })
        }
    }

    @Test func sessionsAreListedByPath() async throws {
        try await withJournal { journal, _ in
            let session = try await journal.add(with: [.make(version: 1, path: "/main/drivers")])
            let fork = try await journal.fork(session, at: 1)
            _ = try await journal.add(with: [.make(version: 1, path: "/main/teams")])
            _ = try await journal.add()
            let page = try await journal.list(SessionQuery(app: "Racing", limit: 10, path: "/main/dr")).value
            #expect(Set(page.sessions.map(\.record.id)) == [session, fork])
            #expect(page.next == nil)
            let both = try await journal.list(SessionQuery(app: "Racing", limit: 3, path: "/main")).value
            #expect(both.sessions.count == 3)
            #expect(both.next == nil)
        }
    }
}

/// Entries that can be iterated only once.
private final class Once: Sequence, Sendable {
    private let entries: Mutex<[JournalEntry]>

    init(entries: [JournalEntry]) {
        self.entries = Mutex(entries)
    }

    func makeIterator() -> AnyIterator<JournalEntry> {
        AnyIterator { self.entries.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }
}
