import Coordinate
import Dispatch
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
    private func session(events: Int, seed: UInt64 = 1) async throws -> SessionID {
        let session = try await SessionRegistry.make(app: app, journal: journal).begin().session
        var generator = SeededGenerator(state: seed)
        for _ in 0..<events {
            let event: EventInjection =
                Int.random(in: 0..<3, using: &generator) == 0
                ? .make("navigation.back") : .push(Int.random(in: 1...99, using: &generator))
            _ = try await session.inject(event)
        }
        return session.id
    }

    /// Sessions of the same journal, on lanes that the test moves.
    private func registry(_ bench: Workbench) -> SessionRegistry {
        SessionRegistry.make(app: app, journal: journal, scheduler: bench.scheduler(2))
    }

    /// Runs the lanes until there is a result.
    private func value<Value: Sendable>(
        _ bench: Workbench, _ request: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let request = begin(request)
        bench.run()
        return try await request.value
    }

    /// A bench that interrupts every job after its first entry.
    private var hasty: Workbench { Workbench { .milliseconds(5) } }

    @Test(arguments: [0, 20])
    func insertedEventsAreEmittedInSlicesOnALane(after version: Int) async throws {
        let bench = hasty
        let registry = registry(bench)
        let session = try await registry.find(try await session(events: 20))
        var edits = HistoryEdits()
        for number in 0..<50 { edits.insert(EventInjection.push(number).event, after: version) }
        let fork = begin { [edits] in try await registry.fork(session, at: 20, editing: edits) }
        #expect(bench.run() >= 70)
        #expect(try await fork.value.report.inserted == 50)
        #expect(registry.host.budget.bytes(of: .replays) == 0)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func anInterruptedReplayLeadsToTheSameState(seed: UInt64) async throws {
        let id = try await session(events: 60, seed: seed)
        let steady = try await SessionRegistry.make(app: app, journal: journal).find(id)
        let bench = Workbench(seed: seed)
        let registry = registry(bench)
        let session = try await registry.find(id)
        for version in stride(from: 0, through: 60, by: 7) {
            let expected = try #require(try await steady.route(at: version).route)
            let trees = app.trees.value
            let route = try #require(try await value(bench) { try await session.route(at: version) }.route)
            #expect(route.state == expected.state, "version \(version)")
            #expect(app.trees.value == trees + 1)
        }
        let trees = app.trees.value
        let woken = try #require(try await value(bench) { try await session.route() }.route)
        #expect(woken.state == (try await steady.route().route?.state))
        #expect(app.trees.value <= trees + 2)
        #expect(registry.host.counters.wakings == 1)
        let shown = Mutex<[Int]>([])
        try await value(bench) {
            try await session.forEachRoute(after: 3, upTo: 50) { version, _ in
                shown.withLock { $0.append(version) }
                return true
            }
        }
        #expect(shown.withLock { $0 } == Array(4...50))
        #expect(try await value(bench) { try await session.inject(.push(7)) }.version == 61)
    }

    @Test func requestsForTheSameVersionShareTheWork() async throws {
        let id = try await session(events: 20)
        let bench = hasty
        let session = try await registry(bench).find(id)
        let trees = app.trees.value
        let routes = (0..<4).map { _ in begin { try await session.route(at: 20) } }
        let other = begin { try await session.route(at: 19) }
        routes[0].cancel()
        routes[2].cancel()
        bench.run()
        #expect(app.trees.value == trees + 2)
        for number in [1, 3] { #expect(try await routes[number].value.route?.version == 20) }
        for number in [0, 2] { await #expect(throws: SessionError.self) { try await routes[number].value } }
        #expect(try await other.value.route?.version == 19)
        // Later requests begin anew.
        #expect(try await value(bench) { try await session.route(at: 20) }.route?.version == 20)
        #expect(app.trees.value == trees + 3)
    }

    @Test func aReplayIsCancelledIfNoClientWaits() async throws {
        let id = try await session(events: 20)
        let bench = hasty
        let session = try await registry(bench).find(id)
        let living = app.lives.living
        let routes = (0..<2).map { _ in begin { try await session.route(at: 20) } }
        for route in routes { route.cancel() }
        bench.run()
        for route in routes { await #expect(throws: SessionError.self) { try await route.value } }
        #expect(app.lives.living == living)
        #expect(try await value(bench) { try await session.route(at: 20) }.route?.version == 20)
    }

    @Test func anImportIsReplayedInSlicesAndCancelledWithItsClient() async throws {
        let bench = hasty
        let registry = registry(bench)
        let text = Array(TestApp.recording.joined(separator: "\n").utf8)
        let upload = try SessionImport(into: registry)
        for start in stride(from: 0, to: text.count, by: 100) {
            upload.read(Array(text[start..<min(start + 100, text.count)]))
        }
        #expect(registry.count == 0)
        let summary = Task.immediate { try await upload.finish() }
        #expect(bench.run() > 1)
        #expect(try await summary.value.head.path == TestApp.recordedPath)
        let left = try SessionImport(into: registry)
        left.read(text)
        let nothing = Task.immediate { try await left.finish() }
        nothing.cancel()
        bench.run()
        await #expect(throws: SessionError.self) { try await nothing.value }
        #expect(registry.count == 1)
        #expect(registry.waitingImports.add(64 << 20, upTo: 64 << 20))
    }

    @Test func anImportRefusesALineThatIsTooLong() async throws {
        let registry = SessionRegistry.make(app: app)
        let upload = try SessionImport(into: registry, maximumLineLength: 1_000)
        upload.read(Array((TestApp.recording[0] + "\n").utf8) + [UInt8](repeating: UInt8(ascii: "1"), count: 1_001))
        let error = await failure { try await upload.finish() }
        guard case .invalidJournal(let line, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(line == 2)
    }

    /// The lanes are full.
    @Test func aRetryLearnsThatItsEventWasAcceptedIfTheOutcomeIsUnavailable() async throws {
        // Each reading of the clock advances it so far that only one entry is replayed at once.
        let bench = Workbench { .milliseconds(1) }
        let scheduler = bench.scheduler(longestStart: .milliseconds(1))
        let session = try await SessionRegistry.make(app: TestApp(), scheduler: scheduler).begin().session
        for _ in 1...9 { _ = try await session.inject(.push(1)) }
        let event = EventInjection.make("navigation.back", retry: Retry(key: "a", body: [], isMinimal: false))
        let first = try await session.inject(event)
        #expect(try await session.inject(event) === first)
        _ = try await session.inject(.push(1))

        let client = ClientKey(number: 1)
        session.recordUse(by: client)
        let lookBack = begin { try await session.route(at: 9, for: client) }
        let retry = begin { try await session.inject(event) }
        bench.run { scheduler.jobCount == 2 }
        while scheduler.jobCount == 2 { await Task.yield() }
        bench.run()
        #expect(await failure { try await retry.value }?.word == "outcomeUnavailable")
        #expect(try await lookBack.value.route?.version == 9)
        let again = begin { try await session.inject(event) }
        bench.run()
        #expect(try await again.value.version == first.version)
    }
}
