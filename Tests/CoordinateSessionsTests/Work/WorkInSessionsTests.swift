import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// Work in sessions: it begins after its commit, reports its outcome once, and has no effect in a replay.
@Suite(.timeLimit(.minutes(2))) struct WorkInSessionsTests {
    private let shop = Workshop()
    private let session: Session

    init() async throws { session = try await shop.begin() }

    @Test func workBeginsOnceItsEventIsCommitted() async throws {
        try await session.ask("pay")
        let call = await shop.world.call(0)
        #expect(call.key == "\(session.reference)/1-1")
        #expect(call.attempt == 1)
        #expect(try await session.state.pending.map(\.id) == ["1-1"])
        #expect(try await session.summary().head.pending == 1)
        shop.world.finish("pay", with: "receipt")
        try await session.reaches(2)
        #expect(try await session.notes == ["pay: receipt"])
        #expect(try await session.state.pending.isEmpty)
        #expect(try await session.summary().head.pending == 0)
        let reported = try #require(try await session.journal.last)
        #expect(reported.origin == .work)
        #expect(reported.pending == "1-1")
        #expect(reported.at == "WorkCoordinator/WorkPageCoordinator")
    }

    @Test func nothingBeginsIfTheTurnFailsOrTheJournalRefusesTheEvent() async throws {
        let journal = FaultyJournal()
        let shop = Workshop(journal: journal)
        let session = try await shop.begin()
        journal.fail(with: .unavailable)
        await #expect(throws: SessionError.self) { try await session.ask("pay") }
        journal.fail(with: nil)
        await #expect(throws: SessionError.self) { try await session.take("askAndFail", "name", .string("pay")) }
        try await session.ask("ship")
        #expect(await shop.world.call(0).name == "ship")
        #expect(shop.world.calls.count == 1)
    }

    @Test func lookBacksForksAndPassivationDoNotBeginWorkAgain() async throws {
        try await session.ask("pay")
        _ = await shop.world.call(0)
        #expect(try await session.route(at: 1).route?.state.pending.count == 1)
        // A failed turn releases the tree, and work under way continues.
        await #expect(throws: SessionError.self) { try await session.take("askAndFail", "name", .string("pay")) }
        shop.passivate()
        #expect(try await session.state.pending.count == 1)
        shop.world.finish("pay", with: "receipt")
        try await session.reaches(2)
        let fork = try await shop.registry.fork(session, at: 2)
        shop.passivate()
        let copy = try await shop.registry.find(fork.head.record.id)
        #expect(try await copy.notes == ["pay: receipt"])
        #expect(shop.world.calls.count == 1)
    }

    @Test func workIsCanceledWithItsCoordinatorItsSessionAndByName() async throws {
        try await session.take("push")
        try await session.ask("one")
        _ = await shop.world.call(0)
        _ = try await session.inject(.make("navigation.back"))
        await shop.world.cancellation(of: 0)
        try await session.ask("two")
        _ = await shop.world.call(1)
        try await session.take("cancel", "name", .string("two"))
        await shop.world.cancellation(of: 1)
        try await session.ask("three")
        _ = await shop.world.call(2)
        try await shop.registry.end(session)
        await shop.world.cancellation(of: 2)
        #expect(shop.registry.workScheduler.running == 0)
    }

    @Test func anOutcomeIsReportedWhenTheJournalIsBack() async throws {
        let journal = FaultyJournal()
        let shop = Workshop(journal: journal)
        let session = try await shop.begin()
        try await session.ask("pay")
        _ = await shop.world.call(0)
        journal.fail(with: .unavailable)
        shop.world.finish("pay", with: "receipt")
        while shop.registry.workScheduler.running > 0 { await Task.yield() }
        journal.fail(with: nil)
        let begin = ContinuousClock.now
        while try await session.summary().head.version < 2 {
            try #require(begin.duration(to: .now) < .seconds(60))
            shop.clock.advance(by: 1)
            shop.registry.sweep()
            await Task.yield()
        }
        #expect(try await session.notes == ["pay: receipt"])
        #expect(shop.world.calls.count == 1)
    }

    @Test func pendingWorkBeginsAgainInAnotherProcess() async throws {
        let journal = MemoryJournal()
        let first = Workshop(journal: journal)
        let id: SessionID
        let key: String
        do {
            let session = try await first.begin()
            id = session.id
            try await session.ask("pay")
            key = await first.world.call(0).key
            try await session.take("login", "password", .string("swordfish"))
            _ = await first.world.call(1)
        }
        first.registry.drain()
        first.registry.releaseAll()
        await first.world.cancellation(of: 0)
        let second = Workshop(clock: first.clock, journal: journal)
        second.registry.sweep()
        let call = await second.world.call(0)
        #expect(call.key == key)
        #expect(call.attempt == 2)
        second.world.finish("pay", with: "receipt")
        let session = try await second.registry.find(id)
        try await session.reaches(4)
        // The process that knew the secret is gone.
        #expect(try await Set(session.notes) == ["pay: receipt", "login failed: \(WorkFailure.secretLost)"])
        #expect(second.world.calls.count == 1)
    }

    @Test func workOfVersionZeroBeginsWithTheSession() async throws {
        let session = try await shop.begin(PlainField("asksAtStart", .bool(true)))
        #expect(try await session.summary().head.pending == 1)
        #expect(await shop.world.call(0).key == "\(session.reference)/0-1")
        #expect(await shop.world.call(0).attempt == 1)
        shop.world.finish("start", with: "hello")
        try await session.reaches(1)
        #expect(try await session.notes == ["start: hello"])
        let fork = try await shop.registry.fork(session, at: 0)
        #expect(fork.head.pending == 1)
    }

    // MARK: Limits, time and failures

    @Test func workBeyondTheLimitWaits() async throws {
        var limits = SessionLimits.make()
        limits.maximumWork = 20
        let shop = Workshop(limits: limits)
        let sessions = [try await shop.begin(), try await shop.begin()]
        for session in sessions {
            for number in 0..<18 { try await session.ask("\(number)") }
        }
        _ = await shop.world.call(19)
        #expect(shop.registry.workScheduler.running == 20)
        #expect(shop.world.calls.count { $0.key.hasPrefix(sessions[0].reference) } == 16)
        for number in 0..<18 {
            for _ in 0..<2 {
                while shop.world.finish("\(number)") == nil { await Task.yield() }
            }
        }
        for session in sessions { try await session.reaches(36) }
        #expect(shop.registry.workScheduler.running == 0)
    }

    @Test func anOutcomeThatIsRefusedIsRetriedLessAndLessOften() async throws {
        let log = LogCapture()
        let shop = Workshop(log: log, memory: 1 << 20)
        let vacancies = shop.registry.workScheduler.vacancies
        let session = try await shop.begin()
        try await session.ask("pay")
        _ = await shop.world.call(0)
        let budget = shop.registry.host.budget
        budget.charge(1 << 20, to: .imports)
        shop.world.finish("pay")
        while !log.lines.contains(where: { $0.contains("cannot be reported yet") }) { await Task.yield() }
        // The outcome is injected again after 2, 4 and 8 seconds.
        var versions: [Int] = []
        for second in 1...14 {
            if second == 7 { budget.charge(-(1 << 20), to: .imports) }
            shop.clock.advance(by: 1)
            shop.registry.sweep()
            versions.append(try await session.summary().head.version)
            // Once refused again, it takes no place of another session.
            if second == 2 { #expect(shop.registry.workScheduler.vacancies == vacancies) }
        }
        #expect(versions == Array(repeating: 1, count: 13) + [2])
    }

    @Test func workThatTakesTooLongFails() async throws {
        try await session.take("hurry", "name", .string("pay"))
        try await session.reaches(2)
        #expect(try await session.notes == ["pay failed: \(WorkFailure.timedOut)"])
        await shop.world.cancellation(of: 0)
    }

    @Test func workIsRetriedIfTheAppWantsThat() async throws {
        let no = WorkFailure("No.")
        shop.world.plan("pay", .failure(no), .failure(no), .success("receipt"))
        try await session.take("insist", "name", .string("pay"))
        try await session.reaches(2)
        #expect(try await session.notes == ["pay: receipt"])
        #expect(shop.world.calls.map(\.attempt) == [1, 2, 3])
        #expect(Set(shop.world.calls.map(\.key)).count == 1)
        shop.world.plan("ship", .failure(no), .failure(no), .failure(no))
        try await session.take("insist", "name", .string("ship"))
        try await session.reaches(4)
        #expect(try await session.notes.last == "ship failed: No.")
    }

    @Test func anErrorsTextIsLoggedAndNotReported() async throws {
        let log = LogCapture()
        let shop = Workshop(log: log)
        let session = try await shop.begin()
        shop.world.plan("pay", .failure(SecretError()))
        try await session.ask("pay")
        try await session.reaches(2)
        #expect(try await session.notes == ["pay failed: \(WorkFailure.unexplained)"])
        #expect(log.lines.contains { $0.contains("swordfish") })
    }

    // MARK: Secrets, and events that only the app may emit

    @Test func aSecretReachesWorkAndNothingElse() async throws {
        let log = LogCapture()
        let shop = Workshop(log: log)
        let session = try await shop.begin()
        let outcome = try await session.take("login", "password", .string("swordfish"))
        #expect(await shop.world.call(0).secret == "swordfish")
        shop.world.finish("login", with: "welcome")
        try await session.reaches(2)
        #expect(try await session.notes == ["login: welcome"])
        #expect(!String(reflecting: outcome.turn).contains("swordfish"))
        #expect(try await !String(reflecting: session.journal).contains("swordfish"))
        #expect(try await !String(reflecting: session.state).contains("swordfish"))
        #expect(!log.lines.joined().contains("swordfish"))
        await #expect(throws: SessionError.self) { try await session.take("login") }
        await #expect(throws: SessionError.self) { try await session.take("login", "password", .int(7)) }
    }

    @Test func workUnderWayKeepsItsSecretWhenTheTreeIsRebuilt() async throws {
        try await session.take("login", "password", .string("swordfish"))
        _ = await shop.world.call(0)
        await #expect(throws: SessionError.self) { try await session.take("askAndFail", "name", .string("pay")) }
        _ = try await session.state
        shop.world.finish("login", with: "welcome")
        try await session.reaches(2)
        #expect(try await session.notes == ["login: welcome"])
    }
}
