import Coordinate
import CoordinateSessions
import Foundation
import JournalWalk
import PostgreSQLCluster
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinatePostgreSQL

/// Two servers on one database: each sees everything that the other has acknowledged, and nothing happens twice.
@Suite(.enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
struct SharedJournalTests {
    @Test func aServerSeesWhatTheOtherAcknowledged() async throws {
        try await withJournals { one, other, _ in
            let session = try await one.add()
            for version in 1...50 {
                let (writer, reader) = version % 2 == 0 ? (one, other) : (other, one)
                try await writer.append(.make(version: version, path: "/\(version)"), to: session)
                #expect(try await reader.head(of: session)?.path == "/\(version)")
                #expect(try await reader.read(session, after: version - 1, limit: 10).count == 1)
            }
            try await one.end(session, at: 50)
            #expect(try await other.head(of: session) == nil)
        }
    }

    @Test func oneOfTwoEntriesWithTheSameVersionIsAccepted() async throws {
        try await withJournals { one, other, _ in
            var sessions: [SessionID] = []
            for _ in 0..<20 { sessions.append(try await one.add()) }
            for version in 1...10 {
                let attempts = sessions.map { session in
                    (
                        session, Task.immediate { try await one.append(.make(version: version, mark: 1), to: session) },
                        Task.immediate { try await other.append(.make(version: version, mark: 2), to: session) }
                    )
                }
                for (session, first, second) in attempts {
                    let outcomes = [await first.outcome, await second.outcome]
                    #expect(outcomes.count { $0 == nil } == 1)
                    #expect(outcomes.count { $0 == .conflict } == 1)
                    let last = try await one.read(session, after: version - 1, limit: 1)
                    #expect(last.first?.mark == (outcomes[0] == nil ? 1 : 2))
                }
            }
        }
    }

    @Test func togetherTheyCreateNoMoreSessionsThanTheLimit() async throws {
        try await withJournals { one, other, database in
            let parent = try await one.add()
            let attempts = (0..<60).map { index in
                let record = SessionRecord.make(
                    parent: index % 3 == 0 ? ForkPoint(session: parent, version: 0) : nil)
                return Task.immediate {
                    try await (index % 2 == 0 ? one : other).create(record, with: [], until: .distant, limit: 25)
                }
            }
            var count = 0
            for attempt in attempts {
                switch await attempt.outcome {
                case nil: count += 1
                case .tooManySessions: break
                case let error: Issue.record("\(String(describing: error))")
                }
            }
            #expect(count == 24)
            try await database.expectSound()
            try await waitUntil { one.count == 25 && other.count == 25 }
        }
    }

    @Test func noEntryFollowsAnEnd() async throws {
        try await withJournals { one, other, database in
            for round in 0..<40 {
                let session = try await one.add(with: [.make(version: 1)])
                let append = Task.immediate { try await one.append(.make(version: 2), to: session) }
                let end = Task.immediate { try await other.end(session, at: round % 2 == 0 ? nil : 1) }
                switch (await append.outcome, await end.outcome) {
                case (nil, nil): #expect(round % 2 == 0)
                case (nil, .conflict): #expect(round % 2 == 1)
                case (.noSuchSession, nil): break
                case let outcomes: Issue.record("\(outcomes)")
                }
            }
            try await database.expectSound()
            for session in try await one.list(SessionQuery(app: "Racing", limit: 100)).sessions {
                try await other.end(session.record.id, at: session.version)
            }
            try await database.expectEmpty(cleaning: one)
        }
    }

    @Test func aForkHasAllEntriesOfItsParentOrFails() async throws {
        try await withJournals { one, other, database in
            var forks: [SessionID] = []
            for _ in 0..<40 {
                let parent = try await one.add(with: (1...5).map { .make(version: $0, path: "/\($0)") })
                let middle = try await one.fork(parent, at: 4)
                try await one.append(.make(version: 5, path: "/5"), to: middle)
                let record = SessionRecord.make(parent: ForkPoint(session: middle, version: 5))
                let fork = Task.immediate { try await one.create(record, with: [], until: .distant, limit: 1_000) }
                let ends = [middle, parent].map { session in Task.immediate { try await other.end(session, at: nil) } }
                other.expire(by: Timestamp(seconds: 0))
                switch await fork.outcome {
                case nil: forks.append(record.id)
                case .noSuchSession: break
                case let error: Issue.record("\(String(describing: error))")
                }
                for end in ends { try await end.value }
            }
            try await database.clean(one)
            try await database.expectSound()
            for fork in forks {
                #expect(try await other.entries(of: fork).map(\.path) == ["/1", "/2", "/3", "/4", "/5"])
                try await other.end(fork, at: 5)
            }
            try await database.expectEmpty(cleaning: other)
        }
    }

    @Test func theLatestMomentIsKept() async throws {
        try await withJournals { one, other, _ in
            let session = try await one.add(until: Timestamp(seconds: 10))
            one.keep(session, until: Timestamp(seconds: 30))
            _ = try await one.list(SessionQuery(app: "Racing", limit: 1))
            other.keep(session, until: Timestamp(seconds: 20))
            _ = try await other.list(SessionQuery(app: "Racing", limit: 1))
            #expect(try await one.head(of: session)?.expiresAt == Timestamp(seconds: 30))
            one.expire(by: Timestamp(seconds: 29))
            other.expire(by: Timestamp(seconds: 29))
            let next = try await one.add()
            try await one.end(next, at: nil)
            #expect(try await one.head(of: session) != nil)
        }
    }

    // MARK: Following

    @Test func followersLearnOfOtherServersChangesUntilTheyAreReleased() async throws {
        try await withJournals { one, other, _ in
            let session = try await one.add()
            let calls = Atomic(0)
            let former = Atomic(0)
            let subscription = one.follow(session) { calls.add(1, ordering: .relaxed) }
            var released = one.follow(session) { former.add(1, ordering: .relaxed) }
            try await waitUntil { calls.load(ordering: .relaxed) == 1 && former.load(ordering: .relaxed) == 1 }
            released = nil
            for version in 1...3 {
                try await other.append(.make(version: version), to: session)
                try await waitUntil { calls.load(ordering: .relaxed) == version + 1 }
            }
            try await other.end(session, at: nil)
            try await waitUntil { calls.load(ordering: .relaxed) == 5 }
            #expect(former.load(ordering: .relaxed) == 1)
            withExtendedLifetime((subscription, released)) {}
        }
    }

    @Test func followersAreNotNotifiedOfTheirOwnServersChanges() async throws {
        try await withJournals { one, other, _ in
            let session = try await one.add()
            let witness = try await one.add()
            let calls = Atomic(0)
            let witnessed = Atomic(0)
            let subscriptions = [
                one.follow(session) { calls.add(1, ordering: .relaxed) },
                one.follow(witness) { witnessed.add(1, ordering: .relaxed) },
            ]
            try await waitUntil { calls.load(ordering: .relaxed) == 1 && witnessed.load(ordering: .relaxed) == 1 }
            for version in 1...5 {
                try await one.append(.make(version: version), to: session)
                try await other.append(.make(version: version), to: witness)
                try await waitUntil { witnessed.load(ordering: .relaxed) == version + 1 }
            }
            #expect(calls.load(ordering: .relaxed) == 1)
            withExtendedLifetime(subscriptions) {}
        }
    }

    @Test func followersAreNotifiedOfTheirOwnServersChangeIfItsResultIsLost() {
        let followers = Subscriptions()
        let session = SessionID.random()
        let calls = Atomic(0)
        let subscription = Subscription(followers, session) { calls.add(1, ordering: .relaxed) }
        followers.learn([session], [session: 0])
        for version in 1...2 {
            followers.beginOwn([(session, version)])
            followers.learn([session], [session: version])
            if version == 1 { followers.recordOwn(session, version: version) }
            followers.endOwn([session])
            #expect(calls.load(ordering: .relaxed) == 1)
            followers.learn([session], [session: version])
            #expect(calls.load(ordering: .relaxed) == version)
        }
        withExtendedLifetime(subscription) {}
    }

    // MARK: Garbage

    @Test func entriesAreKeptWhileAForkSharesThem() async throws {
        try await withJournals { one, other, database in
            let parent = try await one.add(with: (1...3_000).map { .make(version: $0) })
            let short = try await other.fork(parent, at: 100)
            let long = try await one.fork(parent, at: 2_000)
            try await other.end(parent, at: nil)
            try await database.clean(one)
            #expect(try await database.count("coordinate_entries") == 2_000)
            try await one.end(long, at: nil)
            try await database.clean(other)
            #expect(try await database.count("coordinate_entries") == 100)
            #expect(try await one.entries(of: short).count == 100)
            one.keep(short, until: Timestamp(seconds: 0))
            try await one.end(short, at: 100)
            try await database.expectEmpty(cleaning: one)
        }
    }

    @Test func anErasedSessionLeavesNoRow() async throws {
        try await withJournals { one, _, database in
            let session = try await one.add(.make(timers: [5]))
            try await one.append(upTo: 4, to: session)
            let fork = try await one.fork(session, at: 3)
            #expect(try await one.erase(session).remnants.contains("VACUUM"))
            #expect(try await database.count("coordinate_entries") == 3)
            _ = try await one.erase(fork)
            for table in ["sessions", "entries", "lineage", "due", "garbage"] {
                #expect(try await database.count("coordinate_\(table)") == 0, "\(table)")
            }
        }
    }

    /// Its statements name sessions, so partitions make no difference to them.
    @Test(arguments: [7, 8] as [UInt64]) func partitionedTablesMakeNoDifference(seed: UInt64) async throws {
        let address = try await PostgreSQLCluster.shared.makeAddress()
        try PostgreSQLJournal(address).close()
        let database = try await Database(cluster: .shared, address: address)
        try await database.partition(into: 4)
        let journal = try PostgreSQLJournal(address, leaseTime: .long)
        defer { journal.close() }
        var walk = JournalWalk(of: journal, seed: seed)
        let differences = await walk.walk(steps: 400)
        #expect(differences.isEmpty, "\(differences.joined(separator: "; "))")
        try await database.expectSound()
        for session in walk.sessions { _ = await outcome { try await journal.end(session, at: nil) } }
        try await database.expectEmpty(cleaning: journal)
    }

    // MARK: Load

    /// A creation whose result was lost is repeated.
    @Test(arguments: [0, 3, 1_001]) func aSessionIsCreatedOnce(length: Int) async throws {
        try await withJournals { one, other, _ in
            let history = (1...(length + 1)).dropLast().map { JournalEntry.make(version: $0) }
            let record = SessionRecord.make()
            _ = try await one.add(record, with: history)
            await #expect(throws: JournalError.conflict) { try await other.add(record, with: history) }
            #expect(try await one.entries(of: record.id).count == length)
        }
    }

    /// Some entry always waits, in total for longer than the limit for a server that does not respond.
    @Test func waitingEntriesAreNotRefusedUnderLoad() async throws {
        try await withJournal { journal, _ in
            var sessions: [SessionID] = []
            for _ in 0..<32 { sessions.append(try await journal.add()) }
            let end = ContinuousClock.now + .seconds(3)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for session in sessions {
                    group.addTask {
                        var version = 0
                        while ContinuousClock.now < end {
                            let entries = (1...8).map { JournalEntry.make(version: version + $0) }
                            let answers = entries.map { entry in
                                Task.immediate { try await journal.append(entry, to: session) }
                            }
                            for answer in answers { try await answer.value }
                            version += entries.count
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
