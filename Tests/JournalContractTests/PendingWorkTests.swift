import Coordinate
import CoordinateSessions
import SessionFixtures
import Testing

/// The pending work of sessions, the moments at which they are due, and their leases.
@Suite(.timeLimit(.minutes(2)))
struct PendingWorkTests {
    @Test(arguments: Store.withModel) func aSessionIsDueFromTheMomentOfItsLastEntry(store: Store) async throws {
        try await store.withJournal { journal in
            let timer = try await journal.add(.make(timers: [30, 10]))
            #expect(try await journal.head(of: timer)?.pending == 2)
            #expect(try await journal.due(by: 9) == [])
            #expect(try await journal.due(by: 10) == [timer])
            let imported = try await journal.add(
                .make(timers: [10]), with: [.make(version: 1, wake: 20), .make(version: 2, wake: 40)])
            #expect(try await journal.head(of: imported)?.pending == 3)
            #expect(try await journal.due(by: 39) == [])
            #expect(try await journal.due(by: 40) == [imported])
            let over = try await journal.add(.make(timers: [10]), with: [.make(version: 1, wake: nil)])
            #expect(try await journal.head(of: over)?.pending == 0)
            #expect(try await journal.due(by: 1_000) == [])
        }
    }

    @Test(arguments: Store.withModel) func aForkIsDueWhenItsParentWasAtThatVersion(store: Store) async throws {
        try await store.withJournal { journal in
            let parent = try await journal.add(.make(timers: [100]))
            let second = JournalEntry.make(version: 2).with { $0.wake = Timestamp(seconds: 200) }
            for entry in [.make(version: 1, wake: 200), second, .make(version: 3, wake: nil)] {
                try await journal.append(entry, to: parent)
            }
            #expect(try await journal.due(by: 1_000) == [])
            let first = try await journal.add(.make(timers: [100], parent: ForkPoint(session: parent, version: 0)))
            #expect(try await journal.head(of: first)?.pending == 1)
            #expect(try await journal.due(by: 99) == [])
            #expect(try await journal.due(by: 100) == [first])
            let middle = try await journal.fork(parent, at: 2)
            #expect(try await journal.head(of: middle)?.pending == 2)
            #expect(try await journal.due(by: 199) == [])
            let grandchild = try await journal.fork(middle, at: 1)
            #expect(Set(try await journal.due(by: 200)) == [middle, grandchild])
            let last = try await journal.fork(parent, at: 3)
            #expect(try await journal.head(of: last)?.pending == 1)
            #expect(try await journal.due(by: 1_000) == [])
        }
    }

    @Test(arguments: Store.withModel)
    func aSessionWhoseWorkIsWithheldIsNeverDueWhateverItsEntriesSay(store: Store) async throws {
        try await store.withJournal { journal in
            let parent = try await journal.add(.make(timers: [10]), with: [.make(version: 1, wake: 20)])
            let record = { SessionRecord.make(timers: [10], isWorkWithheld: true) }
            var withheld = [
                try await journal.add(record()),
                try await journal.add(record(), with: [.make(version: 1, wake: 20)]),
                // A history that is stored in parts.
                try await journal.add(record(), with: (1...2_001).map { .make(version: $0, wake: 20) }),
            ]
            for version in 0...1 {
                let point = ForkPoint(session: parent, version: version)
                withheld.append(
                    try await journal.add(.make(timers: [10], parent: point, isWorkWithheld: true)))
            }
            for (session, count) in zip(withheld, [1, 2, 2_002, 1, 2]) {
                let head = try await journal.head(of: session)
                #expect(head?.record.isWorkWithheld == true)
                #expect(head?.pending == count)
            }
            #expect(try await journal.due(by: 1_000) == [parent])
            try await journal.append(.make(version: 1, wake: 30), to: withheld[0])
            #expect(try await journal.head(of: withheld[0])?.pending == 2)
            #expect(try await journal.due(by: 1_000) == [])
            #expect(try await journal.lease(withheld[0]) == false)
            let page = try await journal.list(SessionQuery(app: "Racing", limit: 100)).sessions
            #expect(Set(page.filter(\.record.isWorkWithheld).map(\.record.id)) == Set(withheld))
        }
    }

    @Test(arguments: Store.withModel) func theLongestOverdueAreLeasedFirst(store: Store) async throws {
        try await store.withJournal { journal in
            var sessions: [SessionID] = []
            for moment in [7, 3, 5, 1, 9, 11] { sessions.append(try await journal.add(.make(timers: [moment]))) }
            let other = try await journal.add(.make(app: "Notes", timers: [1]))
            #expect(try await journal.due(by: 10, limit: 0) == [])
            #expect(try await journal.due(by: 10, limit: 2) == [sessions[3], sessions[1]])
            #expect(try await journal.due(by: 10, limit: 2) == [sessions[2], sessions[0]])
            #expect(try await journal.due(by: 10, limit: 2) == [sessions[4]])
            #expect(try await journal.due(by: 10, limit: 2) == [])
            #expect(try await journal.due(by: 10, of: "Notes") == [other])
            journal.endLeases(of: [sessions[1], sessions[2]])
            #expect(try await journal.due(by: 10) == [sessions[1], sessions[2]])
        }
    }

