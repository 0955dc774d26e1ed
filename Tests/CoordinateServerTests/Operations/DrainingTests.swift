import CoordinateSessions
import CoordinateTesting
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// A server that is about to stop, with a request in progress.
struct DrainingTests {
    @Test func newRequestsAreRefusedAndEarlierOnesFinished() async throws {
        let journal = FaultyJournal()
        let server = try Server(
            app: try RacingApp.make(), configuration: .make(publicFolder: PublicFilesTests.shipped, workers: 4),
            logger: .silent, clock: .system, journal: journal)
        try await withServer(server, over: .socket) { running in
            let client = running.client()
            let id = try await client.newSession()
            journal.hold()
            async let outcome = client.post("/sessions/\(id)/events", json: ["event": "splash.didFinish"])
            await journal.waitUntilHeld()

            async let stopped: Void = server.stopElsewhere()
            let other = running.client()
            try await waitUntil("the server does not drain") { try await other.get("/readyz").status == 503 }
            for (method, path) in [
                ("GET", "/route"), ("POST", "/events"), ("POST", "/sessions"), ("GET", "/sessions/\(id)"),
                ("GET", "/catalog"), ("GET", "/map"), ("GET", "/metrics"), ("GET", "/"), ("GET", "/readyz"),
                ("GET", "/nowhere"),
            ] {
                let answer = try await other.request(method, path)
                #expect(answer.isProblem("draining", 503))
                #expect(answer.header("Retry-After").flatMap(Int.init) != nil)
                #expect(answer.header("Content-Type") == "application/problem+json")
                #expect(answer.header("Connection")?.lowercased() == "close")
            }
            #expect(try await other.get("/livez").status == 200)

            journal.release()
            let answer = try await outcome
            #expect(answer.status == 200)
            #expect(try answer.json["path"] == "/main/teams")
            await stopped
        }
    }

    /// The journal may still store it, so the client must not take it for refused.
    @Test func anEventWithoutAnOutcomeAtTheDeadlineIsUncertain() async throws {
        let journal = FaultyJournal()
        let server = try Server(
            app: try RacingApp.make(), configuration: .make(workers: 1), logger: .silent, clock: .system,
            journal: journal)
        try await withServer(server, over: .socket) { running in
            let client = running.client()
            _ = try await client.route()
            journal.hold()
            async let outcome = client.post("/events", json: ["event": "splash.didFinish"])
            await journal.waitUntilHeld()
            await server.stopElsewhere(deadline: .zero)
            #expect(try await outcome.isProblem("outcome-unknown", 504))
            journal.release()
        }
    }
}
