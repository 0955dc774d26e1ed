internal import Coordinate
public import CoordinateSessions
internal import SessionFixtures

/// Checks that every journal must pass: the pending work of its sessions, the moments at which they are due, and their
/// leases.
public struct PendingChecks {
    private let journal: any Journal
    private var findings: [String] = []

    /// - Parameter journal: A journal without sessions.
    public init(of journal: any Journal) {
        self.journal = journal
    }

    /// Returns the failed checks.
    public mutating func check() async throws -> [String] {
        try await checkBeginnings()
        try await checkForks()
        try await checkWithheld()
        try await checkOrder()
        try await checkLeases()
        try await checkRests()
        try await checkEnds()
        return findings
    }

    // MARK: Requests

    private func add(_ record: SessionRecord, _ history: [JournalEntry] = [], until expiry: Int = 4_000_000_000)
        async throws -> SessionID
    {
        try await journal.create(record, with: history, until: Timestamp(seconds: expiry), limit: 1_000).value
        return record.id
    }

    private func fork(_ parent: SessionID, at version: Int, timers: [Int] = []) async throws -> SessionID {
        try await add(.make(timers: timers, parent: ForkPoint(session: parent, version: version)))
    }

    private func due(by moment: Int, limit: Int = 100, of app: String = "Racing") async throws -> [SessionID] {
        try await journal.leaseDue(by: Timestamp(seconds: moment), of: app, limit: limit).value
    }

    private func pending(_ session: SessionID) async throws -> Int? {
        try await journal.head(of: session).value?.pending
    }

