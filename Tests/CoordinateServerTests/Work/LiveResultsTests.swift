import Coordinate
import CoordinateSessions
import CoordinateTesting
import Racing
import SessionFixtures
import Synchronization
import Testing

/// The racing app's results on a server: loaded after the requesting event, and recorded.
struct LiveResultsTests {
    private let source = CountedResults()

    private func withLiveResults(
        journal: any Journal = MemoryJournal(), _ body: (TestServer) async throws -> Void
    ) async throws {
        try await withServer(app: RacingApp.make(resultsSource: source), journal: journal) { try await body($0) }
    }

    /// A client that has opened a driver's details.
    private func opened(_ server: TestServer, _ path: String = "/main/drivers/driver/leclerc") async throws
        -> SessionClient
    {
        try await server.client(options: ["liveResults": true], at: path)
    }

    @Test func theResultsArriveAfterTheEventThatRequestedThem() async throws {
        try await withLiveResults { server in
            let client = try await opened(server)
            let route = try await client.settle()
            #expect(route.screen.status == "ready")
            #expect(route.screen.rows.map(\.title) == ["Ferrari", "Spanish Grand Prix", "Monaco Grand Prix"])
            let events = try await client.journal().events
            #expect(events.map(\.event) == ["navigation.open", "results.didLoad"])
            #expect(events.map(\.origin) == ["client", "work"])
            #expect(events.map(\.pending) == [nil, "1-1"])
            #expect(events.map(\.path) == ["/main/drivers/driver/leclerc", "/main/drivers/driver/leclerc"])
            #expect(events.last?.payload == ["results": "3 Spanish Grand Prix\nNC Monaco Grand Prix"])
            #expect(source.drivers == ["leclerc"])
        }
    }

    @Test func theDefaultSourceIsTheSeason() async throws {
        try await withServer(app: RacingApp.make()) { server in
            let route = try await opened(server).settle()
            #expect(route.screen.rows.map(\.subtitle).suffix(3) == ["Place 3", "Place 2", "Place 6"])
        }
    }

    @Test func loadingIsShown() async throws {
        source.hold()
        try await withLiveResults { server in
            let client = try await opened(server)
            let route = try await client.route()
            #expect(route.screen.status == "loading")
            #expect(route.pending.map(\.name) == ["results"])
            #expect(route.pending.map(\.at) == [route.leaf])
            #expect(try await client.session().pending == 1)
            source.release()
            #expect(try await client.settle().screen.rows.count == 3)
            #expect(try await client.session().pending == 0)
        }
    }
}

/// A source that counts its requests, and that can be told to wait.
final class CountedResults: ResultsSource {
    private struct State {
        var drivers: [String] = []
        var isHeld = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The drivers whose results were requested.
    var drivers: [String] { state.withLock { $0.drivers } }

    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isHeld = false
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func lastResults(ofDriver id: String) async throws -> [RaceResult] {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                state.drivers.append(id)
                if state.isHeld { state.waiting.append(continuation) }
                return state.isHeld
            }
            if !isHeld { continuation.resume() }
        }
        return [
            RaceResult(race: "Spanish Grand Prix", position: 3), RaceResult(race: "Monaco Grand Prix", position: nil),
        ]
    }
}
