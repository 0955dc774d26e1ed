import CoordinateTesting
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `Idempotency-Key`: a client that does not know whether its request arrived repeats it.
struct IdempotencyTests {
    private static let minimal = ["Prefer": "return=minimal"]

    private static func push(_ number: Int) -> JSON { ["event": "test.push", "payload": ["number": .int(number)]] }

    private static func key(_ key: String) -> [String: String] { ["Idempotency-Key": key] }

    @Test(.serving(TestApp()), arguments: [[:], minimal], [[:], minimal])
    func aRetryGetsTheFirstAnswerWithoutASecondEffect(first: [String: String], again: [String: String]) async throws {
        _ = try await client.emit("test.push", ["number": 1])
        let key = Self.key("a")
        let answer = try await client.post("/events", json: Self.push(2), headers: key.merging(first) { $1 })
        #expect(answer.status == 200)
        #expect(try answer.decode(Document.Outcome.self).version == 2)
        try await client.emit("navigation.back")
        let before = try await client.get("/route")

        for headers in [again, first, again] {
            let retry = try await client.post("/events", json: Self.push(2), headers: key.merging(headers) { $1 })
            #expect(retry.status == 200)
            #expect(retry.body == answer.body)
            #expect(retry.header("Preference-Applied") == answer.header("Preference-Applied"))
        }
        #expect(try await client.get("/route").body == before.body)
        #expect(try await client.journal().events.count == 3)
        #expect(try await client.metric("coordinate_events_total") == 3)
    }

    @Test(.serving(TestApp())) func aDifferentRequestNeedsAnotherKey() async throws {
        #expect(try await client.post("/events", json: Self.push(1), headers: Self.key("a")).status == 200)
        for other in [Self.push(2), ["event": "navigation.back"], ["event": "unknown.event"]] {
            let answer = try await client.post("/events", json: other, headers: Self.key("a"))
            #expect(answer.isProblem("idempotency-mismatch", 422))
        }
        let text = try await client.request(
            "POST", "/events", headers: Self.key("a").merging(["Content-Type": "application/json"]) { $1 },
            body: Self.push(1).encoded + [32])
        #expect(text.isProblem("idempotency-mismatch", 422))
        #expect(try await client.session().version == 1)
        #expect(try await client.post("/events", json: Self.push(1), headers: Self.key("A")).status == 200)
        #expect(try await client.session().version == 2)
    }

    @Test(.serving(TestApp(), configuration: .make(workers: 4), over: .socket), arguments: [[:], minimal])
    func equalRequestsAtOnceHaveOneEffectAndOneAnswer(headers: [String: String]) async throws {
        for number in 1...300 { try await client.emit("test.push", ["number": .int(number)]) }
        let headers = Self.key("a").merging(headers) { $1 }
        let answers = try await withThrowingTaskGroup(of: ServerAnswer.self) { group in
            for _ in 0..<48 {
                let one = server.client(headers: ["Session": try #require(client.sessionID)])
                group.addTask { try await one.post("/events", json: Self.push(301), headers: headers) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0.status == 200 } == 48, "\(answers.map(\.status))")
        #expect(Set(answers.map(\.body)).count == 1)
        #expect(try await client.session().version == 301)
        #expect(try await client.metric("coordinate_events_total") == 301)
    }

    @Test(.serving(TestApp(), configuration: .make(maximumEvents: 2))) func aRetryIsAnsweredAtTheEventLimit()
        async throws
    {
        try await client.emit("test.push", ["number": 1])
        let answer = try await client.post("/events", json: Self.push(2), headers: Self.key("a"))
        #expect(try await client.post("/events", json: Self.push(3)).isProblem("too-many-events", 422))
        #expect(try await client.post("/events", json: Self.push(2), headers: Self.key("a")).body == answer.body)
    }
}
