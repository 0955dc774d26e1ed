import Coordinate
import CoordinateSessions
import CoordinateTesting
import Dispatch
import Glibc
import Logging
import Racing
import SeededGenerator
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The racing app on a server of its own, with whatever a test wants to have different.
nonisolated(nonsending) func withRacing<Result>(
    clock: SessionClock = .system,
    journal: any Journal = MemoryJournal(),
    logger: Logger = .silent,
    configuration: ServerConfiguration = .make(),
    over transport: TestTransport = .socket,
    _ body: nonisolated(nonsending) (TestServer) async throws -> Result
) async throws -> Result {
    try await withApp(
        try RacingApp.make(), clock: clock, journal: journal, logger: logger, configuration: configuration,
        over: transport, body)
}

/// Any app on a server of its own.
nonisolated(nonsending) func withApp<Result>(
    _ app: any CoordinatedApp,
    clock: SessionClock = .system,
    journal: any Journal = MemoryJournal(),
    logger: Logger = .silent,
    configuration: ServerConfiguration = .make(),
    over transport: TestTransport = .socket,
    _ body: nonisolated(nonsending) (TestServer) async throws -> Result
) async throws -> Result {
    let server = try Server(app: app, configuration: configuration, logger: logger, clock: clock, journal: journal)
    return try await withServer(server, over: transport, body)
}

extension Server {
    /// Stops on a thread of its own, since stopping waits for requests under way: as long as a busy machine needs.
    func stopElsewhere() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.stop(deadline: .seconds(60))
                continuation.resume()
            }
        }
    }
}

extension ServerConfiguration {
    /// A free port, and what is told.
    static func make(
        publicFolder: String? = nil, apiKey: String = "", maximumSessions: Int = 1_000, sessionIdleTime: Int = 1_800,
        sessionPassivationTime: Int = 300, maximumEvents: Int = 100_000, workers: Int = 0,
        onChange: AppChangePolicy = .quarantine, maximumMemory: Int = 0
    ) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.page = publicFolder.map { .folder($0) } ?? .none
        configuration.apiKey = apiKey
        configuration.maximumSessions = maximumSessions
        configuration.sessionIdleTime = sessionIdleTime
        configuration.sessionPassivationTime = sessionPassivationTime
        configuration.maximumEvents = maximumEvents
        configuration.workers = workers
        configuration.onChange = onChange
        configuration.maximumMemory = maximumMemory
        return configuration
    }
}

extension SessionClient {
    /// The value of one of the server's metrics.
    func metric(_ name: String) async throws -> Int {
        let lines = try await get("/metrics").text.split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("\(name) ") }, "no metric \(name)")
        return try #require(Int(line.dropFirst(name.count + 1)))
    }

    /// Goes past the splash screen.
    @discardableResult
    func start() async throws -> Document.Route {
        try await #require(emit("splash.didFinish").route)
    }

    /// Goes to a team's details.
    @discardableResult
    func showTeam(_ team: String = "ferrari") async throws -> Document.Route {
        try await start()
        return try await #require(emit("teams.didSelect", ["team": .string(team)]).route)
    }

    /// Does one thing after another of what the state offers, at random but the same each time.
    func walk(steps: Int, seed: UInt64) async throws {
        var generator = SeededGenerator(state: seed)
        var route = try await route()
        for _ in 0..<steps {
            let action = try #require(route.offeredActions.randomElement(using: &generator))
            route = try #require(try await emit(action).route)
        }
    }

    /// The path of this client's session, which has been made.
    var base: String { "/sessions/\(sessionID ?? "none")" }

    /// How many sessions the server has, with their trees and without.
    func gauges() async throws -> [Int] {
        [try await metric("coordinate_sessions"), try await metric("coordinate_sessions_passive")]
    }
}

extension ServerAnswer {
    var problem: Document.Problem {
        get throws { try decode(Document.Problem.self) }
    }

    /// Whether this is a refusal of a kind.
    func isProblem(_ type: String, _ status: Int) -> Bool {
        let problem = try? problem
        return self.status == status && problem?.status == status && problem?.type == "/problems/\(type)"
            && header("Content-Type") == "application/problem+json"
    }

    /// What the next client of the same session has to send.
    var sessionHeaders: [String: String] {
        get throws { ["Session": try #require(header("Session"))] }
    }
}

/// Asks again until a condition holds, for two minutes at most. What does not hold at once may be waiting for a thread that
/// leaves the processors to all others: so after some questions it has a moment to itself.
nonisolated(nonsending) func waitUntil(
    _ what: Comment, _ condition: nonisolated(nonsending) () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(120)
    var questions = 0
    var isLast = false
    while !isLast {
        // On a busy machine all that time may pass between two questions: then it is asked once more.
        isLast = ContinuousClock.now >= end
        if try await condition() { return }
        questions += 1
        if questions < 100 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(1)) }
    }
    Issue.record(what)
}

/// Looks again until a condition holds that the server's own threads see to, and lets nobody else go first: for what has
/// to follow at once.
func waitHere(_ what: Comment, _ condition: () -> Bool) {
    for _ in 0..<1_000_000 {
        if condition() { return }
        sched_yield()
    }
    Issue.record(what)
}
