import Coordinate
import CoordinateSessions
import JournalWalk
import PostgreSQLCluster
import SeededGenerator
import SessionFixtures
import Testing

@testable import CoordinatePostgreSQL

/// Random changes, some of them concurrent: the journal in PostgreSQL returns the same results as the one in memory,
/// and leaves nothing behind.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
struct JournalWalkTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func itReturnsTheSameResultsAsTheJournalInMemory(seed: UInt64) async throws {
        // No lease may expire, however slow the machine is.
        try await withJournal(leaseTime: .long) { journal, address in
            try await walk(journal, Database(cluster: .shared, address: address), seed: seed)
        }
    }

    /// Its statements name sessions, so partitions make no difference to them.
    @Test(arguments: [7, 8] as [UInt64])
    func partitionedTablesMakeNoDifference(seed: UInt64) async throws {
        let address = try await PostgreSQLCluster.shared.makeAddress()
        try PostgreSQLJournal(address).close()
        let database = Database(cluster: .shared, address: address)
        try await database.partition(into: 4)
        let journal = try PostgreSQLJournal(address, leaseTime: .long)
        defer { journal.close() }
        try await walk(journal, database, seed: seed)
    }

    private func walk(_ journal: PostgreSQLJournal, _ database: Database, seed: UInt64) async throws {
        var walk = JournalWalk(of: journal, seed: seed)
        let differences = await walk.go(steps: 400)
        #expect(differences.isEmpty, "\(differences.joined(separator: "; "))")
        try await database.expectSound()
        for session in walk.sessions { _ = await journal.end(session, at: nil).outcome }
        try await database.expectEmpty(cleaning: journal)
    }

    /// Several servers make random changes to a few sessions at once.
    @Test(arguments: [5, 6] as [UInt64])
    func concurrentChangesLeaveTheTablesConsistent(seed: UInt64) async throws {
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

/// Makes random changes to sessions, and returns the sessions that it created.
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
        case 0..<2: outcome = await journal.append(.make(version: version + 1), to: session).outcome
        case 2..<4:
            let wake = Bool.random(using: &generator) ? Int.random(in: 1...9, using: &generator) : nil
            outcome = await journal.append(.make(version: version + 1, wake: wake), to: session).outcome
        case 4:
            outcome = await lookAfter(journal, known, by: Int.random(in: 0...9, using: &generator))
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
        // Other servers may have been faster. None blocks another forever.
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

/// Leases sessions in every way, and gives some leases back.
private func lookAfter(_ journal: PostgreSQLJournal, _ known: [SessionID], by moment: Int) async -> JournalError? {
    do throws(JournalError) {
        let due = journal.leaseDue(by: Timestamp(seconds: moment), of: "Racing", limit: 3)
        let leases = known.map { journal.lease($0) }
        let renewed = try await journal.renewLeases(of: known).value
        if moment.isMultiple(of: 2) { journal.endLeases(of: renewed) }
        for lease in leases { _ = try await lease.value }
        _ = try await due.value
        return nil
    } catch {
        return error
    }
}
