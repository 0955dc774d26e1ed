import Coordinate
import CoordinateSessions
import CoordinateTesting
import Dispatch
import Glibc
import Racing
import SeededGenerator
@_exported import ServerFixtures
import SessionFixtures
import Testing

@testable import CoordinateServer

extension Server {
    /// Stops the server on a separate thread, because stopping waits for requests in progress, on a busy machine for a
    /// while.
    func stopElsewhere(deadline: Duration = .seconds(60)) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.stop(deadline: deadline)
                continuation.resume()
            }
        }
    }
}

extension Endpoint {
    /// The endpoints of a server with web pages, tools for agents and the map.
    static let all = (try? Server(app: RacingApp.make(), configuration: .make()))?.api.router.endpoints ?? []
}

extension SessionClient {
    /// The value of one of the server's metrics.
    func metric(_ name: String) async throws -> Int {
        let lines = try await get("/metrics").text.split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("\(name) ") }, "no metric \(name)")
        return try #require(Int(line.dropFirst(name.count + 1)))
    }

    /// Leaves the splash screen.
    @discardableResult func start() async throws -> Document.Route {
        try await #require(emit("splash.didFinish").route)
    }

    /// Opens a team's details.
    @discardableResult func showTeam(_ team: String = "ferrari") async throws -> Document.Route {
        try await start()
        return try await #require(emit("teams.didSelect", ["team": .string(team)]).route)
    }

    /// Performs offered actions at random, always the same ones for a seed.
    func walk(steps: Int, seed: UInt64) async throws {
        var generator = SeededGenerator(state: seed)
        var route = try await route()
        for _ in 0..<steps {
            let action = try #require(route.offeredActions.randomElement(using: &generator))
            route = try #require(try await emit(action).route)
        }
    }

    /// The path of this client's session, which must exist.
    var base: String { "/sessions/\(sessionID ?? "none")" }

    /// The number of sessions with trees, and of those without.
    func gauges() async throws -> [Int] {
        [try await metric("coordinate_sessions"), try await metric("coordinate_sessions_passive")]
    }
}

extension ServerAnswer {
    var problem: Document.Problem { get throws { try decode(Document.Problem.self) } }

    /// Whether this is a problem of the given type.
    func isProblem(_ type: String, _ status: Int) -> Bool {
        let problem = try? problem
        return self.status == status && problem?.status == status && problem?.type == "/problems/\(type)"
            && header("Content-Type") == "application/problem+json"
    }
}

/// Repeats a check until it holds, without suspending. For conditions that the server's own threads fulfil, before
/// anything else runs.
func waitHere(_ what: Comment, _ condition: () -> Bool) {
    for _ in 0..<1_000_000 {
        if condition() { return }
        sched_yield()
    }
    Issue.record(what)
}
