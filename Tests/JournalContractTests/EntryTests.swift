import Coordinate
import CoordinateSessions
import SessionFixtures
import Synchronization
import Testing

/// Entries: which of them a journal accepts, and how it returns them.
@Suite(.timeLimit(.minutes(2)))
struct EntryTests {
    @Test(arguments: Store.withModel) func onlyTheNextVersionIsAccepted(store: Store) async throws {
        try await store.withJournal { journal in
            let session = try await journal.add()
            try await journal.append(.make(version: 1), to: session)
            for version in [0, 1, 3, 4, .max, -1] {
                await #expect(throws: JournalError.conflict, "version \(version)") {
                    try await journal.append(.make(version: version), to: session)
                }
            }
            try await journal.append(.make(version: 2), to: session)
            #expect(try await journal.entries(of: session).map(\.version) == [1, 2])
        }
    }

    @Test(arguments: Store.withModel)
    func anUnknownSessionCannotBeReadChangedForkedOrEnded(store: Store) async throws {
        try await store.withJournal { journal in
            let unknown = SessionRecord.make()
            await #expect(throws: JournalError.noSuchSession) {
                try await journal.append(.make(version: 1), to: unknown.id)
            }
            await #expect(throws: JournalError.noSuchSession) { try await journal.end(unknown.id, at: nil) }
            await #expect(throws: JournalError.noSuchSession) { try await journal.update(unknown, replacing: unknown) }
            await #expect(throws: JournalError.noSuchSession) {
                try await journal.create(
                    .make(parent: ForkPoint(session: unknown.id, version: 0)), with: [], until: .distant, limit: 9)
            }
            await #expect(throws: JournalError.noSuchSession) { try await journal.entries(of: unknown.id) }
            #expect(try await journal.head(of: unknown.id) == nil)
            #expect(try await journal.lease(unknown.id) == false)
            journal.keep(unknown.id, until: .distant)
            await journal.flush()
            try await journal.check()
            #expect(journal.count == 0)
        }
    }

    @Test(arguments: Store.withModel) func aHeadHasWhatIsKnownWithoutATree(store: Store) async throws {
        try await store.withJournal { journal in
            var record = SessionRecord(
                id: .random(), app: "Racing", appVersion: "1.0",
                options: .object([PlainField("locale", .string("d\0e"))]), createdAt: Timestamp(seconds: 9),
                startedAt: Timestamp(seconds: 1), seed: 1 << 53 - 1, path: "/splash")
            let session = try await journal.add(record, until: Timestamp(seconds: 77))
            let new = SessionHead(
                record: record, version: 0, path: "/splash", lastEventAt: nil, expiresAt: Timestamp(seconds: 77))
            #expect(try await journal.head(of: session) == new)
            let work = PendingWork(id: "1-1", name: "prices", at: "AppCoordinator", due: nil)
            let timer = PendingWork(id: "1-2", name: "tick", at: "AppCoordinator", due: Timestamp(seconds: 1))
            try await journal.append(.make(version: 1).with { $0.begun = [work, timer] }, to: session)
            #expect(try await journal.head(of: session)?.pending == 2)
            try await journal.append(.make(version: 2).with { $0.pending = "1-1" }, to: session)
            journal.keep(session, until: Timestamp(seconds: 99))
            await journal.flush()
            let former = record
            record.name = "Race day"
            try await journal.update(record, replacing: former)
            await #expect(throws: JournalError.conflict) { try await journal.update(record, replacing: former) }
            let later = SessionHead(
                record: record, version: 2, path: "/main/teams", lastEventAt: Timestamp(seconds: 1_795_253_400),
                expiresAt: Timestamp(seconds: 99), pending: 1)
            #expect(try await journal.head(of: session) == later)
            #expect(try await journal.list(SessionQuery(app: "Racing", limit: 9)).sessions == [later])
            let fork = try await journal.fork(session, at: 1)
            #expect(try await journal.head(of: fork)?.pending == 2)
            try await journal.append(.make(version: 2).with { $0.ended = ["1-1", "1-2"] }, to: fork)
            #expect(try await journal.head(of: fork)?.pending == 0)
            #expect(try await journal.head(of: session) == later)
        }
    }

    @Test(arguments: Store.withModel) func anEntryIsReadAsItWasWritten(store: Store) async throws {
        try await store.withJournal { journal in
            let payload = PlainValue.object([
                PlainField("text", .string("a\0b\u{10FFFF}\n\"\\")), PlainField("number", .int(.min)),
                PlainField("list", .array([.null, .bool(true), .double(0.1)])),
            ])
            var entry = JournalEntry(
                version: 1, time: Timestamp(seconds: -5), appVersion: "2\0", event: "a.b", payload: payload, at: "é",
                isHandled: false, handledBy: nil, path: "/\0", origin: .work, pending: "1-1", ended: ["x"],
                traceparent: "t", retry: Retry(key: "k", fingerprint: .max, isMinimal: true), mark: .max)
            let session = try await journal.add()
            try await journal.append(entry, to: session)
            // No result of these journals is lost, so they need no marks.
            if store == .memory || store == .text { entry.mark = nil }
            #expect(try await journal.entries(of: session) == [entry])
            let fork = try await journal.fork(session, at: 1)
            #expect(try await journal.entries(of: fork) == [entry.inherited])
        }
    }

    @Test(arguments: Store.withModel) func aHistoryIsReadInPages(store: Store) async throws {
        try await store.withJournal { journal in
            let first = try await journal.add(with: (1...10).map { JournalEntry.make(version: $0) })
            try await journal.append(upTo: 15, after: 10, to: first)
            let fork = try await journal.fork(first, at: 13)
            try await journal.append(upTo: 25, after: 13, to: fork)
            for (version, limit, expected) in [
                (0, 10, 1...10), (10, 10, 11...20), (20, 10, 21...25), (24, 1, 25...25), (0, Int.max, 1...25),
                (12, 1, 13...13), (13, 1, 14...14), (9, 2, 10...11),
            ] {
                let page = try await journal.read(fork, after: version, limit: limit)
                #expect(page.map(\.version) == Array(expected))
            }
            for (version, limit) in [(25, 10), (30, 10), (.max, .max), (3, 0)] {
                #expect(try await journal.read(fork, after: version, limit: limit).isEmpty)
            }
        }
    }

    @Test(arguments: Store.available, [5, 1_000, 1_001, 5_500])
    func aSessionCanBeginWithAHistory(store: Store, length: Int) async throws {
        try await store.withJournal { journal in
            let history = (1...length).map { JournalEntry.make(version: $0, path: "/\($0)") }
            let record = SessionRecord.make()
            try await journal.create(record, with: Once(entries: history), until: .distant, limit: 1)
            #expect(try await journal.entries(of: record.id) == history)
            #expect(try await journal.head(of: record.id)?.path == "/\(length)")
            await #expect(throws: JournalError.tooManySessions) { try await journal.add(with: history, limit: 1) }
            #expect(journal.count == 1)
            try await journal.append(.make(version: length + 1), to: record.id)
            // Nothing of the refused session is left, so other readers see the next one.
            let next = try await journal.add()
            #expect(try await journal.head(of: next) != nil)
        }
    }

    /// Either all of a session is stored or nothing, so a history that is too long for the journal is refused as well.
    @Test func aHistoryInMemoryHasALimit() async throws {
        let journal = MemoryJournal(maximumSize: 2_000)
        let session = try await journal.add()
        await #expect(throws: JournalError.full) { try await journal.append(upTo: 100, to: session) }
        let version = try await journal.entries(of: session).count
        #expect((2...30).contains(version))
        // A fork of an earlier version has room.
        let fork = try await journal.fork(session, at: 1)
        try await journal.append(.make(version: 2), to: fork)
        let history = (1...100).map { JournalEntry.make(version: $0) }
        await #expect(throws: JournalError.full) { try await journal.add(with: history) }
        #expect(journal.count == 2)
    }

    @Test(arguments: Store.available)
    func entriesThatAreSentTogetherAreCommittedInOrderAndTogether(store: Store) async throws {
        try await store.withJournal { journal in
            var sessions: [SessionID] = []
            for _ in 0..<100 { sessions.append(try await journal.add()) }
            #expect(journal.statistics == JournalStatistics())
            let answers = (1...5).flatMap { version in
                sessions.map { session in
                    Task.immediate { try await journal.append(.make(version: version), to: session) }
                }
            }
            for answer in answers { try await answer.value }
            for session in sessions {
                let versions = try await journal.entries(of: session).map(\.version)
                try #require(versions == Array(1...5))
            }
            guard Store.complete.contains(store) else { return }
            #expect(journal.statistics.entries == 500)
            #expect(journal.statistics.commits < 250)
            #expect(journal.statistics.commitTime > 0)
        }
    }

    /// One of a group is refused, and the others are not.
    @Test(arguments: Store.withModel) func aRefusedEntryDoesNotAffectOthers(store: Store) async throws {
        try await store.withJournal { journal in
            var sessions: [SessionID] = []
            for _ in 0..<20 { sessions.append(try await journal.add()) }
            let answers = sessions.enumerated().map { index, session in
                Task.immediate {
                    try await journal.append(.make(version: index == 7 ? 2 : 1, wake: index), to: session)
                }
            }
            let unknown = Task.immediate { try await journal.append(.make(version: 1, wake: 1), to: .random()) }
            for (index, answer) in answers.enumerated() {
                if index == 7 {
                    await #expect(throws: JournalError.conflict) { try await answer.value }
                } else {
                    try await answer.value
                }
            }
            await #expect(throws: JournalError.noSuchSession) { try await unknown.value }
            #expect(try await journal.due(by: 99) == sessions.enumerated().filter { $0.offset != 7 }.map(\.element))
            #expect(try await journal.head(of: sessions[7])?.version == 0)
        }
    }
}

/// Entries that can be iterated only once.
private final class Once: Sequence, Sendable {
    private let entries: Mutex<[JournalEntry]>

    init(entries: [JournalEntry]) {
        self.entries = Mutex(entries.reversed())
    }

    func makeIterator() -> AnyIterator<JournalEntry> {
        AnyIterator { self.entries.withLock { $0.popLast() } }
    }
}
