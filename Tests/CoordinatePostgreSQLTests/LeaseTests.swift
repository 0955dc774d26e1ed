import Coordinate
import CoordinateSessions
import PostgreSQLCluster
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinatePostgreSQL

/// Servers that share pending work: one server at a time holds each session's lease, and no lease outlives its server
/// for long.
@Suite(
    .timeLimit(.minutes(2)),
    .enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
struct LeaseTests {
    /// So short that it expires while a test waits for it.
    private static let short = Duration.milliseconds(100)

    @Test func aLeasedSessionIsNotLeasedToAnotherServer() async throws {
        try await withJournals { one, other, database in
            let session = try await one.add(.make(timers: [10]))
            #expect(try await one.due(by: 10) == [session])
            #expect(try await other.due(by: 10) == [])
            #expect(try await other.lease(session) == false)
            #expect(try await other.renewLeases(of: [session]) == [])
            other.endLeases(of: [session])
            #expect(try await other.due(by: 10) == [])
            // A commit by another server does not change the lease.
            try await other.append(.make(version: 1, wake: 5), to: session)
            #expect(try await other.due(by: 10) == [])
            #expect(try await one.renewLeases(of: [session]) == [session])
            one.endLeases(of: [session])
            try await waitUntil { try await other.lease(session) }
            #expect(try await one.renewLeases(of: [session]) == [])
            try await database.expectSound()
        }
    }

    @Test func aSessionThatFailsBacksOffLongerEachTime() async throws {
        try await withJournals { one, _, database in
            let session = try await one.add(.make(timers: [10]))
            let other = try await one.add(.make(timers: [20]))
            for failures in 1...4 {
                try await database.execute("UPDATE coordinate_due SET due_at = 10 WHERE session = '\(session)'")
                // Sessions that have not failed come first.
                #expect(try await one.due(by: 20) == (failures == 1 ? [session, other] : [other, session]))
                one.backOff([session], from: Timestamp(seconds: 0))
                one.endLeases(of: [other])
                #expect(try await one.due(by: 20) == [other])
                one.endLeases(of: [other])
                let rest =
                    "SELECT failures, due_at - extract(epoch FROM now())::bigint FROM coordinate_due WHERE failures > 0"
                let row = try await database.execute(rest).first?.split(separator: "|").compactMap { Int($0) } ?? []
                #expect(row.first == failures)
                #expect(abs((row.last ?? 0) - 1 << (failures - 1)) <= 1)
            }
            // A success ends the series of failures.
            try await database.execute("UPDATE coordinate_due SET due_at = 10 WHERE session = '\(session)'")
            #expect(try await one.due(by: 20) == [other, session])
            one.endLeases(of: [other, session])
            #expect(try await one.due(by: 20) == [session, other])
            one.backOff([session], from: Timestamp(seconds: 0))
            one.endLeases(of: [other])
            #expect(try await one.due(by: 20) == [other])
            one.endLeases(of: [other])
            // An entry that changes what is pending ends it as well.
            try await one.append(.make(version: 1, wake: 5), to: session)
            #expect(try await one.due(by: 20) == [session, other])
        }
    }

    @Test func anExpiredLeaseBelongsToItsOwnerUntilAnotherServerLeasesIt() async throws {
        try await withJournals(leaseTime: Self.short) { one, other, database in
            let sessions = [try await one.add(.make(timers: [10])), try await one.add(.make(timers: [20]))]
            #expect(try await one.due(by: 20) == sessions)
            let isOver = "SELECT bool_and(leased_until < now()) FROM coordinate_due"
            try await waitUntil { try await database.execute(isOver) == ["t"] }
            #expect(Set(try await one.renewLeases(of: sessions)) == Set(sessions))
            // Its owner can lease it again as well, since the owner may have lost track of it.
            try await waitUntil { try await one.due(by: 10) == [sessions[0]] }
            try await waitUntil { try await other.due(by: 10) == [sessions[0]] }
            try await waitUntil { try await other.lease(sessions[1]) }
            #expect(try await one.renewLeases(of: sessions) == [])
            #expect(try await one.due(by: 20) == [])
        }
    }

    /// Leases expire soon enough for the promise: ten seconds after a server died, others continue its work.
    @Test func aLeaseIsAsShortAsPromised() async throws {
        try await withJournal { journal, address in
            #expect(PostgreSQLJournal.leaseTime <= 8)
            let session = try await journal.add(.make(timers: [10]))
            #expect(try await journal.lease(session))
            let left = try await PostgreSQLCluster.shared.execute(
                "SELECT leased_until - now() BETWEEN '0 s' AND '\(PostgreSQLJournal.leaseTime) s' FROM coordinate_due",
                at: address)
            #expect(left == ["t"])
        }
    }

    @Test func aServerThatClosesGivesItsLeasesBack() async throws {
        try await withJournal(leaseTime: .long) { one, address in
            let other = try PostgreSQLJournal(address, leaseTime: .long)
            let sessions = [
                try await one.add(.make(timers: [10])), try await one.add(.make(timers: [20])),
                try await one.add(.make(timers: [30])),
            ]
            #expect(try await other.due(by: 10) == [sessions[0]])
            #expect(try await other.lease(sessions[2]))
            #expect(try await one.due(by: 30) == [sessions[1]])
            other.close()
            #expect(try await one.due(by: 30) == [sessions[0], sessions[2]])
        }
    }

    @Test func lockedSessionsAreSkipped() async throws {
        try await withJournals { one, _, database in
            let sessions = [try await one.add(.make(timers: [10])), try await one.add(.make(timers: [20]))]
            var connection = try Connection.open(
                ConnectionSettings(database.address, isWriting: true), preparing: [], until: .now + .seconds(10))
            try connection.send([
                Statement("BEGIN")(), Statement("SET LOCAL idle_in_transaction_session_timeout = 0")(),
                Statement("SELECT FROM coordinate_due WHERE due_at = 10 FOR UPDATE")(),
            ])
            _ = try connection.receive(until: .now + .seconds(10))
            #expect(try await one.due(by: 20, limit: 1) == [sessions[1]])
            try connection.send([Statement("ROLLBACK")()])
            _ = try connection.receive(until: .now + .seconds(10))
            #expect(try await one.due(by: 20, limit: 1) == [sessions[0]])
        }
    }

    @Test func concurrentServersLeaseDifferentSessions() async throws {
        try await withJournal(leaseTime: .long) { journal, address in
            let servers = try (0..<4).map { _ in try PostgreSQLJournal(address, leaseTime: .long) }
            defer { for server in servers { server.close() } }
            var sessions: Set<SessionID> = []
            for moment in 1...200 { sessions.insert(try await journal.add(.make(timers: [moment]))) }
            let asked = (0..<40).map { number in
                Task.immediate { try await servers[number % 4].leaseDue(by: .distant, of: "Racing", limit: 9) }
            }
            let made = sessions.prefix(20).flatMap { session in
                servers.map { server in Task.immediate { try await server.lease(session) } }
            }
            var leased: [SessionID] = []
            for answer in asked { leased += try await answer.value }
            for answer in made { _ = try await answer.value }
            for server in servers { leased += try await server.due(by: 1_000, limit: 1_000) }
            #expect(Set(leased).count == leased.count)
            var owned: [SessionID] = []
            for server in servers { owned += try await server.renewLeases(of: Array(sessions)) }
            #expect(owned.count == sessions.count)
            #expect(Set(owned) == sessions)
        }
    }

    @Test func leasesThatAreRequestedTogetherAreGrantedTogether() async throws {
        try await withJournals { one, other, _ in
            let records = (1...1_500).map { SessionRecord.make(timers: $0.isMultiple(of: 3) ? [] : [$0]) }
            let creations = records.map { record in
                Task.immediate { try await one.create(record, with: [], until: .distant, limit: 10_000) }
            }
            for creation in creations { try await creation.value }
            let leased = try await other.due(by: 10)
            #expect(leased == records.prefix(10).filter { !$0.begun.isEmpty }.map(\.id))
            let answers = records.map { record in Task.immediate { try await one.lease(record.id) } }
            for (record, answer) in zip(records, answers) {
                let isLeased = try await answer.value
                #expect(isLeased == (!record.begun.isEmpty && !leased.contains(record.id)))
            }
            #expect(try await one.renewLeases(of: records.map(\.id)).count == 993)
        }
    }

    /// Many sessions at once, in all orders, without a deadlock.
    @Test func concurrentServersDoNotDeadlock() async throws {
        try await withJournals { one, other, database in
            var sessions: [SessionID] = []
            for _ in 0..<80 { sessions.append(try await one.add(.make(timers: [5]))) }
            for round in 1...30 {
                let servers = round.isMultiple(of: 2) ? [one, other] : [other, one]
                let mortal = (0..<20).map { _ in SessionRecord.make(timers: [3]) }
                let made = mortal.map { record in
                    Task.immediate {
                        try await one.create(record, with: [], until: Timestamp(seconds: 5), limit: 10_000)
                    }
                }
                for answer in made { try await answer.value }
                let all = (sessions + mortal.map(\.id)).shuffled()
                let due = servers.map { server in
                    Task.immediate { try await server.leaseDue(by: .distant, of: "Racing", limit: 70) }
                }
                let appends = sessions.shuffled().enumerated().map { index, session in
                    let wake = index.isMultiple(of: 3) ? nil : index
                    return Task.immediate {
                        try await servers[index % 2].append(.make(version: round, wake: wake), to: session)
                    }
                }
                let renewals = servers.map { server in Task.immediate { try await server.renewLeases(of: all) } }
                let leases = all.map { session in Task.immediate { try await servers[0].lease(session) } }
                let ends = mortal.prefix(5).map { record in
                    Task.immediate { try await servers[1].end(record.id, at: nil) }
                }
                for server in servers {
                    server.endLeases(of: all.suffix(30))
                    server.expire(by: Timestamp(seconds: 5))
                }
                for answer in due { _ = try await answer.value }
                for answer in renewals { _ = try await answer.value }
                for answer in leases { _ = try await answer.value }
                for answer in appends { try await answer.value }
                for answer in ends { #expect([nil, .noSuchSession].contains(await answer.outcome)) }
            }
            try await database.clean(one)
            try await database.expectSound()
        }
    }

    // MARK: Due moments

    @Test func entriesOfAGroupSetTheDueMoments() async throws {
        try await withJournals { one, _, database in
            var sessions: [SessionID] = []
            for _ in 0..<60 { sessions.append(try await one.add()) }
            var last = Array(repeating: Timestamp?.none, count: 60)
            for version in 1...6 {
                let entries = sessions.indices.map { index -> JournalEntry in
                    guard !(index + version).isMultiple(of: 4) else { return .make(version: version) }
                    let wake = (index + version).isMultiple(of: 3) ? nil : 1_000 * version + index
                    return .make(version: version, wake: wake)
                }
                let answers = zip(sessions, entries).map { session, entry in
                    Task.immediate { try await one.append(entry, to: session) }
                }
                for answer in answers { try await answer.value }
                for (index, entry) in entries.enumerated() where entry.changesPending { last[index] = entry.wake }
            }
            let rows = try await database.execute("SELECT session, due_at FROM coordinate_due")
            let expected = zip(sessions, last).compactMap { session, wake in wake.map { "\(session)|\($0.seconds)" } }
            #expect(rows.sorted() == expected.sorted())
        }
    }

    /// The entry was accepted the first time, so its moment may be outdated by now.
    @Test func aRepeatedEntryChangesNoDueMoment() async throws {
        try await withJournals { one, other, _ in
            let session = try await one.add()
            let entry = JournalEntry.make(version: 1, wake: 10).with { $0.mark = 7 }
            try await one.append(entry, to: session)
            try await other.append(.make(version: 2, wake: nil), to: session)
            #expect(await outcome { try await one.append(entry, to: session) } == .conflict)
            #expect(try await one.due(by: 1_000) == [])
        }
    }

    @Test func eachExpiredSessionIsReportedToOneServer() async throws {
        try await withJournals { one, other, database in
            let made = (0..<1_200).map { index in
                let record = SessionRecord.make(app: index.isMultiple(of: 3) ? "Notes" : "Racing", timers: [5])
                let creation = Task.immediate {
                    try await one.create(record, with: [], until: Timestamp(seconds: 5), limit: 10_000)
                }
                return (record, creation)
            }
            for (_, answer) in made { try await answer.value }
            let kept = try await one.add(.make(timers: [5]))
            let reported = Mutex<[String]>([])
            try await waitUntil {
                for server in [one, other] {
                    server.expire(by: Timestamp(seconds: 5)) { session, app in
                        reported.withLock { $0.append("\(session) of \(app)") }
                    }
                }
                return try await database.count("coordinate_sessions") == 1
            }
            // The expiry that was requested last has no sessions to report.
            for server in [one, other] { _ = try await server.add(limit: 10_000) }
            #expect(reported.withLock { $0.sorted() } == made.map { "\($0.0.id) of \($0.0.app)" }.sorted())
            #expect(try await database.execute("SELECT session FROM coordinate_due") == [kept.description])
        }
    }
}
