import CoordinateTesting
import SessionFixtures
import Testing

/// The place of an event, and the reading of its request.
@Suite(.racing) struct EventTests {
    private static let main = "AppCoordinator/MainCoordinator"

    @Test func atNamesTheFirstCoordinator() async throws {
        try await client.start()
        let outcome = try await client.emit("teams.didSelect", ["team": "ferrari"], at: Self.main)
        #expect(outcome.trace.map(\.coordinator) == [Self.main])
        #expect(outcome.path == "/main/teams/team/ferrari")
        #expect(try await client.journal().events.last?.at == Self.main)
    }

    @Test func anUnhandledEventIsAResult() async throws {
        try await client.start()
        let outcome = try await client.emit("navigation.back", expecting: .unhandled)
        #expect(outcome.version == 2)
        #expect(outcome.handledBy == nil)
        #expect(outcome.trace.map(\.coordinator).last == "AppCoordinator")
        #expect(outcome.trace.allSatisfy { !$0.intercepted })
        #expect(try await client.get("/events?after=1").json["events"]?[0]?["handledBy"] == .null)
        #expect(try await client.metric("coordinate_events_unhandled_total") == 1)
    }

    @Test func theTurnsDurationIsReportedIfTheClientAsksForIt() async throws {
        let event: JSON = ["event": "splash.didFinish"]
        let key = ["Prefer": "timing", "Idempotency-Key": "1"]
        let answers = try await [
            client.post("/events", json: event, headers: key),
            client.request(
                "PUT", "/route", headers: ["Content-Type": "application/json", "Prefer": "wait=1, timing"],
                body: Array(#"{"path": "/main/teams"}"#.utf8)),
        ]
        for answer in answers {
            #expect(answer.status == 200)
            let timing = try #require(answer.header("Server-Timing"))
            #expect(timing.wholeMatch(of: /turn;dur=[0-9]+\.[0-9]{3}/) != nil)
        }
        for preference in ["return=minimal, timing", "return=representation"] {
            let answer = try await client.post("/events", json: event, headers: ["Prefer": preference])
            #expect(answer.status == 200)
            #expect(answer.header("Server-Timing") == nil)
        }
        // The turn of an answer that is given again is over.
        let again = try await client.post("/events", json: event, headers: key)
        #expect(try again.json["version"] == 1)
        #expect(again.header("Server-Timing") == nil)
    }

    @Test(arguments: [
        "AppCoordinator/MainCoordinator/ProfileCoordinator", "AppCoordinator/SplashCoordinator", "MainCoordinator",
        "AppCoordinator/MainCoordinator/", "AppCoordinatorX", "",
    ])
    func atRefusesCoordinatorsThatAreNotStarted(id: String) async throws {
        try await client.start()
        let answer = try await client.post("/events", json: ["event": "navigation.back", "at": .string(id)])
        #expect(answer.isProblem("unknown-coordinator", 422))
        #expect(try answer.json["pointer"] == "/at")
        #expect(
            try answer.json["known"] == [
                "AppCoordinator", .string(Self.main), "\(Self.main)/TeamsCoordinator",
                "\(Self.main)/TeamsCoordinator/TeamsListCoordinator",
            ])
        #expect(try await client.session().version == 1)
    }

    @Test(.serving(TestApp())) func aPayloadIsRecordedAsSent() async throws {
        let text = "\u{0}\u{1F}\"\\/é🏁\u{2028}"
        try await client.emit("test.say", ["a/b~c": .string(text)])
        try await client.emit("test.scale", ["factor": 1.5])
        try await client.emit("test.scale", ["factor": 2])
        try await client.emit("test.toggle", ["isOn": true])
        let payloads = try await client.journal().events.map(\.payload)
        #expect(payloads == [["a/b~c": .string(text)], ["factor": 1.5], ["factor": 2], ["isOn": true]])
    }
}
