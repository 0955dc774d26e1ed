import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `POST /sessions/{id}/forks`: a new session with the first events of another one.
struct ForkTests {
    @Test(arguments: [0, 1, 13, 30]) func aForkEqualsTheOriginalAtItsVersion(version: Int) async throws {
        try await withRacing(clock: ManualClock().clock) { server in
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
    }

    @Test func forkAndOriginalAreIndependent() async throws {
        try await withRacing(clock: ManualClock().clock) { server in
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
    }

    @Test func theResponseIsThatOfANewSession() async throws {
        let clock = ManualClock()
        try await withRacingClient(clock: clock.clock) { client in
            try await client.showTeam()
            clock.advance(by: 60)
            let answer = try await client.post("\(client.base)/forks", json: ["version": 1])
            #expect(answer.status == 201)
            let session = try answer.decode(Document.Session.self)
            #expect(session.id != client.sessionID)
            #expect(session.version == 1)
            #expect(session.path == "/main/teams")
            #expect(session.createdAt == "2026-11-21T09:31:00Z")
            #expect(session.lastEventAt == "2026-11-21T09:30:00Z")
            #expect(session.state == "passive")
            #expect(session.parent?.session == client.sessionID)
            #expect(session.parent?.version == 1)
            #expect(try await client.session().parent == nil)
            #expect(answer.header("Location") == "/sessions/\(session.id)")
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(answer.header("Set-Cookie") == nil)
            // The time of the event is that of the original.
            let entry = try await client.get("\(session.links.events)").decode(Document.Journal.self).events.first
            #expect(entry?.time == "2026-11-21T09:30:00Z")
        }
    }

    /// A fork request that is refused.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let body: String
        var type = "application/json"
        let status: Int
        let problem: String
        var pointer: JSON?

        var testDescription: String { "\(type): \(body)" }
    }

    static let refusals = [
        Refusal(body: "{}", status: 400, problem: "malformed-request", pointer: "/version"),
        Refusal(body: #"{"version": -1}"#, status: 400, problem: "malformed-request", pointer: "/version"),
        Refusal(body: #"{"version": "1"}"#, status: 400, problem: "malformed-request", pointer: "/version"),
        Refusal(body: #"{"version": 1.5}"#, status: 400, problem: "malformed-request", pointer: "/version"),
        Refusal(body: #"{"version": 1, "more": true}"#, status: 422, problem: "unknown-field", pointer: "/more"),
        Refusal(body: #"{"version": 1, "work": "begun"}"#, status: 400, problem: "malformed-request", pointer: "/work"),
        Refusal(body: #"{"version": 1, "work": null}"#, status: 400, problem: "malformed-request", pointer: "/work"),
        Refusal(body: #"{"version": 1, "work": true}"#, status: 400, problem: "malformed-request", pointer: "/work"),
        Refusal(body: #"{"version": 3, "work": "withheld"}"#, status: 404, problem: "version-not-found"),
        Refusal(body: #"{"version": null}"#, status: 400, problem: "malformed-request", pointer: "/version"),
        Refusal(body: "[1]", status: 400, problem: "malformed-request", pointer: "/version"),
        Refusal(body: "1", status: 400, problem: "malformed-request", pointer: "/version"),
        Refusal(body: "", status: 400, problem: "malformed-json"),
        Refusal(body: #"{"version": 1"#, status: 400, problem: "malformed-json"),
        Refusal(body: #"{"version": 1}"#, type: "text/plain", status: 415, problem: "unsupported-media-type"),
        Refusal(body: #"{"version": 1}"#, type: "application/x-ndjson", status: 415, problem: "unsupported-media-type"),
        Refusal(body: #"{"version": 3}"#, status: 404, problem: "version-not-found"),
        Refusal(body: #"{"version": 9223372036854775807}"#, status: 404, problem: "version-not-found"),
    ]

    @Test(arguments: refusals) func aRefusedForkCreatesNothing(refusal: Refusal) async throws {
        let app = TestApp()
        try await withClient(of: app) { client in
            for number in 1...2 { try await client.emit("test.push", ["number": .int(number)]) }
            let living = app.lives.living
            let answer = try await client.request(
                "POST", "\(client.base)/forks", headers: ["Content-Type": refusal.type],
                body: Array(refusal.body.utf8))
            #expect(answer.isProblem(refusal.problem, refusal.status))
            #expect(try answer.json["pointer"] == refusal.pointer)
            #expect(answer.header("Location") == nil)
            #expect(try await client.gauges() == [1, 0])
            #expect(app.lives.living == living)
            #expect(try await client.session().version == 2)
        }
    }

    @Test(.racing, arguments: ["AAAAAAAAAAAAAAAAAAAAAA", "x", "%2F"])
    func anUnknownSessionCannotBeForked(id: String) async throws {
        let answer = try await client.post("/sessions/\(id)/forks", json: ["version": 0])
        #expect(answer.isProblem("session-not-found", 404))
        #expect(try await client.gauges() == [0, 0])
    }

    @Test func aForkThatTheJournalRefusesCreatesNothing() async throws {
        let journal = FaultyJournal()
        try await withRacingClient(journal: journal) { client in
            try await client.showTeam()
            journal.fail(with: .unavailable)
            let answer = try await client.post("\(client.base)/forks", json: ["version": 2])
            #expect(answer.isProblem("journal-unavailable", 503))
            #expect(try await client.gauges() == [1, 0])
            journal.fail(with: nil)
            #expect(try await client.fork(at: 2).session().version == 2)
        }
    }

    @Test(.serving(TestApp())) func aForkInheritsNoIdempotencyKeys() async throws {
        let key = ["Idempotency-Key": "a"]
        let event: JSON = ["event": "test.push", "payload": ["number": 1]]
        #expect(try await client.post("/events", json: event, headers: key).status == 200)
        let fork = try await client.fork(at: 1)
        let answer = try await fork.post("/events", json: event, headers: key)
        #expect(try answer.decode(Document.Outcome.self).version == 2)
        let other = try await client.fork(at: 1)
        #expect(try await other.post("/events", json: ["event": "navigation.back"], headers: key).status == 200)
        #expect(try await client.session().version == 1)
    }

    @Test func concurrentForksAreEqual() async throws {
        try await withRacing(clock: ManualClock().clock, configuration: .make(workers: 4), over: .socket) { server in
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
