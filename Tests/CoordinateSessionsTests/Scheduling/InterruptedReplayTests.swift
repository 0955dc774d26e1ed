import Coordinate
import SeededGenerator
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSessions

/// Replays that are interrupted, shared, and given up.
struct InterruptedReplayTests {
    private let journal = MemoryJournal()
    private let app = TestApp()

    /// The id of a session with a number of events.
    private func session(events: Int, seed: UInt64 = 1) throws -> SessionID {
        let session = try SessionRegistry.make(app: app, journal: journal).begin().now().session
        var generator = SeededGenerator(state: seed)
        for _ in 0..<events {
            let event: EventInjection =
                Int.random(in: 0..<3, using: &generator) == 0
                ? .make("navigation.back") : .push(Int.random(in: 1...99, using: &generator))
            _ = try session.inject(event).now()
        }
        return session.id
    }

    /// Sessions of the same journal, on lanes that the test moves.
    private func registry(_ bench: Workbench) -> SessionRegistry {
        SessionRegistry.make(app: app, journal: journal, scheduler: bench.scheduler(2))
    }

    /// Runs the lanes until there is a result.
    private func value<Value>(_ future: Future<Value, SessionError>, _ bench: Workbench) throws -> Value {
        bench.run()
        return try future.now()
    }

    /// A bench that interrupts every job after its first entry.
    private var hasty: Workbench { Workbench { .milliseconds(5) } }

    @Test(arguments: [0, 20])
    func insertedEventsAreEmittedInSlicesOnALane(after version: Int) throws {
        let bench = hasty
        let registry = registry(bench)
        let session = try registry.find(try session(events: 20)).now()
        var edits = HistoryEdits()
        for number in 0..<50 { edits.insert(EventInjection.push(number).event, after: version) }
        let fork = registry.fork(session, at: 20, editing: edits)
        #expect(fork.result == nil)
        #expect(bench.run() >= 70)
        #expect(try fork.now().report.inserted == 50)
        #expect(registry.host.budget.bytes(of: .replays) == 0)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func anInterruptedReplayLeadsToTheSameState(seed: UInt64) throws {
        let id = try session(events: 60, seed: seed)
        let steady = try SessionRegistry.make(app: app, journal: journal).find(id).now()
        let bench = Workbench(seed: seed)
        let registry = registry(bench)
        let session = try registry.find(id).now()
        for version in stride(from: 0, through: 60, by: 7) {
            let expected = try #require(try steady.route(at: version).now().route)
            let trees = app.trees.value
            let route = try #require(try value(session.route(at: version), bench).route)
            #expect(route.state == expected.state, "version \(version)")
            #expect(app.trees.value == trees + 1)
        }
        let trees = app.trees.value
        let woken = try #require(try value(session.route(), bench).route)
        #expect(woken.state == (try steady.route().now().route?.state))
        #expect(app.trees.value <= trees + 2)
        #expect(registry.host.counters.wakings == 1)
        let shown = Mutex<[Int]>([])
        let routes = session.forEachRoute(after: 3, upTo: 50) { version, _ in
            shown.withLock { $0.append(version) }
            return true
        }
        try value(routes, bench)
        #expect(shown.withLock { $0 } == Array(4...50))
        #expect(try value(session.inject(.push(7)), bench).version == 61)
    }

    @Test func longWorkContinuesOnALane() throws {
        let id = try session(events: 20)
        let bench = hasty
        let registry = registry(bench)
        let session = try registry.find(id).now()
        let past = session.route(at: 20)
        #expect(past.result == nil)
        let present = session.route()
        #expect(present.result == nil)
        #expect(try value(present, bench).route?.version == 20)
        #expect(try past.now().route?.version == 20)
    }

    @Test func requestsForTheSameVersionShareTheWork() throws {
        let id = try session(events: 20)
        let bench = hasty
        let session = try registry(bench).find(id).now()
        let trees = app.trees.value
        let askers = (0..<3).map { _ in Asker() }
        let routes = (0..<3).map { _ in session.route(at: 20) }
        for (route, asker) in zip(routes, askers) { route.whenDelivered(for: asker) { _ in } }
        let other = session.route(at: 19)
        askers[0].leave()
        askers[2].leave()
        bench.run()
        #expect(app.trees.value == trees + 2)
        for route in routes { #expect(try route.now().route?.version == 20) }
        #expect(try other.now().route?.version == 19)
        // Later requests begin anew.
        #expect(try value(session.route(at: 20), bench).route?.version == 20)
        #expect(app.trees.value == trees + 3)
    }

    @Test func aReplayIsCancelledIfNoClientWaits() throws {
        let id = try session(events: 20)
        let bench = hasty
        let session = try registry(bench).find(id).now()
        let (first, second) = (Asker(), Asker())
        let living = app.lives.living
        let route = session.route(at: 20)
        route.whenDelivered(for: first) { _ in }
        route.map(on: InlineExecutor.shared) { _ in }.whenDelivered(for: second) { _ in }
        first.leave()
        second.leave()
        // A request that arrives before the job is given up shares it; otherwise the job begins again.
        bench.run()
        #expect(throws: SessionError.self) { try route.now() }
        #expect(app.lives.living == living)
        #expect(try value(session.route(at: 20), bench).route?.version == 20)
    }

    @Test func aSessionIsNotWokenIfNoClientWaits() throws {
        let id = try session(events: 20)
        let bench = hasty
        let registry = registry(bench)
        let session = try registry.find(id).now()
        let askers = (0..<2).map { _ in Asker() }
        for asker in askers { session.route().whenDelivered(for: asker) { _ in } }
        for asker in askers { asker.leave() }
        bench.run()
        #expect(registry.host.counters.trees == 0)
        #expect(session.isIdle)
        let (gone, there) = (Asker(), Asker())
        let event = session.inject(.push(1))
        event.whenDelivered(for: gone) { _ in }
        let route = session.route()
        route.whenDelivered(for: there) { _ in }
        gone.leave()
        #expect(try value(route, bench).route != nil)
        #expect(registry.host.counters.trees == 1)
    }

    @Test func anImportIsReplayedInSlicesAndCancelledWithItsClient() throws {
        let bench = hasty
        let registry = registry(bench)
        let text = Array(TestApp.recording.joined(separator: "\n").utf8)
        let upload = try SessionImport(into: registry)
        for start in stride(from: 0, to: text.count, by: 100) {
            upload.read(Array(text[start..<min(start + 100, text.count)]))
        }
        #expect(registry.count == 0)
        let summary = upload.finish()
        #expect(summary.result == nil)
        #expect(try value(summary, bench).head.path == TestApp.recordedPath)
        let left = try SessionImport(into: registry)
        left.read(text)
        let asker = Asker()
        let nothing = left.finish()
        nothing.whenDelivered(for: asker) { _ in }
        asker.leave()
        bench.run()
        #expect(throws: SessionError.self) { try nothing.now() }
        #expect(registry.count == 1)
        #expect(registry.waitingImports.add(64 << 20, upTo: 64 << 20))
    }

    @Test func anImportRefusesALineThatIsTooLong() throws {
        let registry = SessionRegistry.make(app: app)
        let upload = try SessionImport(into: registry, maximumLineLength: 1_000)
        upload.read(Array((TestApp.recording[0] + "\n").utf8) + [UInt8](repeating: UInt8(ascii: "1"), count: 1_001))
        do throws(SessionError) {
            guard case .failure(let error)? = upload.finish().result else { return #expect(Bool(false)) }
            throw error
        } catch .invalidJournal(let line, _) {
            #expect(line == 2)
        } catch {
            Issue.record(error)
        }
    }
}
