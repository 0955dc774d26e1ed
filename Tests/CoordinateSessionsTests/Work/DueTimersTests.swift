import Coordinate
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSessions

/// A session whose timers are due, and that is met before any sweep: their effect is there.
@Suite(.timeLimit(.minutes(2))) struct DueTimersTests {
    private let clock = ManualClock()
    private let app = AlarmApp()

    private func registry(_ journal: any Journal = MemoryJournal()) -> SessionRegistry {
        .make(app: app, journal: journal, clock: clock.clock)
    }

    /// A session whose timers, with their delays and names, were set a minute ago.
    private func session(in registry: SessionRegistry, _ timers: (Int, String)...) async throws -> Session {
        let session = try await registry.begin().session
        for (delay, name) in timers { try await session.set(delay, name) }
        #expect(try await session.title == "-")
        clock.advance(by: 60)
        return session
    }

    @Test func aReaderSeesThem() async throws {
        let registry = registry()
        for read in [
            { session in try await session.title },
            { session in try await session.navigationState().state.screen.title },
            { session in
                let follower = CountingFollower()
                _ = try await session.follow(follower) { _, route in route.asState.state.screen.title == "-a" }
                return try await session.title
            },
        ] as [(Session) async throws -> String?] {
            let session = try await session(in: registry, (10, "a"))
            #expect(session.publishedRoute == nil)
            #expect(try await read(session) == "-a")
            #expect(try await session.summary().head.version == 2)
            let entry = try #require(try await session.journal.last)
            #expect(entry.origin == .timer)
            #expect(entry.pending == "1-1")
            #expect(entry.at == "AlarmCoordinator")
        }
    }

    @Test func thePublishedRouteIsReadUntilTheyAreDue() async throws {
        let session = try await registry().begin().session
        try await session.set(10, "a")
        _ = try await session.title
        clock.advance(by: 9)
        #expect(session.publishedRoute?.asState.version == 1)
        clock.advance(by: 1)
        #expect(session.publishedRoute == nil)
    }

    @Test func theyPrecedeTheNextEventInTheOrderOfTheirTimes() async throws {
        let session = try await session(in: registry(), (30, "c"), (10, "a"), (20, "b"), (10, "a2"), (90, "later"))
        let error = await failure {
            try await session.inject(.alarm(0, "next", if: VersionCondition(isOneOf: .some([5]))))
        }
        guard case .versionConflict(current: 9) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await session.title == "-aa2bc")
        #expect(try await session.journal.compactMap(\.pending) == ["2-1", "4-1", "3-1", "1-1"])
    }

    @Test func aTimerThatSetsTheNextOneDelaysNoRequest() async throws {
        let session = try await session(in: registry(), (10, "chain"))
        #expect(try await session.title == "-chain")
        #expect(try await session.title == "-chainchain")
    }

    @Test(arguments: [false, true]) func theyFireAfterARestart(isRead: Bool) async throws {
        let journal = MemoryJournal()
        let id = try await session(in: registry(journal), (10, "a")).id
        let session = try await registry(journal).find(id)
        if isRead {
            let known = VersionCondition.Versions.some([1])
            #expect(try await session.route(unless: known).route?.state.screen.title == "-a")
        } else {
            try await session.set(100, "b")
            #expect(try await session.journal.map(\.origin) == [.client, .timer, .client])
        }
    }

    @Test func eachFiresOnceOnServersThatShareAJournal() async throws {
        let store = MemoryJournal()
        let one = registry(FaultyJournal(store, isShared: true))
        let other = registry(FaultyJournal(store, isShared: true))
        let session = try await session(in: one, (10, "a"), (20, "b"))
        let same = try await other.find(session.id)
        #expect(try await same.title == "-ab")
        #expect(try await session.title == "-ab")
        one.sweep()
        other.sweep()
        #expect(try await session.journal.map(\.pending) == [nil, nil, "1-1", "2-1"])
    }

    @Test func theStaleServerLearnsThatTheyHaveFired() async throws {
        let store = MemoryJournal()
        let one = registry(FaultyJournal(store, isShared: true))
        let session = try await session(in: one, (10, "a"))
        _ = try await registry(FaultyJournal(store, isShared: true)).find(session.id).title
        try await session.set(10, "b")
        #expect(try await session.journal.map(\.origin) == [.client, .timer, .client])
        #expect(try await session.title == "-a")
    }

    // MARK: Timers that cannot fire

    @Test func nothingIsShownWhileTheJournalIsAway() async throws {
        let journal = FaultyJournal()
        let session = try await session(in: registry(journal), (10, "a"))
        journal.fail(with: .unavailable)
        for _ in 0..<2 {
            guard case .journal(.unavailable) = await failure({ try await session.route() }) else {
                Issue.record("The route was shown.")
                return
            }
        }
        journal.fail(with: nil)
        #expect(try await session.title == "-a")
    }

    @Test func readersWaitForAJournalThatIsSlow() async throws {
        let journal = FaultyJournal()
        let session = try await session(in: registry(journal), (10, "a"))
        journal.hold()
        let reading = Task.immediate { try await session.route() }
        #expect(session.publishedRoute == nil)
        journal.release()
        #expect(try await reading.value.route?.state.screen.title == "-a")
    }

    @Test func aTimerWhoseTurnFailsBacksOff() async throws {
        let session = try await session(in: registry(), (10, "fail"), (20, "a"))
        #expect(try await session.title == "-a")
        let attempts = app.attempts.count
        #expect(attempts == 1)
        // It blocks nothing, and the route is at hand again.
        #expect(session.publishedRoute != nil)
        try await session.set(100, "b")
        #expect(app.attempts.count == attempts)
        clock.advance(by: 60)
        #expect(session.publishedRoute == nil)
        _ = try await session.title
        #expect(app.attempts.count == attempts + 1)
    }

    @Test func aSessionThatTakesNoMoreEventsIsShown() async throws {
        let registry = SessionRegistry.make(app: app, clock: clock.clock, limits: .make(maximumEvents: 1))
        let session = try await session(in: registry, (10, "a"))
        #expect(try await session.title == "-")
        #expect(session.publishedRoute != nil)
    }
}

