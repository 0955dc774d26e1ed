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

    @Test func theHostIsNotifiedOfBeginningsAndEndsAndTheAppIsNot() async throws {
        let (app, clock, journal) = (DiaryApp(), ManualClock(), MemoryJournal())
        let diary = app.diary
        var hooks = SessionHooks()
        hooks.didBegin = { _ in diary.append("session begins") }
        hooks.didEnd = { _ in diary.append("session ends") }
        let registry = SessionRegistry(
            SessionHost(
                app: HostedApp(app, logger: .silent), journal: journal, clock: clock.clock,
                limits: .make(idleTime: 100), executor: InlineExecutor.shared, hooks: hooks,
                encode: { state, session, version in StateRoute(state, of: session, version: version) }))
        let session = try await registry.begin().session
        #expect(diary.flush() == ["start", "activate", "session begins"])
        _ = try await registry.fork(session, at: 0)
        #expect(diary.flush().last == "session begins")
        try await registry.end(session)
        #expect(diary.flush() == ["session ends"])
        // Sessions of other apps expire as well.
        try await journal.create(.make(app: "Other"), with: [], until: clock.clock.moment(at: 1_100), limit: 9)
        clock.advance(by: 200)
        registry.sweep()
        #expect(diary.flush() == ["session ends"])
        #expect(registry.count == 0)
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
    case tick
}

extension DiaryEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "diary", .event("tick", .tick))
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
        guard case DiaryEvents.tick = event else { return false }
        perform("tick", after: .zero, DiaryEvents.tick)
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
