import CoordinateTesting
import SeededGenerator
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `GET /route?version=N`: earlier routes of a session.
@Suite(.racing) struct HistoryTests {
    @Test(arguments: [11, 12, 13] as [UInt64])
    func everyEarlierRouteIsIdenticalByteForByte(seed: UInt64) async throws {
        var generator = SeededGenerator(state: seed)
        var route = try await client.route()
        var answers = [try await client.get("/route")]
        for _ in 1...40 {
            let action = try #require(route.offeredActions.randomElement(using: &generator))
            route = try #require(try await client.emit(action).route)
            answers.append(try await client.get("/route"))
        }
        for (version, then) in answers.enumerated().shuffled(using: &generator) {
            let now = try await client.get("\(client.base)/route?version=\(version)")
            #expect(now.status == 200)
            #expect(now.body == then.body, "version \(version)")
            for name in ["ETag", "Content-Type", "Cache-Control"] { #expect(now.header(name) == then.header(name)) }
        }
        #expect(Set(answers.map { $0.header("ETag") }).count == 41)
        #expect(try await client.get("/route").body == answers.last?.body)
    }

    @Test(arguments: [4, 1_000, Int.max]) func aFutureVersionIsNotFound(version: Int) async throws {
        for _ in 0..<3 { try await client.emit("navigation.back") }
        let answer = try await client.get("/route?version=\(version)")
        #expect(answer.isProblem("version-not-found", 404))
        #expect(try answer.problem.detail.contains("0 to 3"))
        #expect(answer.header("ETag") == nil)
    }

    @Test(arguments: ["-1", "x", "", "1.5", "1x", "99999999999999999999", "%20", "0x1"])
    func aVersionMustBeANumber(version: String) async throws {
        try await client.start()
        let answer = try await client.get("/route?version=\(version)")
        #expect(answer.isProblem("malformed-request", 400))
        #expect(try answer.problem.detail.contains("\"version\""))
    }

    @Test func aNewSessionHasOnlyVersionZero() async throws {
        let refused = try await server.client().get("/route?version=1")
        #expect(refused.isProblem("version-not-found", 404))
        #expect(refused.header("Set-Cookie") == nil)
        #expect(try await server.client().gauges() == [0, 0])
        #expect(try await client.route(at: 0).path == "/splash")
        #expect(try await client.session().version == 0)
    }

    @Test func aKnownEarlierRouteIsNotSentAgain() async throws {
        try await client.showTeam()
        for version in 0...2 {
            let full = try await client.get("/route?version=\(version)")
            let tag = try #require(full.header("ETag"))
            for method in ["GET", "HEAD"] {
                let answer = try await client.request(
                    method, "/route?version=\(version)", headers: ["If-None-Match": tag])
                #expect(answer.status == 304)
                #expect(answer.body.isEmpty)
                #expect(answer.header("ETag") == tag)
            }
            let other = try await client.get(
                "/route?version=\((version + 1) % 3)", headers: ["If-None-Match": tag])
            #expect(other.status == 200)
        }
    }

    @Test(.serving(TestApp(), configuration: .make(maximumEvents: 3))) func theNumberOfEventsIsLimited() async throws {
        for number in 1...3 { try await client.emit("test.push", ["number": .int(number)]) }
        let before = try await client.get("/route")
        for answer in try await [
            client.post("/events", json: ["event": "navigation.back"]),
            client.put("/route", json: ["path": "/stack"]),
        ] {
            #expect(answer.isProblem("too-many-events", 422))
            #expect(try answer.problem.detail.contains("fork"))
        }
        #expect(try await client.get("/route").body == before.body)
        #expect(try await client.journal().events.count == 3)
        #expect(try await client.metric("coordinate_events_total") == 3)
        let fork = try await client.fork(at: 2)
        #expect(try await fork.emit("navigation.back").version == 3)
    }
}
