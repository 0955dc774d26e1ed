import Coordinate
import CoordinateSessions
import CoordinateTesting
import Racing
import SessionFixtures
import Synchronization
import Testing

/// The racing app's results on a server: loaded after the requesting event, recorded, and not loaded again by a replay.
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

    /// A source's internal error must not be shown.
    @Test func anUnexplainedFailureShowsNoDetails() async throws {
        try await withLiveResults { server in
            struct PasswordRefused: Error { let password = "swordfish" }
            source.fail(with: PasswordRefused())
            let client = try await opened(server)
            #expect(try await client.settle().screen.message == WorkFailure.unexplained.reason)
            #expect(try await !client.get("/events").text.contains("swordfish"))
        }
    }

    @Test func leavingCancelsTheRequestAndReturningRepeatsIt() async throws {
        source.hold()
        try await withLiveResults { server in
            let client = try await opened(server)
            try await client.emit("navigation.back")
            #expect(try await client.route().pending.isEmpty)
            source.release()
            try await client.emit("drivers.didSelect", ["driver": "leclerc"])
            let route = try await client.settle()
            #expect(route.screen.rows.count == 3)
            #expect(
                try await client.journal().events.map(\.event) == [
                    "navigation.open", "navigation.back", "drivers.didSelect", "results.didLoad",
                ])
        }
    }

    @Test func withoutTheOptionNothingIsLoaded() async throws {
        try await withLiveResults { server in
            let client = try await server.client(options: ["liveResults": false], at: "/main/drivers/driver/leclerc")
            let other = server.client()
            try await other.open("/main/drivers/driver/leclerc")
            for client in [client, other] {
                let route = try await client.settle()
                #expect(route.version == 1)
                #expect(route.screen.status == "ready")
                #expect(route.screen.rows.map(\.id) == ["ferrari"])
            }
            #expect(source.drivers.isEmpty)
        }
    }

    // MARK: Replays

    @Test func readingForkingImportingAndReplayingStartNoWork() async throws {
        try await withLiveResults { server in
            let client = try await opened(server)
            let settled = try await client.settle()
            #expect(source.drivers.count == 1)
            for version in 0...2 { _ = try await client.route(at: version) }
            #expect(try await client.route(at: 1).screen.status == "loading")
            let fork = try await client.fork(at: 2)
            #expect(try await fork.settle().screen == settled.screen)
            let journal = try await client.exportedJournal()
            let again = try await server.client(replaying: journal)
            #expect(try await again.settle().screen == settled.screen)
            #expect(try await again.session().options == ["liveResults": true])
            #expect(try RacingApp.make(resultsSource: source).replay(journal) == settled.path)
            #expect(source.drivers.count == 1)
        }
    }

    @Test func aForkRepeatsPendingWork() async throws {
        try await withLiveResults { server in
            let client = try await opened(server)
            try await client.settle()
            let fork = try await client.fork(at: 1)
            let route = try await fork.wait { $0.version == 2 }
            #expect(route.screen.rows.count == 3)
            #expect(source.drivers.count == 2)
            #expect(try await client.session().version == 2)
        }
    }

    @Test func aLaterServerContinuesPendingWork() async throws {
        let journal = MemoryJournal()
        let (session, screen) = try await withServer(app: RacingApp.make(resultsSource: source), journal: journal) {
            let client = try await opened($0)
            return (try #require(client.sessionID), try await client.settle().screen)
        }
        try await withLiveResults(journal: journal) { server in
            let route = try await server.client(headers: ["Session": session]).route()
            #expect(route.screen == screen)
        }
        #expect(source.drivers.count == 1)
    }
}

/// A source that counts its requests, and that can be told to fail or to wait.
final class CountedResults: ResultsSource {
    private struct State {
        var drivers: [String] = []
        var failure: (any Error)?
        var isHeld = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The drivers whose results were requested.
    var drivers: [String] { state.withLock { $0.drivers } }

    func fail(with failure: (any Error)?) { state.withLock { $0.failure = failure } }

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
        if let failure = state.withLock({ $0.failure }) { throw failure }
        return [
            RaceResult(race: "Spanish Grand Prix", position: 3), RaceResult(race: "Monaco Grand Prix", position: nil),
        ]
    }
}
