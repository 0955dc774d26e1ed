import CoordinateSessions
import PostgreSQLCluster
import SeededGenerator
import SessionFixtures
import Testing

@testable import CoordinatePostgreSQL

/// Random changes, some of them by several at once: the journal in PostgreSQL says what the one in memory says, and
/// leaves nothing behind.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
struct JournalWalkTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func itSaysWhatTheJournalInMemorySays(seed: UInt64) async throws {
        try await withJournal { journal, address in
            var walk = Walk(journal: journal, seed: seed)
            for _ in 0..<400 { try await walk.step() }
            let database = Database(cluster: .shared, address: address)
            try await walk.expectSame()
            try await database.expectSound()
            for session in walk.sessions { _ = await journal.end(session, at: nil).outcome }
            try await database.expectEmpty(cleaning: journal)
        }
    }

    /// Several servers do anything to a few sessions at once.
    @Test(arguments: [5, 6] as [UInt64])
    func whateverSeveralDoAtOnceTheTablesStaySound(seed: UInt64) async throws {
        try await withJournal { journal, address in
            let servers = try (0..<3).map { _ in try PostgreSQLJournal(address) }
            var sessions: [SessionID] = []
            for _ in 0..<4 { sessions.append(try await journal.add()) }
            let first = sessions
            let made = await withTaskGroup(of: [SessionID].self) { group in
                for task in 0..<12 {
                    group.addTask {
                        await mix(
                            servers[task % servers.count], first,
                            SeededGenerator(state: seed &* 1_000 &+ UInt64(task)))
                    }
                }
                return await group.reduce(into: first) { $0 += $1 }
            }
            let database = Database(cluster: .shared, address: address)
            try await database.clean(servers[0])
            try await database.expectSound()
            for server in servers { server.close() }
            for session in made { _ = await journal.end(session, at: nil).outcome }
            try await database.expectEmpty(cleaning: journal)
        }
    }
}

/// Does anything to sessions, and returns those that it made.
private func mix(
    _ journal: PostgreSQLJournal, _ sessions: [SessionID], _ generator: SeededGenerator
) async -> [SessionID] {
    var generator = generator
    var (known, made) = (sessions, [SessionID]())
    for _ in 0..<60 {
        guard let session = known.randomElement(using: &generator) else { return made }
        let head = try? await journal.head(of: session).value
        let version = head?.version ?? 0
        let outcome: JournalError?
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5: outcome = await journal.append(.make(version: version + 1), to: session).outcome
        case 5..<8:
            let point = ForkPoint(session: session, version: .random(in: 0...version, using: &generator))
            let record = SessionRecord.make(parent: point)
            outcome = await journal.create(record, with: [], until: later, limit: 1_000).outcome
            if outcome == nil {
                known.append(record.id)
                made.append(record.id)
            }
        case 8: outcome = await journal.end(session, at: Bool.random(using: &generator) ? version : nil).outcome
        default:
            journal.keep(session, until: later)
            journal.expire(by: Timestamp(seconds: 5))
            outcome = nil
        }
        // Others may have been quicker; nobody stands in the way of others for ever.
        #expect([nil, .conflict, .noSuchSession].contains(outcome))
        guard let record = head?.record else { continue }
        do throws(JournalError) {
            let entries = try await journal.read(record.id, after: 0, limit: version).value
            #expect(entries.map(\.version) == Array(1..<(version + 1)))
        } catch {
            #expect(error == .noSuchSession)
        }
    }
    return made
}

/// The same changes to a journal in memory and to one in PostgreSQL.
private struct Walk {
    let memory = MemoryJournal()
    let journal: PostgreSQLJournal
    /// All that were ever made.
    private(set) var sessions: [SessionID] = []
    private var generator: SeededGenerator
    /// Nothing but the clock of this walk, which every step moves on.
    private var now = 1_000

    init(journal: PostgreSQLJournal, seed: UInt64) {
        self.journal = journal
        generator = SeededGenerator(state: seed)
    }