    private mutating func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) {
        if found != expected { findings.append("\(what): \(found) instead of \(expected)") }
    }

    // MARK: Pending work

    private mutating func checkBeginnings() async throws {
        let timer = try await add(.make(timers: [30, 10]))
        expect(try await pending(timer), 2, "what is pending at version 0")
        expect(try await due(by: 9), [], "before the first timer")
        expect(try await due(by: 10), [timer], "when the first timer is due")
        let imported = try await add(.make(timers: [10]), [.make(version: 1, wake: 20), .make(version: 2, wake: 40)])
        expect(try await pending(imported), 3, "what is pending after a history")
        expect(try await due(by: 39), [], "before the last entry's moment")
        expect(try await due(by: 40), [imported], "at the last entry's moment")
        let over = try await add(.make(timers: [10]), [.make(version: 1, wake: nil)])
        expect(try await pending(over), 0, "after everything has ended")
        expect(try await due(by: 1_000), [], "nothing is pending after the history")
        for session in [timer, imported, over] { try await journal.end(session, at: nil).value }
    }

    private mutating func checkForks() async throws {
        let parent = try await add(.make(timers: [100]))
        for entry in [
            JournalEntry.make(version: 1, wake: 200), .make(version: 2), .make(version: 3, wake: nil),
        ] {
            let wake = entry.version == 2 ? Timestamp(seconds: 200) : entry.wake
            try await journal.append(entry.with { $0.wake = wake }, to: parent).value
        }
        expect(try await due(by: 1_000), [], "nothing is pending in the parent any more")
        let first = try await fork(parent, at: 0, timers: [100])
        expect(try await pending(first), 1, "what is pending in a fork of version 0")
        expect(try await due(by: 99), [], "before the timer of version 0")
        expect(try await due(by: 100), [first], "when the timer of version 0 is due")
        let second = try await fork(parent, at: 2)
        expect(try await pending(second), 2, "what is pending in a fork of version 2")
        expect(try await due(by: 199), [], "before version 2 is due")
        let third = try await fork(second, at: 1)
        expect(Set(try await due(by: 200)), [second, third], "when versions 1 and 2 are due")
        let last = try await fork(parent, at: 3)
        expect(try await pending(last), 1, "what is pending in a fork of version 3")
        expect(try await due(by: 1_000), [], "nothing is due at version 3")
        for session in [parent, first, second, third, last] { try await journal.end(session, at: nil).value }
    }

    /// Pending work of a session whose work is withheld is never due, whatever its entries say.
    private mutating func checkWithheld() async throws {
        let parent = try await add(.make(timers: [10]), [.make(version: 1, wake: 20)])
        var withheld = [
            try await add(.make(timers: [10], isWorkWithheld: true)),
            try await add(.make(timers: [10], isWorkWithheld: true), [.make(version: 1, wake: 20)]),
            // A history that is stored in parts.
            try await add(.make(timers: [10], isWorkWithheld: true), (1...2_001).map { .make(version: $0, wake: 20) }),
        ]
        for version in 0...1 {
            let point = ForkPoint(session: parent, version: version)
            withheld.append(try await add(.make(timers: [10], parent: point, isWorkWithheld: true)))
        }
        for (session, count) in zip(withheld, [1, 2, 2_002, 1, 2]) {
            let head = try await journal.head(of: session).value
            expect(head?.record.isWorkWithheld, true, "withheld work, with \(count) pending")
            expect(head?.pending, count, "pending withheld work")
        }
        expect(try await due(by: 1_000), [parent], "sessions whose work is not withheld")
        try await journal.append(.make(version: 1, wake: 30), to: withheld[0]).value
        expect(try await pending(withheld[0]), 2, "pending withheld work after an entry")
        expect(try await due(by: 1_000), [], "withheld work that an entry requested")
        expect(try await journal.lease(withheld[0]).value, false, "a session with withheld work cannot be leased")
        let page = try await journal.list(SessionQuery(app: "Racing", limit: 100)).value
        expect(
            Set(page.sessions.filter(\.record.isWorkWithheld).map(\.record.id)), Set(withheld), "withheld in a list")
        for session in withheld + [parent] { try await journal.end(session, at: nil).value }
    }

    private mutating func checkOrder() async throws {
        var sessions: [SessionID] = []
        for moment in [7, 3, 5, 1, 9, 11] { sessions.append(try await add(.make(timers: [moment]))) }
        let other = try await add(.make(app: "Notes", timers: [1]))
        expect(try await due(by: 10, limit: 0), [], "no more than the limit")
        expect(try await due(by: 10, limit: 2), [sessions[3], sessions[1]], "longest overdue first")
        expect(try await due(by: 10, limit: 2), [sessions[2], sessions[0]], "the next ones")
        expect(try await due(by: 10, limit: 2), [sessions[4]], "the last one that is due")
        expect(try await due(by: 10, limit: 2), [], "no more of this app")
        expect(try await due(by: 10, of: "Notes"), [other], "a session of the other app")
        journal.endLeases(of: [sessions[1], sessions[2]])
        expect(try await due(by: 10), [sessions[1], sessions[2]], "sessions whose leases were given back")
        for session in sessions + [other] { try await journal.end(session, at: nil).value }
    }

    private mutating func checkLeases() async throws {
        let session = try await add(.make())
        expect(try await journal.lease(session).value, false, "nothing is pending")
        try await journal.append(.make(version: 1, wake: 50), to: session).value
        expect(try await journal.lease(session).value, true, "not due, but available")
        expect(try await journal.lease(session).value, true, "had before")
        expect(try await due(by: 100), [], "leased already")
        expect(try await journal.renewLeases(of: [session, .random()]).value, [session], "renewing a lease")
        try await journal.append(.make(version: 2, wake: 60), to: session).value
        try await journal.append(.make(version: 3), to: session).value
        expect(try await due(by: 100), [], "a leased session is not due")
        expect(try await journal.renewLeases(of: [session]).value, [session], "renewing a lease again")
        try await journal.append(.make(version: 4, wake: nil), to: session).value
        expect(try await journal.renewLeases(of: [session]).value, [], "the lease ends with the pending work")
        try await journal.append(.make(version: 5, wake: 70), to: session).value
        expect(try await due(by: 69), [], "before it is due again")
        expect(try await due(by: 70), [session], "when it is due again")
        journal.endLeases(of: [session])
        expect(try await journal.renewLeases(of: [session]).value, [], "given back")
        try await journal.end(session, at: nil).value
    }

    /// A shared journal measures rests by its own clock.
    private mutating func checkRests() async throws {
        guard !journal.isShared else { return }
        let session = try await add(.make(timers: [10]))
        var now = 20
        for failures in 1...14 {
            expect(try await due(by: now), [session], "a session that has rested,  \(failures)")
            journal.rest([session], from: Timestamp(seconds: now))
            let pause = SessionRest.pause(afterFailures: failures)
            expect(pause, min(1 << (failures - 1), 3_600), "the rest after \(failures) failures")
            expect(try await due(by: now + pause - 1), [], "it rests, \(failures)")
            now += pause
        }
        let other = try await add(.make(timers: [now - 1]))
        expect(try await due(by: now).first, other, "a session that has not failed comes first")
        journal.endLeases(of: [session])
        journal.rest([session], from: Timestamp(seconds: now))
        expect(try await due(by: now), [session], "a session without a lease does not rest")
        journal.rest([session], from: Timestamp(seconds: now))
        expect(try await due(by: now + 1), [session], "after a success the failures are reset")
        try await journal.append(.make(version: 1, wake: 30), to: session).value
        for session in [session, other] { try await journal.end(session, at: nil).value }
    }

    private mutating func checkEnds() async throws {
        let ended = try await add(.make(timers: [10]))
        let expired = try await add(.make(timers: [20]), until: 5)
        expect(try await journal.lease(ended).value, true, "a lease of a session that ends")
        try await journal.end(ended, at: 0).value
        // It may take a while.
        let patience = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < patience, try await journal.head(of: expired).value != nil {
            journal.expire(by: Timestamp(seconds: 5))
        }
        expect(try await pending(expired), nil, "pending work of an expired session")
        expect(try await journal.renewLeases(of: [ended]).value, [], "a lease does not outlive its session")
        expect(try await due(by: 1_000), [], "no ended session is due")
    }
}
