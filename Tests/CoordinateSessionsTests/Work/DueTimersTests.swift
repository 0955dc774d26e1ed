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
    private func session(in registry: SessionRegistry, _ timers: (Int, String)...) throws -> Session {
        let session = try registry.begin().now().session
        for (delay, name) in timers { try session.set(delay, name) }
        #expect(try session.title == "-")
        clock.advance(by: 60)
        return session
    }

    @Test func aReaderSeesThem() async throws {
        let registry = registry()
        for read in [
            { try $0.title }, { try $0.navigationState().now().state.screen.title },
            { session in
                let follower = CountingFollower()
                _ = try session.follow(follower) { _, route in route.asState.state.screen.title == "-a" }.now()
                return try session.title
            },
        ] as [(Session) throws -> String?] {
            let session = try session(in: registry, (10, "a"))
            #expect(session.publishedRoute == nil)
            #expect(try read(session) == "-a")
            #expect(try session.summary().now().head.version == 2)
            let entry = try #require(try session.journal.last)
            #expect(entry.origin == .timer)
            #expect(entry.pending == "1-1")
            #expect(entry.at == "AlarmCoordinator")
        }
    }

    @Test func thePublishedRouteIsReadUntilTheyAreDue() throws {
        let session = try registry().begin().now().session
        try session.set(10, "a")
        _ = try session.title
        clock.advance(by: 9)
        #expect(session.publishedRoute?.asState.version == 1)
        clock.advance(by: 1)
        #expect(session.publishedRoute == nil)
    }

    @Test func theyPrecedeTheNextEventInTheOrderOfTheirTimes() throws {
        let session = try session(in: registry(), (30, "c"), (10, "a"), (20, "b"), (10, "a2"), (90, "later"))
        let outcome = session.inject(.alarm(0, "next", if: VersionCondition(isOneOf: .some([5])))).result
        guard case .failure(.versionConflict(current: 9)) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(try session.title == "-aa2bc")
        #expect(try session.journal.compactMap(\.pending) == ["2-1", "4-1", "3-1", "1-1"])
    }

    @Test func aTimerThatSetsTheNextOneDelaysNoRequest() throws {
        let session = try session(in: registry(), (10, "chain"))
        #expect(try session.title == "-chain")
        #expect(try session.title == "-chainchain")
    }

    @Test(arguments: [false, true]) func theyFireAfterARestart(isRead: Bool) async throws {
        let journal = MemoryJournal()
        let id = try session(in: registry(journal), (10, "a")).id
        let session = try registry(journal).find(id).now()
        if isRead {
            let known = VersionCondition.Versions.some([1])
            #expect(try session.route(unless: known).now().route?.state.screen.title == "-a")
        } else {
            try session.set(100, "b")
            #expect(try session.journal.map(\.origin) == [.client, .timer, .client])
        }
    }

    @Test func eachFiresOnceOnServersThatShareAJournal() throws {
        let store = MemoryJournal()
        let one = registry(FaultyJournal(store, isShared: true))
        let other = registry(FaultyJournal(store, isShared: true))
        let session = try session(in: one, (10, "a"), (20, "b"))
        let same = try other.find(session.id).now()
        #expect(try same.title == "-ab")
        #expect(try session.title == "-ab")
        one.sweep()
        other.sweep()
        #expect(try session.journal.map(\.pending) == [nil, nil, "1-1", "2-1"])
    }

    @Test func theStaleServerLearnsThatTheyHaveFired() throws {
        let store = MemoryJournal()
        let one = registry(FaultyJournal(store, isShared: true))
        let session = try session(in: one, (10, "a"))
        _ = try registry(FaultyJournal(store, isShared: true)).find(session.id).now().title
        try session.set(10, "b")
        #expect(try session.journal.map(\.origin) == [.client, .timer, .client])
        #expect(try session.title == "-a")
    }

    // MARK: Timers that cannot fire

    @Test func nothingIsShownWhileTheJournalIsAway() throws {
        let journal = FaultyJournal()
        let session = try session(in: registry(journal), (10, "a"))
        journal.fail(with: .unavailable)
        for _ in 0..<2 {
            guard case .failure(.journal(.unavailable))? = session.route().result else {
                Issue.record("The route was shown.")
                return
            }
        }
        journal.fail(with: nil)
        #expect(try session.title == "-a")
    }

    @Test func readersWaitForAJournalThatIsSlow() async throws {
        let journal = FaultyJournal()
        let session = try session(in: registry(journal), (10, "a"))
        journal.hold()
        let reading = session.route()
        #expect(reading.result == nil)
        #expect(session.publishedRoute == nil)
        journal.release()
        #expect(try await reading.value.route?.state.screen.title == "-a")
    }

    @Test func aTimerWhoseTurnFailsBacksOff() throws {
        let session = try session(in: registry(), (10, "fail"), (20, "a"))
        #expect(try session.title == "-a")
        let attempts = app.attempts.count
        #expect(attempts == 1)
        // It blocks nothing, and the route is at hand again.
        #expect(session.publishedRoute != nil)
        try session.set(100, "b")
        #expect(app.attempts.count == attempts)
        clock.advance(by: 60)
        #expect(session.publishedRoute == nil)
        _ = try session.title
        #expect(app.attempts.count == attempts + 1)
    }

    @Test func aSessionThatTakesNoMoreEventsIsShown() throws {
        let registry = SessionRegistry.make(app: app, clock: clock.clock, limits: .make(maximumEvents: 1))
        let session = try session(in: registry, (10, "a"))
        #expect(try session.title == "-")
        #expect(session.publishedRoute != nil)
    }
}

extension Session {
    fileprivate func set(_ delay: Int, _ name: String) throws { _ = try inject(.alarm(delay, name)).now() }

    fileprivate var title: String? { get throws { try state.screen.title } }
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