    mutating func step() async throws {
        now += 1
        let session = sessions.randomElement(using: &generator) ?? .random()
        let version = try memory.head(of: session).now()?.version ?? 0
        switch Int.random(in: 0..<20, using: &generator) {
        case 0, 1:
            let history = (0..<Int.random(in: 0...5, using: &generator)).map { entry($0 + 1) }
            try await create(.make(path: "/\(now)"), history)
        case 2, 3:
            let point = ForkPoint(session: session, version: max(0, version + .random(in: -4...1, using: &generator)))
            try await create(.make(parent: point), [])
        case 4..<12:
            let entry = entry(version + (Int.random(in: 0..<8, using: &generator) == 0 ? 2 : 1))
            try await same(memory.append(entry, to: session), journal.append(entry, to: session))
        case 12:
            let condition = Bool.random(using: &generator) ? version + .random(in: 0...1, using: &generator) : nil
            try await same(memory.end(session, at: condition), journal.end(session, at: condition))
        case 13, 14:
            // Each is kept until a moment of its own, so that there is one order of them.
            guard let head = try memory.head(of: session).now() else { return }
            let moment = Timestamp(seconds: max(head.expiresAt.seconds, now * 100) + 1)
            memory.keep(session, until: moment)
            journal.keep(session, until: moment)
        case 15:
            let moment = Timestamp(seconds: (now - 150) * 100)
            memory.expire(by: moment)
            _ = try await journal.list(SessionQuery(app: "Racing", limit: 1)).value
            journal.expire(by: moment)
            try await eventually { journal.count == memory.count }
        case 16:
            let after = Int.random(in: 0...(version + 1), using: &generator)
            let limit = Int.random(in: 1...4, using: &generator)
            let expected = memory.read(session, after: after, limit: limit)
            await #expect(result(of: expected) == result(of: journal.read(session, after: after, limit: limit)))
        case 17:
            try await expectSameList(path: ["/", "/1", "/1\(now % 10)", "/main"].randomElement(using: &generator))
        default: try await expectSame(session)
        }
    }

    private mutating func create(_ record: SessionRecord, _ history: [JournalEntry]) async throws {
        let expiry = Timestamp(seconds: now * 100)
        // Of two reasons against a fork, either may be told.
        let isFull = record.parent == nil && Int.random(in: 0..<5, using: &generator) == 0
        let limit = isFull ? memory.count : 1_000
        try await same(
            memory.create(record, with: history, until: expiry, limit: limit),
            journal.create(record, with: history, until: expiry, limit: limit))
        sessions.append(record.id)
    }

    private mutating func entry(_ version: Int) -> JournalEntry {
        JournalEntry.make(version: version, path: "/\(now)/\(version)").with {
            $0.retry =
                Bool.random(using: &generator)
                ? Retry(key: "\(now)", fingerprint: .random(in: 0 ... .max, using: &generator), isMinimal: false) : nil
        }
    }

    private func same(
        _ expected: Future<Void, JournalError>, _ actual: Future<Void, JournalError>
    ) async throws {
        let (expected, actual) = (await expected.outcome, await actual.outcome)
        #expect(actual == expected)
    }

    func expectSame() async throws {
        for session in sessions { try await expectSame(session) }
        try await expectSameList(path: nil)
        #expect(journal.count == memory.count)
    }

    private func expectSame(_ session: SessionID) async throws {
        let expected = try memory.head(of: session).now()
        let actual = try await journal.head(of: session).value
        #expect(actual?.record == expected?.record)
        #expect(actual?.version == expected?.version)
        #expect(actual?.path == expected?.path)
        #expect(actual?.lastEventAt == expected?.lastEventAt)
        let entries = memory.read(session, after: 0, limit: 1_000)
        await #expect(result(of: entries) == result(of: journal.read(session, after: 0, limit: 1_000)))
    }

    private func expectSameList(path: String?) async throws {
        let expected = try memory.list(SessionQuery(app: "Racing", limit: 1_000, path: path)).now().sessions
        var listed: [SessionHead] = []
        var next: String?
        repeat {
            let query = SessionQuery(app: "Racing", limit: 7, after: next, path: path)
            let page = try await journal.list(query).value
            listed += page.sessions
            next = page.next
        } while next != nil
        #expect(listed.map(\.record.id) == expected.map(\.record.id))
        #expect(listed.map(\.expiresAt) == expected.map(\.expiresAt))
    }
}

private func result(of future: Future<[JournalEntry], JournalError>) async -> Result<[JournalEntry], JournalError> {
    do throws(JournalError) {
        return .success(try await future.value)
    } catch {
        return .failure(error)
    }
}
