import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Forks and imports with withheld work, as clients see them.
struct WithheldWorkTests {
    private let world = World()
    private let clock = ManualClock()
    private static let page = "WorkCoordinator/WorkPageCoordinator"

    /// A session at version 2 in which the work "1-1" and the timer "2-1", due in ten seconds, are pending.
    private func original(on server: TestServer) async throws -> SessionClient {
        let client = server.client()
        try await client.emit("work.ask", ["name": "pay"])
        try await client.emit("work.setTimer", ["seconds": 10])
        _ = await world.call(0)
        return client
    }

    /// Advances the clock until the timer is due, and waits for the original's timer. Another session's timer would
    /// have fired by then.
    private func letTimersFire(in original: SessionClient) async throws {
        clock.advance(by: 60)
        try await original.wait { $0.version == 3 }
    }

    private func pending(_ client: SessionClient) async throws -> [String] {
        try await client.route().pending.map(\.id)
    }

    // MARK: Documents

    @Test func documentsShowThatWorkIsWithheld() async throws {
        try await withApp(WorkApp(world), clock: clock.clock) { server in
            let original = try await original(on: server)
            #expect(try await original.get(original.base).json["work"] == .null)
            let answer = try await original.post("\(original.base)/forks", json: ["version": 2, "work": "withheld"])
            #expect(answer.status == 201)
            #expect(try answer.json["work"] == "withheld")
            #expect(try answer.json["state"] == "passive")
            #expect(try answer.json["pending"] == 2)
            let fork = try await original.fork(at: 2, work: .withheld)
            #expect(try await fork.session().work == .withheld)
            _ = try await fork.route()
            #expect(try await fork.session().state == "live")
            #expect(try await fork.session().work == .withheld)
            let list = try await fork.get("/sessions").decode(Document.SessionPage.self).sessions
            #expect(list.count { $0.work == .withheld } == 2)
            #expect(list.count { $0.work == nil } == 1)
            let header = try await fork.exportedJournal().split(separator: UInt8(ascii: "\n")).first
            #expect(String(decoding: header ?? [], as: UTF8.self).hasSuffix(#","work":"withheld"}"#))
            let other = try await original.exportedJournal()
            #expect(!String(decoding: other, as: UTF8.self).contains("withheld"))
        }
    }

    // MARK: Journals

    @Test func anExportKeepsWithheldWork() async throws {
        try await withApp(WorkApp(world), clock: clock.clock) { server in
            let original = try await original(on: server)
            let fork = try await original.fork(at: 2, work: .withheld)
            try await fork.emit("work.didFinish", ["outcome": "pay: receipt"], pending: "1-1")
            let journal = try await fork.exportedJournal()
            #expect(try WorkApp(World()).replay(journal) == "/work")
            let copy = try await server.client(replaying: journal)
            #expect(try await copy.exportedJournal() == journal)
            #expect(try await copy.session().work == .withheld)
            let again = try await copy.fork(at: 2)
            #expect(try await again.session().work == .withheld)
            try await letTimersFire(in: original)
            for (client, ids) in [(fork, ["2-1"]), (copy, ["2-1"]), (again, ["1-1", "2-1"])] {
                #expect(try await pending(client) == ids)
            }
            #expect(world.calls.count == 1)
        }
    }

    // MARK: Stores

    // MARK: Conditions and retries

    @Test func aRetryGetsTheFirstAnswer() async throws {
        try await withApp(WorkApp(world), clock: clock.clock) { server in
            let fork = try await original(on: server).fork(at: 2, work: .withheld)
            _ = try await fork.route()
            let tag = try #require(try await fork.get("/route").header("ETag"))
            func event(_ pending: JSON?) -> JSON {
                var event: [String: JSON] = ["event": "work.didFire"]
                event["pending"] = pending
                return .object(event)
            }
            let key = ["Idempotency-Key": "a", "If-Match": tag]
            let answer = try await fork.post("/events", json: event("2-1"), headers: key)
            #expect(answer.status == 200)
            #expect(try await fork.post("/events", json: event("2-1"), headers: key).body == answer.body)
            for other in [event("1-1"), event(nil), event(.null)] {
                let mismatch = try await fork.post("/events", json: other, headers: key)
                #expect(mismatch.isProblem("idempotency-mismatch", 422))
            }
            let stale = try await fork.post(
                "/events", json: ["event": "work.didFail", "pending": "1-1"], headers: ["If-Match": tag])
            #expect(stale.isProblem("version-conflict", 412))
            #expect(try await fork.session().version == 3)
        }
    }

