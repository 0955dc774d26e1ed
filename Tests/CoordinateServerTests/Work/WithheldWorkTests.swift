import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Forks and imports with withheld work, as clients see them.
@Suite(.working(time: .manual)) struct WithheldWorkTests {
    /// A session at version 2 in which the work "1-1" and the timer "2-1", due in ten seconds, are pending.
    private func original(on server: TestServer) async throws -> SessionClient {
        let client = server.client()
        try await client.emit("work.ask", ["name": "pay"])
        try await client.emit("work.setTimer", ["seconds": 10])
        _ = await world.call(0)
        return client
    }

    @Test func documentsShowThatWorkIsWithheld() async throws {
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

    /// The fingerprint of an event with a secret is computed from its parts, including the pending work.
    @Test func aRetryWithASecretNamesTheSameWork() async throws {
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
