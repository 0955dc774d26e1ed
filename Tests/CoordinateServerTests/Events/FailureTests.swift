import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// An app and a journal that fail. Nothing of a failed turn is visible.
@Suite(.serving(TestApp())) struct FailureTests {
    @Test(
        arguments: [
            ("test.fail", nil), ("test.selectStranger", nil), ("test.circle", nil), ("test.echo", nil),
            ("test.push", .failsWhenSeen), ("test.push", .failsToPush), ("navigation.back", .failsToStop),
        ] as [(String, AppFault.Kind?)])
    func aFailedTurnIsDiscarded(event: String, fault: AppFault.Kind?) async throws {
        let trees = testApp.trees.value
        for number in 1...3 { try await client.emit("test.push", ["number": .int(number)]) }
        try await client.emit("navigation.back")
        let before = try await client.get("/route")
        #expect(testApp.trees.value == trees + 1)

        if let fault { testApp.fault.begin(fault) }
        let payload: JSON = event == "test.push" ? ["number": 3] : [:]
        let answer = try await client.post("/events", json: ["event": .string(event), "payload": payload])
        testApp.fault.end()
        #expect(answer.isProblem("internal-error", 500))
        #expect(!answer.text.contains("swordfish"))
        #expect(!answer.text.contains("Coordinator"))
        #expect(!answer.text.contains("SecretError"))
        #expect(testApp.lives.living == 0)

        let after = try await client.get("/route")
        #expect(after.text == before.text)
        #expect(after.header("ETag") == before.header("ETag"))
        #expect(testApp.trees.value == trees + 1)
        #expect(try await client.session().version == 4)
        #expect(try await client.journal().events.count == 4)
        #expect(try await client.metric("coordinate_events_total") == 4)

        let next = try await client.emit("test.push", ["number": 7])
        #expect(next.version == 5)
        #expect(next.route?.breadcrumbs.map(\.title) == ["Page 0", "Page 1", "Page 2", "Page 7"])
        #expect(testApp.trees.value == trees + 2)
    }

    @Test func anAppThatCannotStartLeavesNoSessionBehind() async throws {
        let born = testApp.lives.born
        testApp.fault.begin(.failsToStart)
        for answer in try await [client.post("/sessions"), client.get("/route")] {
            #expect(answer.isProblem("internal-error", 500))
            #expect(!answer.text.contains("swordfish"))
            #expect(answer.header("Set-Cookie") == nil)
        }
        #expect(try await client.metric("coordinate_sessions") == 0)
        #expect(testApp.lives.born > born)
        #expect(testApp.lives.living == 0)
    }

    @Test func anAppThatFailsToStopIsFreed() async throws {
        try await client.emit("test.push", ["number": 1])
        testApp.fault.begin(.failsToStop)
        #expect(try await client.delete(client.base).status == 204)
        #expect(try await client.get("/route").isProblem("session-not-found", 404))
        #expect(try await client.gauges() == [0, 0])
        #expect(testApp.lives.living == 0)
    }

    @Test(arguments: [AppFault.Kind.failsToStart, .failsToPush, .failsWhenSeen])
    func aTreeThatCannotBeRebuiltLosesNoEvents(fault: AppFault.Kind) async throws {
        for number in 1...3 { try await client.emit("test.push", ["number": .int(number)]) }
        let before = try await client.get("/route")
        let journal = try await client.exportedJournal()
        #expect(try await client.post("/events", json: ["event": "test.fail"]).status == 500)

        testApp.fault.begin(fault)
        for answer in try await [
            client.get("/route?version=2"), client.post("/events", json: ["event": "navigation.back"]),
            client.put("/route", json: ["path": "/stack"]),
            client.get("/events", headers: ["Accept": "text/event-stream"]),
            client.get("\(client.base)/changes?from=0&to=2"),
        ] {
            #expect(answer.isProblem("internal-error", 500))
            #expect(!answer.text.contains("swordfish"))
        }
        #expect(try await client.metric("coordinate_streams") == 0)
        // Requests that need no tree work as before.
        #expect(try await client.get("/route").body == before.body)
        #expect(try await client.session().version == 3)
        #expect(try await client.exportedJournal() == journal)
        let fork = try await client.fork(at: 3)
        #expect(try await fork.get("/route").isProblem("internal-error", 500))
        #expect(try await client.gauges() == [0, 2])
        #expect(testApp.lives.living == 0)

        testApp.fault.end()
        #expect(try await client.get("/route").body == before.body)
        #expect(try await client.emit("navigation.back").version == 4)
        #expect(try await fork.emit("navigation.back").version == 4)
    }
}