    /// The fingerprint of an event with a secret is computed from its parts, including the pending work.
    @Test func aRetryWithASecretNamesTheSameWork() async throws {
        try await withClient(of: WorkApp(world), clock: clock.clock) { client in
            for name in ["one", "two"] { try await client.emit("work.ask", ["name": .string(name)]) }
            let fork = try await client.fork(at: 2, work: .withheld)
            func login(_ pending: String, _ key: String) async throws -> ServerAnswer {
                try await fork.post(
                    "/events",
                    json: ["event": "work.login", "payload": ["password": "swordfish"], "pending": .string(pending)],
                    headers: ["Idempotency-Key": key])
            }
            #expect(try await login("1-1", "a").status == 200)
            #expect(try await login("1-1", "a").status == 200)
            #expect(try await login("2-1", "a").isProblem("idempotency-mismatch", 422))
            #expect(try await fork.session().version == 3)
            #expect(try await pending(fork) == ["2-1", "3-1"])
            #expect(!world.calls.contains { $0.name == "login" })
        }
    }

    // MARK: Refusals

    /// An outcome that is refused in a session with the pending work "1-1" and the pending timer "2-1".
    struct Refusal: Sendable, CustomTestStringConvertible {
        let body: JSON
        let problem: String
        let pointer: JSON
        var fields: [String: JSON] = [:]

        var testDescription: String { "\(body)" }
    }

    static let refusals = [
        Refusal(body: ["event": "work.didFire", "pending": "9-9"], problem: "invalid-payload", pointer: "/pending"),
        Refusal(body: ["event": "work.didFire", "pending": ""], problem: "invalid-payload", pointer: "/pending"),
        Refusal(
            body: ["event": "work.didFir", "pending": "2-1"], problem: "unknown-event", pointer: .null,
            fields: ["didYouMean": "work.didFire"]),
        Refusal(
            body: ["event": "work.didFail", "pending": "2-1"], problem: "event-not-allowed", pointer: "/event",
            fields: ["didYouMean": "work.didFire"]),
        Refusal(
            body: ["event": "navigation.open", "payload": ["path": "/work"], "pending": "1-1"],
            problem: "event-not-allowed", pointer: "/event"),
        Refusal(
            body: ["event": "work.didFire", "at": "WorkCoordinator", "pending": "2-1"], problem: "unknown-coordinator",
            pointer: "/at", fields: ["known": [.string(page)]]),
        Refusal(
            body: ["event": "work.didFinish", "pending": "1-1"], problem: "invalid-payload",
            pointer: "/payload/outcome"),
        Refusal(
            body: ["event": "work.didFire", "payload": ["more": 1], "pending": "2-1"], problem: "unknown-field",
            pointer: "/payload/more"),
        Refusal(body: ["event": "work.didFire"], problem: "event-not-allowed", pointer: "/event"),
    ]

    @Test(arguments: refusals) func invalidOutcomesAreRefusedAndChangeNothing(refusal: Refusal) async throws {
        try await withApp(WorkApp(world), clock: clock.clock) { server in
            let fork = try await original(on: server).fork(at: 2, work: .withheld)
            let before = try await fork.get("/route").body
            let answer = try await fork.post("/events", json: refusal.body)
            #expect(answer.isProblem(refusal.problem, 422), "\(answer.text)")
            #expect(try answer.json["pointer"] ?? .null == refusal.pointer)
            for (name, value) in refusal.fields { #expect(try answer.json[name] == value) }
            #expect(try await fork.get("/route").body == before)
            #expect(try await fork.session().version == 2)
        }
    }
}