extension Session {
    fileprivate func set(_ delay: Int, _ name: String) async throws { _ = try await inject(.alarm(delay, name)) }

    fileprivate var title: String? { get async throws { try await state.screen.title } }
}

extension EventInjection {
    fileprivate static func alarm(
        _ delay: Int, _ name: String, if condition: VersionCondition = .none
    ) -> EventInjection {
        let fields = [PlainField("delay", .int(delay)), PlainField("name", .string(name))]
        return .make("alarm.set", .object(fields), if: condition)
    }
}

/// An app with timers, whose title is the names of those that have fired.
private struct AlarmApp: CoordinatedApp {
    let name = "Alarm"
    let version = "1"
    let events = EventCatalog(AlarmEvents.self)
    let routes = RouteCatalog()
    /// The timers that could not fire.
    let attempts = Attempts()

    func makeRootCoordinator() -> CoordinatorNode { AlarmCoordinator(attempts) }
}

private final class Attempts: Sendable {
    private let counter = Atomic(0)
    var count: Int { counter.load(ordering: .relaxed) }
    func increment() { counter.wrappingAdd(1, ordering: .relaxed) }
}

private enum AlarmEvents: DeclaredEvents {
    case set(_ delay: Int, _ name: String)
    case fired(_ name: String)

    static let declaration = EventDeclaration<Self>(
        "alarm",
        .event("set", Self.set, "delay", "name") {
            if case .set(let delay, let name) = $0 { (delay, name) } else { nil }
        },
        .event("fired", Self.fired, "name") { if case .fired(let name) = $0 { name } else { nil } }.appOnly
    )
}

private final class AlarmCoordinator: Coordinator<ViewController> {
    private let attempts: Attempts

    init(_ attempts: Attempts) {
        self.attempts = attempts
        super.init()
        rootViewController.title = "-"
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case AlarmEvents.set(let delay, let name): set(delay, name)
        case AlarmEvents.fired("fail"):
            attempts.increment()
            fail(with: SecretError())
        case AlarmEvents.fired(let name):
            rootViewController.title? += name
            if name == "chain" { set(0, name) }
        default: return false
        }
        return true
    }

    private func set(_ delay: Int, _ name: String) {
        perform(name, after: .seconds(delay), AlarmEvents.fired(name))
    }
}