    /// Otherwise overdue sessions whose work cannot be done would delay all others.
    @Test(arguments: Store.complete) func ofManyDueSessionsHalfAreThoseThatBecameDueLast(store: Store) async throws {
        try await store.withJournal { journal in
            var sessions: [SessionID] = []
            for moment in 1...200 { sessions.append(try await journal.add(.make(timers: [moment]))) }
            let leased = try await journal.due(by: 200, limit: 64)
            // Their moments, so that a failure is short.
            func moments(_ leased: some Sequence<SessionID>) -> [Int] {
                leased.compactMap { sessions.firstIndex(of: $0) }
            }
            #expect(moments(leased.prefix(32)).sorted() == Array(168..<200))
            #expect(moments(leased.suffix(32)).sorted() == Array(0..<32))
            #expect(moments(try await journal.due(by: 200, limit: 63)) == Array(32..<95))
        }
    }

    @Test(arguments: Store.withModel)
    func aLeaseEndsWhenItIsGivenBackOrNothingIsPending(store: Store) async throws {
        try await store.withJournal { journal in
            let session = try await journal.add()
            #expect(try await journal.lease(session) == false)
            try await journal.append(.make(version: 1, wake: 50), to: session)
            // It is not due, but can be leased.
            #expect(try await journal.lease(session))
            #expect(try await journal.lease(session))
            #expect(try await journal.due(by: 100) == [])
            #expect(try await journal.renewLeases(of: [session, .random()]) == [session])
            try await journal.append(.make(version: 2, wake: 60), to: session)
            try await journal.append(.make(version: 3), to: session)
            #expect(try await journal.due(by: 100) == [])
            #expect(try await journal.renewLeases(of: [session]) == [session])
            try await journal.append(.make(version: 4, wake: nil), to: session)
            #expect(try await journal.renewLeases(of: [session]) == [])
            try await journal.append(.make(version: 5, wake: 70), to: session)
            #expect(try await journal.due(by: 69) == [])
            #expect(try await journal.due(by: 70) == [session])
            journal.endLeases(of: [session])
            #expect(try await journal.renewLeases(of: [session]) == [])
            #expect(try await journal.lease(session))
            try await journal.end(session, at: nil)
            #expect(try await journal.renewLeases(of: [session]) == [])
            #expect(try await journal.due(by: 100) == [])
        }
    }

    /// PostgreSQL measures rests by its own clock: see its `LeaseTests`.
    @Test(arguments: Store.available.filter { $0 != .postgreSQL })
    func aSessionThatFailsBacksOffLongerEachTime(store: Store) async throws {
        try await store.withJournal { journal in
            let session = try await journal.add(.make(timers: [10]))
            var now = 20
            for failures in 1...14 {
                #expect(try await journal.due(by: now) == [session], "after \(failures - 1) failures")
                journal.backOff([session], from: Timestamp(seconds: now))
                let pause = min(1 << (failures - 1), 3_600)
                #expect(try await journal.due(by: now + pause - 1) == [], "after \(failures) failures")
                now += pause
            }
            let other = try await journal.add(.make(timers: [now - 1]))
            #expect(try await journal.due(by: now) == [other, session])
            journal.endLeases(of: [session])
            // Without a lease it does not rest.
            journal.backOff([session], from: Timestamp(seconds: now))
            #expect(try await journal.due(by: now) == [session])
            // A success has ended the series.
            journal.backOff([session], from: Timestamp(seconds: now))
            #expect(try await journal.due(by: now + 1) == [session])
            // An entry that changes what is pending ends it as well.
            try await journal.append(.make(version: 1, wake: 30), to: session)
            journal.backOff([session], from: Timestamp(seconds: now))
            #expect(try await journal.due(by: now) == [])
            #expect(try await journal.due(by: now + 1) == [session])
        }
    }

    /// A session can be leased before it is due.
    @Test(arguments: Store.available.filter { $0 != .postgreSQL })
    func aPauseDoesNotMakeASessionDueEarlier(store: Store) async throws {
        try await store.withJournal { journal in
            let session = try await journal.add(.make(timers: [100]))
            #expect(try await journal.lease(session))
            journal.backOff([session], from: Timestamp(seconds: 10))
            #expect(try await journal.due(by: 99) == [])
            #expect(try await journal.due(by: 100) == [session])
        }
    }
}
