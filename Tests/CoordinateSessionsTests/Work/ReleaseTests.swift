import Coordinate
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSessions

/// The release of a tree: the app is not called for it.
struct ReleaseTests {
    @Test func passivationCallsNothingInTheApp() async throws {
        let (app, clock) = (DiaryApp(), ManualClock())
        let registry = SessionRegistry.make(app: app, clock: clock.clock)
        let id = try await registry.begin().session.id
        #expect(app.diary.flush() == ["start", "activate"])
        clock.advance(by: 310)
        registry.sweep()
        #expect(registry.host.counters.trees == 0)
        #expect(app.diary.flush().isEmpty)
        // When it wakes, it is started again, as in any replay.
        _ = try await registry.find(id).route()
        #expect(app.diary.flush() == ["start", "activate"])
    }

    @Test func theEndOfAHistoricalReplayCallsNothingInTheApp() async throws {
        let app = DiaryApp()
        let session = try await SessionRegistry.make(app: app).begin().session
        _ = try await session.inject(.make("diary.turnPage"))
        _ = app.diary.flush()
        _ = try await session.route(at: 0)
        #expect(app.diary.flush() == ["start", "activate"])
    }

    @Test func theEndOfASessionNotifiesTheHostOnly() async throws {
        let app = DiaryApp()
        let diary = app.diary
        var hooks = SessionHooks()
        hooks.didBegin = { _ in diary.append("session begins") }
        hooks.didEnd = { _ in diary.append("session ends") }
        let registry = SessionRegistry(
            SessionHost(
                app: HostedApp(app, logger: .silent), journal: MemoryJournal(), limits: .make(),
                executor: InlineExecutor.shared, hooks: hooks,
                encode: { state, session, version in StateRoute(state, of: session, version: version) }))
        let session = try await registry.begin().session
        #expect(diary.flush() == ["start", "activate", "session begins"])
        try await registry.end(session)
        #expect(diary.flush() == ["session ends"])
    }

    @Test func theHostIsNotifiedOfExpiryAndOfForks() async throws {
        let (diary, clock, journal) = (Diary(), ManualClock(), MemoryJournal())
        var hooks = SessionHooks()
        hooks.didBegin = { _ in diary.append("begins") }
        hooks.didEnd = { _ in diary.append("ends") }
        let registry = SessionRegistry(
            SessionHost(
                app: HostedApp(DiaryApp(), logger: .silent), journal: journal, clock: clock.clock,
                limits: .make(idleTime: 100), executor: InlineExecutor.shared, hooks: hooks,
                encode: { state, session, version in StateRoute(state, of: session, version: version) }))
        _ = try await registry.fork(try await registry.begin().session, at: 0)
        #expect(diary.flush() == ["begins", "begins"])
        // Sessions of other apps expire as well.
        try await journal.create(.make(app: "Other"), with: [], until: clock.clock.moment(at: 1_100), limit: 9)
        clock.advance(by: 200)
        registry.sweep()
        #expect(diary.flush() == ["ends", "ends"])
        #expect(registry.count == 0)
    }

    @Test func leavingWithinATurnCallsTheApp() async throws {
        let app = DiaryApp()
        let session = try await SessionRegistry.make(app: app).begin().session
        _ = app.diary.flush()
        _ = try await session.inject(.make("diary.turnPage"))
        #expect(app.diary.flush() == ["start", "deactivate", "stop", "activate"])
    }

    // MARK: Mistakes of an app

    @Test func aTimerThatSetsItselfAgainFiresOnceASweep() async throws {
        let clock = ManualClock()
        let registry = SessionRegistry.make(app: DiaryApp(), clock: clock.clock)
        let session = try await registry.begin().session
        _ = try await session.inject(.make("diary.tick"))
        for _ in 0..<5 { registry.sweep() }
        #expect(try await session.summary().head.version == 6)
    }

    @Test func aSlowTurnIsLogged() async throws {
        let log = LogCapture()
        let session = try await SessionRegistry.make(app: DiaryApp(), logger: log.logger).begin().session
        _ = try await session.inject(.make("diary.dawdle"))
        #expect(log.lines.contains { $0.contains("diary.dawdle took longer than 50 ms") })
    }
}

// MARK: An app that records its calls

private final class Diary: Sendable {
    private let lines = Mutex<[String]>([])

    func append(_ line: String) { lines.withLock { $0.append(line) } }

    func flush() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}

private struct DiaryApp: CoordinatedApp {
    let name = "Diary"
    let version = "1"
    let events = EventCatalog(DiaryEvents.self)
    let routes = RouteCatalog()
    let diary = Diary()

    func makeRootCoordinator() -> CoordinatorNode { DiaryCoordinator(diary) }
}

private enum DiaryEvents: CoordinateEvents, Equatable {
    case turnPage
    case dawdle
    case tick
}

extension DiaryEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "diary", .event("turnPage", .turnPage), .event("dawdle", .dawdle), .event("tick", .tick))
}

private final class DiaryCoordinator: ContainerCoordinator<ViewController> {
    private let diary: Diary

    init(_ diary: Diary) {
        self.diary = diary
        super.init()
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        root(PageCoordinator(diary))
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case DiaryEvents.turnPage: root(PageCoordinator(diary))
        case DiaryEvents.tick: perform("tick", after: .zero, DiaryEvents.tick)
        case DiaryEvents.dawdle:
            let begin = ContinuousClock.now
            while begin.duration(to: .now) < .milliseconds(60) {}
        default: return false
        }
        return true
    }
}

private final class PageCoordinator: Coordinator<ViewController> {
    private let diary: Diary

    init(_ diary: Diary) {
        self.diary = diary
        super.init()
    }

    override func start(with completion: @escaping () -> Void = {}) {
        diary.append("start")
        super.start(with: completion)
    }

    override func stop(with completion: @escaping () -> Void = {}) {
        diary.append("stop")
        super.stop(with: completion)
    }

    override func activate() { diary.append("activate") }
    override func deactivate() { diary.append("deactivate") }
}
