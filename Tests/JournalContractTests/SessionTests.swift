import Coordinate
import CoordinateSessions
import SessionFixtures
import Synchronization
import Testing

/// Sessions: their forks, their ends, and their list.
@Suite(.timeLimit(.minutes(2)))
struct SessionTests {
    // MARK: Forks

    @Test(arguments: Store.withModel) func aForkHasTheFirstEntriesOfItsParent(store: Store) async throws {
        try await store.withJournal { journal in
            let retry = Retry(key: "a", fingerprint: 1, isMinimal: false)
            let history = (1...4).map { version in
                JournalEntry.make(version: version, path: "/\(version)").with { $0.retry = retry }
            }
            let parent = try await journal.add(with: history)
            for version in 0...4 {
                let record = SessionRecord.make(parent: ForkPoint(session: parent, version: version))
                let fork = try await journal.add(record)
                #expect(try await journal.entries(of: fork) == history.prefix(version).map(\.inherited))
                #expect(try await journal.head(of: fork)?.path == (version == 0 ? "/splash" : "/\(version)"))
                try await journal.append(upTo: version + 2, after: version, path: "/on", to: fork)
                #expect(try await journal.head(of: fork)?.record == record)
                #expect(try await journal.head(of: fork)?.path == "/on")
                #expect(try await journal.entries(of: parent) == history)
            }
            let versions = [5, Int(Int32.max), .max] + (store == .postgreSQL ? [-1] : [])
            for version in versions {
                await #expect(throws: JournalError.noSuchSession) { try await journal.fork(parent, at: version) }
            }
            #expect(journal.count == 6)
        }
    }

    @Test(arguments: Store.withModel)
    func aForkOfForksHasTheEntriesOfAllItsAncestorsAfterTheirEnd(store: Store) async throws {
        try await store.withJournal { journal in
            let first = try await journal.add()
            try await journal.append(upTo: 4, path: "/first", to: first)
            let second = try await journal.fork(first, at: 3)
            try await journal.append(upTo: 6, after: 3, path: "/second", to: second)
            let third = try await journal.fork(second, at: 5)
            try await journal.append(upTo: 8, after: 5, path: "/third", to: third)
            let early = try await journal.fork(third, at: 2)
            let middle = try await journal.fork(third, at: 4)
            let exact = try await journal.fork(third, at: 5)
            for session in [first, second, third] { try await journal.end(session, at: nil) }
            journal.expire(by: Timestamp(seconds: 0))
            for (session, paths) in [
                (early, ["/first", "/first"]), (middle, ["/first", "/first", "/first", "/second"]),
                (exact, ["/first", "/first", "/first", "/second", "/second"]),
            ] {
                #expect(try await journal.entries(of: session).map(\.path) == paths)
                #expect(try await journal.head(of: session)?.version == paths.count)
                #expect(try await journal.head(of: session)?.path == paths.last)
                try await journal.append(.make(version: paths.count + 1), to: session)
            }
        }
    }

    // MARK: Ends

