import Coordinate
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSessions

/// The release of a tree: the app is not called for it.
struct ReleaseTests {
    private let app = TestApp()
    private let clock = ManualClock()

    @Test func passivationStopsNothingInTheApp() async throws {
        let registry = SessionRegistry.make(app: app, clock: clock.clock)
        let id = try await registry.begin(with: .push(1)).session.id
        let stops = app.lives.stops.value
        clock.advance(by: 310)
        registry.sweep()
        #expect(registry.host.counters.trees == 0)
        #expect(app.lives.stops.value == stops)
        // A turn stops what it leaves.
        _ = try await registry.find(id).inject(.make("navigation.back"))
        #expect(app.lives.stops.value > stops)
    }

    @Test func theHostIsNotifiedOfBeginningsAndEnds() async throws {
        let notices = Mutex<[String]>([])
        let journal = MemoryJournal()
        var hooks = SessionHooks()
        hooks.didBegin = { _ in notices.withLock { $0.append("begin") } }
        hooks.didEnd = { _ in notices.withLock { $0.append("end") } }
        let registry = SessionRegistry(
            SessionHost(
                app: HostedApp(app, logger: .silent), journal: journal, clock: clock.clock,
                limits: .make(idleTime: 100), executor: InlineExecutor.shared, hooks: hooks,
                encode: { state, session, version in StateRoute(state, of: session, version: version) }))
        let session = try await registry.begin().session
        _ = try await registry.fork(session, at: 0)
        try await registry.end(session)
        #expect(notices.withLock(\.self) == ["begin", "begin", "end"])
        // Sessions of other apps expire as well.
        try await journal.create(.make(app: "Other"), with: [], until: clock.clock.moment(at: 1_100), limit: 9)
        clock.advance(by: 200)
        registry.sweep()
        #expect(notices.withLock(\.self) == ["begin", "begin", "end", "end"])
        #expect(registry.count == 0)
    }

    // MARK: Mistakes of an app

    @Test func aTimerThatSetsItselfAgainFiresOnceASweep() async throws {
        let registry = SessionRegistry.make(app: TurnApp(), clock: clock.clock)
        let session = try await registry.begin().session
        _ = try await session.inject(.set("again", after: 0))
        for _ in 0..<5 { registry.sweep() }
        #expect(try await session.summary().head.version == 6)
    }
}
