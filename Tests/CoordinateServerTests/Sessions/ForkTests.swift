import CoordinateSessions
import CoordinateTesting
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `POST /sessions/{id}/forks`: a new session with the first events of another one.
struct ForkTests {
    @Test(.racing(time: .manual), arguments: [0, 1, 13, 30]) func aForkEqualsTheOriginalAtItsVersion(
        version: Int
    ) async throws {
        let original = server.client()
        try await original.walk(steps: 30, seed: 21)
        let fork = try await original.fork(at: version)
        try await expectSame(fork, original, upTo: version)
        #expect(try await fork.session().version == version)
        #expect(try await fork.journal().events == Array(original.journal().events.prefix(version)))
        // Its tree is not needed yet.
        #expect(try await original.gauges() == [1, 1])
        #expect(try await fork.route().version == version)
        #expect(try await original.gauges() == [2, 0])
    }

    @Test(.racing(time: .manual)) func forkAndOriginalAreIndependent() async throws {
        let original = server.client()
        try await original.walk(steps: 10, seed: 22)
        let before = try await original.get("/route")
        let journal = try await original.exportedJournal()
        let fork = try await original.fork(at: 6)

        try await fork.walk(steps: 10, seed: 23)
        #expect(try await original.get("/route").body == before.body)
        #expect(try await original.exportedJournal() == journal)
        let route = try await fork.get("/route")
        try await original.walk(steps: 5, seed: 24)
        #expect(try await fork.get("/route").body == route.body)
        try await expectSame(fork, original, upTo: 6)

        #expect(try await original.delete(original.base).status == 204)
        #expect(try await fork.get("/route").body == route.body)
        #expect(try await fork.session().version == 16)
        #expect(try await fork.route(at: 3).version == 3)
    }

    @Test(.racing(time: .manual)) func theResponseIsThatOfANewSession() async throws {
        try await client.showTeam()
        manualClock.advance(by: 60)
        let answer = try await client.post("\(client.base)/forks", json: ["version": 1])
        #expect(answer.status == 201)
        let session = try answer.decode(Document.Session.self)
        #expect(session.path == "/main/teams")
        #expect(session.createdAt == "2026-11-21T09:31:00Z")
        #expect(session.lastEventAt == "2026-11-21T09:30:00Z")
        #expect(session.state == "passive")
        #expect(session.parent?.session == client.sessionID)
        #expect(session.parent?.version == 1)
        #expect(answer.header("Location") == "/sessions/\(session.id)")
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.header("Set-Cookie") == nil)
    }

    private static let refusals: [(body: String, type: String, status: Int, problem: String, pointer: JSON?)] = [
        ("{}", "application/json", 400, "malformed-request", "/version"),
        (#"{"version": -1}"#, "application/json", 400, "malformed-request", "/version"),
        (#"{"version": 1.5}"#, "application/json", 400, "malformed-request", "/version"),
        (#"{"version": null}"#, "application/json", 400, "malformed-request", "/version"),
        (#"{"version": 1, "more": true}"#, "application/json", 422, "unknown-field", "/more"),
        (#"{"version": 1, "work": "begun"}"#, "application/json", 400, "malformed-request", "/work"),
        (#"{"version": 1, "work": null}"#, "application/json", 400, "malformed-request", "/work"),
        (#"{"version": 3, "work": "withheld"}"#, "application/json", 404, "version-not-found", nil),
        ("[1]", "application/json", 400, "malformed-request", "/version"),
        ("", "application/json", 400, "malformed-json", nil),
        (#"{"version": 1}"#, "application/x-ndjson", 415, "unsupported-media-type", nil),
        (#"{"version": 9223372036854775807}"#, "application/json", 404, "version-not-found", nil),
    ]

    @Test(arguments: refusals) func aRefusedForkCreatesNothing(
        body: String, type: String, status: Int, problem: String, pointer: JSON?
    ) async throws {
        let app = TestApp()
        try await withClient(of: app) { client in
            for number in 1...2 { try await client.emit("test.push", ["number": .int(number)]) }
            let living = app.lives.living
            let answer = try await client.request(
                "POST", "\(client.base)/forks", headers: ["Content-Type": type], body: Array(body.utf8))
            #expect(answer.isProblem(problem, status))
            #expect(try answer.json["pointer"] == pointer)
            #expect(answer.header("Location") == nil)
            #expect(try await client.gauges() == [1, 0])
            #expect(app.lives.living == living)
        }
    }

    @Test(.racing(time: .manual, configuration: .make(workers: 4), over: .socket)) func concurrentForksAreEqual()
        async throws
    {
        let original = server.client()
        try await original.walk(steps: 20, seed: 26)
        let journal = try await original.exportedJournal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let fork = try await original.fork(at: 20)
                    #expect(try await fork.exportedJournal() == journal)
                    try await fork.emit("navigation.back")
                }
            }
            try await group.waitForAll()
        }
        #expect(try await original.exportedJournal() == journal)
        #expect(try await original.gauges() == [9, 0])
    }

    /// Checks that a fork equals its original up to a version, in its journal and its route.
    private nonisolated(nonsending) func expectSame(
        _ fork: SessionClient, _ original: SessionClient, upTo version: Int
    ) async throws {
        let id = try #require(original.sessionID)
        let other = try #require(fork.sessionID)
        let first = try await original.exportedJournal().split(separator: UInt8(ascii: "\n")).prefix(version + 1)
        let second = try await fork.exportedJournal().split(separator: UInt8(ascii: "\n")).prefix(version + 1)
        #expect(second == first)
        let there = try await original.get("/route?version=\(version)")
        let here = try await fork.get("/route?version=\(version)")
        #expect(here.status == 200)
        #expect(here.text.replacing(other, with: id) == there.text)
        #expect(here.header("ETag") != there.header("ETag"))
    }
}