    @Test(arguments: Store.withModel) func anEndCanDependOnTheVersion(store: Store) async throws {
        try await store.withJournal { journal in
            let session = try await journal.add(with: [.make(version: 1), .make(version: 2)])
            for version in [0, 1, 3, .max] {
                await #expect(throws: JournalError.conflict) { try await journal.end(session, at: version) }
            }
            let fork = try await journal.fork(session, at: 2)
            await #expect(throws: JournalError.conflict) { try await journal.end(fork, at: 1) }
            try await journal.end(fork, at: 2)
            try await journal.end(session, at: 2)
            #expect(journal.count == 0)
            await #expect(throws: JournalError.noSuchSession) { try await journal.end(session, at: 2) }
            await #expect(throws: JournalError.noSuchSession) {
                try await journal.append(.make(version: 3), to: session)
            }
            #expect(try await journal.head(of: session) == nil)
            await #expect(throws: JournalError.noSuchSession) { try await journal.entries(of: session) }
            await #expect(throws: JournalError.noSuchSession) { try await journal.fork(session, at: 0) }
        }
    }

    @Test(arguments: Store.withModel) func thereAreNeverMoreSessionsThanTheLimit(store: Store) async throws {
        try await store.withJournal { journal in
            let answers = (0..<10).map { _ in
                Task.immediate { try await journal.create(.make(), with: [], until: .distant, limit: 3) }
            }
            var refusals = 0
            for answer in answers {
                do {
                    try await answer.value
                } catch {
                    #expect(error as? JournalError == .tooManySessions)
                    refusals += 1
                }
            }
            #expect(refusals == 7)
            #expect(journal.count == 3)
            let heads = try await journal.list(SessionQuery(app: "Racing", limit: 10)).sessions
            let parent = try #require(heads.first).record.id
            await #expect(throws: JournalError.tooManySessions) {
                try await journal.add(.make(parent: ForkPoint(session: parent, version: 0)), limit: 3)
            }
            try await journal.end(parent, at: nil)
            _ = try await journal.add(limit: 3)
        }
    }

    @Test(arguments: Store.withModel) func anExpiredSessionEndsAndIsReportedOnceWithItsApp(store: Store) async throws {
        try await store.withJournal { journal in
            let expected = try await add(600, until: Timestamp(seconds: 10), to: journal)
            let kept = try await journal.add(.make(timers: [1]), until: Timestamp(seconds: 11))
            let extended = try await journal.add(until: Timestamp(seconds: 5))
            journal.keep(extended, until: Timestamp(seconds: 100))
            let reported = Mutex<[String]>([])
            repeat {
                journal.expire(by: Timestamp(seconds: 10)) { session, app in
                    reported.withLock { $0.append("\(session) of \(app)") }
                }
                await journal.flush()
            } while reported.withLock({ $0.count }) < expected.count || journal.count > 2
            #expect(reported.withLock { $0.sorted() } == expected.sorted())
            #expect(try await journal.head(of: kept) != nil)
            #expect(try await journal.head(of: extended)?.expiresAt == Timestamp(seconds: 100))
            #expect(try await journal.due(by: 1_000) == [kept])
        }
    }

    /// Adds sessions of two apps with a timer each, and returns their ids and apps.
    private func add(_ count: Int, until expiry: Timestamp, to journal: any Journal) async throws -> [String] {
        let records = (0..<count).map {
            SessionRecord.make(app: $0.isMultiple(of: 3) ? "Notes" : "Racing", timers: [1])
        }
        try await withThrowingTaskGroup { group in
            for record in records {
                group.addTask { try await journal.create(record, with: [], until: expiry, limit: 10_000) }
            }
            try await group.waitForAll()
        }
        return records.map { "\($0.id) of \($0.app)" }
    }

    // MARK: Lists

    @Test(arguments: Store.available, [1, 2, 3, 7, 10, 11])
    func sessionsAreListedLastUsedFirstOrByID(store: Store, limit: Int) async throws {
        try await store.withJournal { journal in
            var sessions: [SessionID] = []
            for index in 1...10 { sessions.append(try await journal.add(until: Timestamp(seconds: 100 + index / 2))) }
            _ = try await journal.add(.make(app: "Notes"), until: Timestamp(seconds: 200))
            journal.keep(sessions[3], until: Timestamp(seconds: 150))
            let listed = try await journal.pages(of: SessionQuery(app: "Racing", limit: limit))
            #expect(listed.map(\.record.id.description).sorted() == sessions.map(\.description).sorted())
            #expect(listed.first?.record.id == sessions[3])
            #expect(zip(listed, listed.dropFirst()).allSatisfy { $0.expiresAt >= $1.expiresAt })
            let sorted = try await journal.pages(of: SessionQuery(app: "Racing", limit: limit, order: .id))
            #expect(sorted.map(\.record.id.description) == sessions.map(\.description).sorted())
            #expect(try await journal.list(SessionQuery(app: "Racing", limit: limit)).sessions.count <= limit)
        }
    }

    /// Characters that look alike are different in paths.
    @Test(arguments: Store.available) func sessionsAreListedByTheFirstBytesOfTheirPath(store: Store) async throws {
        try await store.withJournal { journal in
            let session = try await journal.add(with: [.make(version: 1, path: "/main/caf\u{E9}")])
            let fork = try await journal.fork(session, at: 1)
            _ = try await journal.add(with: [.make(version: 1, path: "/main/teams")])
            _ = try await journal.add()
            for (path, count) in [("/main/caf", 2), ("/main/caf\u{E9}", 2), ("/main/cafe\u{301}", 0), ("/main", 3)] {
                let page = try await journal.list(SessionQuery(app: "Racing", limit: 4, path: path))
                #expect(page.sessions.count == count, "\(path)")
                #expect(page.next == nil)
                if count == 2 { #expect(Set(page.sessions.map(\.record.id)) == [session, fork]) }
            }
        }
    }
}
