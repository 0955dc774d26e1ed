import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Forks and imports with withheld work, as clients see them.
struct WithheldWorkTests {
    private let world = World()
    private let clock = ManualClock()

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

    /// The fingerprint of an event with a secret is computed from its parts, including the pending work.
    @Test func aRetryWithASecretNamesTheSameWork() async throws {
        try await withClient(of: WorkApp(world), clock: clock.clock) { client in
            for name in ["one", "two"] { try await client.emit("work.ask", ["name": .string(name)]) }
            let fork = try await client.fork(at: 2, work: .withheld)
            let login: JSON = ["event": "work.login", "payload": ["password": "swordfish"]]
            let key = ["Idempotency-Key": "a"]
            for (pending, status) in [("1-1", 200), ("1-1", 200), ("2-1", 422)] as [(JSON, Int)] {
                let answer = try await fork.post("/events", json: login.with("pending", pending), headers: key)
                #expect(answer.status == status)
            }
            #expect(try await fork.session().version == 3)
        }
    }

    // MARK: Refusals

    /// Outcomes in a session with the pending work "1-1" and the pending timer "2-1", with the problem and its pointer.
    private static let refusals: [(body: JSON, problem: String, pointer: JSON)] = [
        (["event": "work.didFire", "pending": ""], "invalid-payload", "/pending"),
        (["event": "work.didFir", "pending": "2-1"], "unknown-event", .null),
        (["event": "work.didFail", "pending": "2-1"], "event-not-allowed", "/event"),
        (["event": "navigation.open", "payload": ["path": "/work"], "pending": "1-1"], "event-not-allowed", "/event"),
        (["event": "work.didFire", "at": "WorkCoordinator", "pending": "2-1"], "unknown-coordinator", "/at"),
        (["event": "work.didFinish", "pending": "1-1"], "invalid-payload", "/payload/outcome"),
        (["event": "work.didFire", "payload": ["more": 1], "pending": "2-1"], "unknown-field", "/payload/more"),
        (["event": "work.didFire"], "event-not-allowed", "/event"),
    ]

    @Test func invalidOutcomesAreRefusedAndChangeNothing() async throws {
        try await withApp(WorkApp(world), clock: clock.clock) { server in
            let fork = try await original(on: server).fork(at: 2, work: .withheld)
            let before = try await fork.get("/route").body
            for (body, problem, pointer) in Self.refusals {
                let answer = try await fork.post("/events", json: body)
                #expect(answer.isProblem(problem, 422), "\(answer.text)")
                #expect(try answer.json["pointer"] ?? .null == pointer)
                let isNearest = problem == "unknown-event" || body["event"] == "work.didFail"
                #expect(try !isNearest || answer.json["didYouMean"] == "work.didFire")
            }
            #expect(try await fork.get("/route").body == before)
        }
    }
}
