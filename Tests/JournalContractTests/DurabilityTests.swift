import Coordinate
import CoordinateSessions
import SessionFixtures
import Testing

/// What a store still has when its journal is opened again, and what a journal that only reads leaves as it is.
@Suite(.timeLimit(.minutes(2)))
struct DurabilityTests {
    @Test(arguments: Store.available) func everythingSurvivesARestart(store: Store) async throws {
        let place = try await Store.Place(store)
        let first = try place.open()
        let record = SessionRecord.make(key: "order", attributes: ["user": "42"])
        let parent = try await first.add(record)
        try await first.append(upTo: 5, path: "/parent", to: parent)
        let fork = try await first.fork(parent, at: 3)
        let entry = JournalEntry.make(version: 4, path: "/fork").with {
            $0.retry = Retry(key: "a", fingerprint: .max, isMinimal: true)
        }
        try await first.append(entry, to: fork)
        let former = SessionRecord.make(key: "former", attributes: ["user": "42"])
        let ended = try await first.add(former, with: [.make(version: 1)])
        try await first.end(ended, at: 1)
        let extended = try await first.add(until: Timestamp(seconds: 5))
        first.keep(extended, until: Timestamp(seconds: 777))
        first.close()

        let second = try place.open()
        defer { second.close() }
        #expect(second.count == 3)
        let head = try await second.head(of: fork)
        #expect(head?.version == 4 && head?.path == "/fork")
        #expect(head?.record.parent == ForkPoint(session: parent, version: 3))
        #expect(try await second.entries(of: fork).map(\.path) == ["/parent", "/parent", "/parent", "/fork"])
        #expect(try await second.read(fork, after: 3, limit: 10) == [entry])
        #expect(try await second.head(of: extended)?.expiresAt == Timestamp(seconds: 777))
        #expect(try await second.head(of: ended) == nil)
        await #expect(throws: JournalError.conflict) { try await second.append(entry, to: parent) }
        try await second.append(.make(version: 6), to: parent)

        #expect(try await second.session(withKey: "order", of: "Racing") == parent)
        #expect(try await second.session(withReference: record.reference, of: "Racing") == parent)
        let query = SessionQuery(app: "Racing", limit: 9, attributes: ["user": "42"])
        #expect(try await second.list(query).sessions.map(\.record) == [record])
        await #expect(throws: JournalError.keyTaken) { try await second.add(.make(key: "order")) }
        _ = try await second.add(.make(key: "former"))
    }

    @Test(arguments: Store.durable) func aRestartEndsLeasesAndKeepsDueMoments(store: Store) async throws {
        let place = try await Store.Place(store)
        let first = try place.open()
        let timer = try await first.add(.make(timers: [10]))
        let work = try await first.add()
        let parent = try await first.add(.make(timers: [5]))
        try await first.append(.make(version: 1, wake: 20), to: work)
        try await first.append(.make(version: 1, wake: nil), to: parent)
        let fork = try await first.fork(work, at: 1)
        #expect(try await first.due(by: 10) == [timer])
        #expect(try await first.lease(work))
        first.close()

        let second = try place.open()
        defer { second.close() }
        #expect(try await second.renewLeases(of: [timer, work]) == [])
        #expect(try await second.due(by: 10) == [timer])
        #expect(Set(try await second.due(by: 20)) == [work, fork])
    }

    @Test(arguments: Store.complete) func consecutiveCrashesAreCountedAndRemembered(store: Store) async throws {
        let place = try await Store.Place(store)
        let first = try place.open()
        let session = try await first.add(with: [.make(version: 1), .make(version: 2)])
        let other = try await first.add()
        for (crash, times) in CrashNote.running {
            try await first.record(crash, of: session)
            #expect(try await first.head(of: session)?.crash == crash.with(times: times))
        }
        let listed = try await first.list(SessionQuery(app: "Racing", limit: 5)).sessions
        #expect(listed.compactMap(\.crash).count == 1)
        let fork = try await first.fork(session, at: 1)
        await #expect(throws: JournalError.noSuchSession) { try await first.record(.make(), of: .random()) }
        first.close()

        let second = try place.open()
        defer { second.close() }
        for unharmed in [other, fork] { #expect(try await second.head(of: unharmed)?.crash == nil) }
        try await second.record(.make(version: 4), of: session)
        #expect(try await second.head(of: session)?.crash == .make(version: 4, times: 2))
    }

    @Test(arguments: Store.complete) func aJournalThatOnlyReadsChangesNothing(store: Store) async throws {
        let place = try await Store.Place(store)
        let journal = try place.open()
        defer { journal.close() }
        let session = try await journal.add(.make(timers: [10]), until: Timestamp(seconds: 5))
        try await journal.append(.make(version: 1), to: session)
        let tool = try place.openForReading()
        #expect(tool.count == 1)
        #expect(try await tool.head(of: session)?.version == 1)
        #expect(try await tool.entries(of: session).count == 1)
        #expect(try await tool.list(SessionQuery(app: "Racing", limit: 5)).sessions.count == 1)
        await #expect(throws: JournalError.unavailable) {
            try await tool.create(.make(), with: [], until: .distant, limit: 9)
        }
        await #expect(throws: JournalError.unavailable) { try await tool.end(session, at: nil) }
        await #expect(throws: JournalError.unavailable) { try await tool.append(.make(version: 2), to: session) }
        await #expect(throws: JournalError.unavailable) { try await tool.record(.make(), of: session) }
        await #expect(throws: JournalError.unavailable) { try await tool.update(.make(), replacing: .make()) }
        await #expect(throws: JournalError.unavailable) { try await tool.erase(session) }
        await #expect(throws: JournalError.unavailable) { try await tool.due(by: 10) }
        await #expect(throws: JournalError.unavailable) { try await tool.lease(session) }
        await #expect(throws: JournalError.unavailable) { try await tool.renewLeases(of: [session]) }
        #expect(try await journal.lease(session))
        tool.endLeases(of: [session])
        tool.backOff([session], from: Timestamp(seconds: 0))
        tool.keep(session, until: .distant)
        tool.expire(by: .distant)
        // It sees what the server writes meanwhile.
        try await journal.append(.make(version: 2), to: session)
        #expect(try await tool.entries(of: session).count == 2)
        tool.close()
        #expect(try await journal.renewLeases(of: [session]) == [session])
        #expect(try await journal.head(of: session)?.expiresAt == Timestamp(seconds: 5))
        #expect(try await journal.head(of: session)?.crash == nil)
    }
}
