import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// A session whose work is withheld: nothing begins, no timer fires, and clients post the outcomes.
@Suite(.timeLimit(.minutes(2))) struct WithheldWorkTests {
    private let shop = Workshop()
    private static let page = "WorkCoordinator/WorkPageCoordinator"

    /// A fork of a session with work and a timer pending. The fork has accepted no event of its own.
    private func fork() async throws -> Session {
        let session = try await shop.begin()
        try await session.ask("pay")
        try await session.take("setTimer", "seconds", .int(10))
        _ = await shop.world.call(0)
        let summary = try await shop.registry.fork(session, at: 2, withholdingWork: true)
        #expect(summary.head.record.isWorkWithheld)
        #expect(summary.head.pending == 2)
        // The original plays no further part.
        try await shop.registry.end(session)
        return try await shop.registry.find(summary.head.record.id)
    }

    private func outcome(
        _ name: String, _ outcome: String? = nil, of pending: String, at coordinator: String? = nil
    ) -> EventInjection {
        let fields = outcome.map { [PlainField("outcome", .string($0))] } ?? []
        return EventInjection(
            EventRequest(name: name, payload: .object(fields), at: coordinator, pending: pending), wantsRoute: false)
    }

    /// Sweeps long after the timer is due.
    private func letTimePass() {
        for _ in 0..<3 {
            shop.clock.advance(by: 60)
            shop.registry.sweep()
        }
    }

    @Test func nothingBeginsAfterASleepOrInAnotherProcess() async throws {
        let id = try await fork().id
        shop.passivate()
        #expect(shop.registry.host.counters.trees == 0)
        #expect(try await shop.registry.find(id).state.pending.count == 2)
        letTimePass()
        shop.registry.drain()
        shop.registry.releaseAll()
        let other = Workshop(world: shop.world, clock: shop.clock, journal: shop.journal)
        other.registry.sweep()
        #expect(other.registry.host.counters.trees == 0)
        let session = try await other.registry.find(id)
        try await session.ask("ship")
        shop.clock.advance(by: 60)
        other.registry.sweep()
        #expect(shop.world.calls.count == 1)
        #expect(try await session.state.pending.map(\.id) == ["1-1", "2-1", "3-1"])
    }

    /// A store of a host's own may report it as due.
    @Test func noServerWorksOnAWithheldSessionThatIsDue() async throws {
        let session = try await fork()
        shop.clock.advance(by: 60)
        try await shop.registry.workScheduler.lookAfter(session, leasedAt: .now)
        #expect(shop.world.calls.count == 1)
        #expect(shop.registry.workScheduler.leased.isEmpty)
        #expect(try await session.summary().head.version == 2)
    }

    @Test func aPostedOutcomeEndsItsPieceInTheSameTurn() async throws {
        let session = try await fork()
        try await session.take("push")
        _ = try await session.inject(outcome("work.didFinish", "pay: receipt", of: "1-1"))
        #expect(try await session.state.pending.map(\.id) == ["2-1"])
        // It need not be due.
        _ = try await session.inject(outcome("work.didFire", of: "2-1", at: Self.page))
        #expect(try await session.state.pending.isEmpty)
        #expect(try await session.summary().head.pending == 0)
        _ = try await session.inject(.make("navigation.back"))
        #expect(try await session.notes == ["pay: receipt", "fired"])
        let entries = try await session.journal.suffix(3).dropLast()
        #expect(entries.map(\.origin) == [.client, .client])
        #expect(entries.map(\.pending) == ["1-1", "2-1"])
        #expect(entries.map(\.at) == [Self.page, Self.page])
        #expect(try await session.route(at: 4).route?.state.pending.map(\.id) == ["2-1"])
        shop.passivate()
        #expect(try await session.notes == ["pay: receipt", "fired"])
    }

    @Test func onlyForksOfAWithheldSessionAreWithheld() async throws {
        let session = try await fork()
        let second = try await shop.registry.fork(session, at: 1)
        #expect(second.head.record.isWorkWithheld)
        let copy = try await shop.registry.find(second.head.record.id)
        let third = try await shop.registry.fork(copy, at: 0)
        #expect(third.head.record.isWorkWithheld)
        letTimePass()
        #expect(shop.world.calls.count == 1)
        _ = try await copy.inject(outcome("work.didFinish", "pay: here", of: "1-1"))
        #expect(try await copy.notes == ["pay: here"])
        #expect(try await session.notes.isEmpty)
    }

    // MARK: Refusals

    /// An outcome that is refused in a session in which "1-1", work, and "2-1", a timer, are pending.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let event: String
        var payload: PlainValue = .object([])
        let pending: String
        var at: String?
        let words: String

        var testDescription: String { "\(event) of \(pending) at \(at ?? "")" }
    }

    static let refusals = [
        Refusal(event: "work.didFire", pending: "9-9", words: "Pending: 1-1, 2-1."),
        Refusal(event: "work.didFire", pending: "", words: "Pending: 1-1, 2-1."),
        Refusal(event: "work.didFinished", pending: "1-1", words: "There is no such event."),
        Refusal(event: "navigation.back", pending: "1-1", words: "not an outcome of pay."),
        Refusal(event: "work.look", pending: "2-1", words: "not an outcome of timer. Its outcomes: work.didFire."),
        Refusal(event: "work.didFire", pending: "2-1", at: "WorkCoordinator", words: "or use \(page)."),
        Refusal(event: "work.didFire", pending: "2-1", at: "Unknown", words: "or use \(page)."),
        Refusal(event: "work.didFinish", pending: "1-1", words: "\"outcome\""),
        Refusal(
            event: "work.didFinish", payload: .object([PlainField("outcome", .int(1))]), pending: "1-1",
            words: "\"outcome\""),
    ]

    @Test(arguments: refusals) func anInvalidOutcomeIsRefused(refusal: Refusal) async throws {
        let session = try await fork()
        let request = EventRequest(
            name: refusal.event, payload: refusal.payload, at: refusal.at, pending: refusal.pending)
        let error = await #expect(throws: SessionError.self) {
            try await session.inject(EventInjection(request, wantsRoute: false))
        }
        #expect(error?.description.contains(refusal.words) == true, "\(error?.description ?? "")")
        #expect(try await session.summary().head.version == 2)
        #expect(try await session.state.pending.count == 2)
    }

    @Test func anOutcomeIsPostedOnce() async throws {
        let session = try await fork()
        let event = outcome("work.didFinish", "pay: receipt", of: "1-1")
        _ = try await session.inject(event)
        #expect(await failure { try await session.inject(event) }?.word == "not pending: 2-1")
        #expect(try await session.notes == ["pay: receipt"])
    }

    @Test func ifWorkIsNotWithheldClientsCannotPostOutcomes() async throws {
        let session = try await shop.begin()
        try await session.ask("pay")
        _ = await shop.world.call(0)
        let posted = outcome("work.didFinish", "pay: x", of: "1-1")
        #expect(await failure { try await session.inject(posted) }?.word == "workNotWithheld")
        shop.world.finish("pay", with: "receipt")
        try await session.reaches(2)
        #expect(try await session.notes == ["pay: receipt"])
    }

    @Test func withoutAPendingPieceAnEventIsAsInAnyOtherSession() async throws {
        let session = try await fork()
        #expect(await failure { try await session.inject(.make("work.didFire")) }?.word == "eventNotAllowed")
        let event = EventRequest(WorkEvents.didHear("rain"), at: nil, origin: .host)
        _ = try await session.inject(EventInjection(event, wantsRoute: false))
        #expect(try await session.notes == ["heard rain"])
    }
}
