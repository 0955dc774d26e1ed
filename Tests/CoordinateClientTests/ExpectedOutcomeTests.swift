import CoordinateClient
import CoordinateTesting
import Racing
import SessionFixtures
import Testing

/// What is expected of an event, and what is said if something else happens.
struct ExpectedOutcomeTests {
    @Test func whatIsExpectedIsReturned() async throws {
        try await withServer(app: RacingApp.make()) { server in
            let client = server.client()
            #expect(try await client.emit("splash.didFinish", expecting: .handled).path == "/main/teams")
            let team: JSON = ["team": "ferrari"]
            let main = "AppCoordinator/MainCoordinator"
            #expect(try await client.emit("teams.didSelect", team, expecting: .handledBy(main)).version == 2)
            #expect(try await client.emit("splash.didFinish", expecting: .unhandled).version == 3)
            let problem = try await client.emit("teams.didSelct", team, expecting: .refused)
            #expect(problem.status == 422)
            #expect(try await client.emit("teams.didSelct", expecting: .refused("unknown-event")) == problem)
            let back = try #require(try await client.route().navigation.back)
            #expect(try await client.emit(back, expecting: .handled).path == "/main/teams")
        }
    }

    private struct Case: Sendable {
        let event: String
        let expected: Expected
        let message: String

        enum Expected: Sendable {
            case outcome(ExpectedOutcome)
            case refusal(ExpectedRefusal)
        }

        init(_ event: String, _ outcome: ExpectedOutcome, _ message: String) {
            (self.event, expected, self.message) = (event, .outcome(outcome), message)
        }

        init(_ event: String, refusal: ExpectedRefusal, _ message: String) {
            (self.event, expected, self.message) = (event, .refusal(refusal), message)
        }
    }

    private static let cases = [
        Case(
            "splash.didFinish", .unhandled,
            "expected to be unhandled, but AppCoordinator handled it, and the session is at /main/teams."),
        Case(
            "splash.didFinish", .handledBy("App"),
            "expected to be handled by App, but AppCoordinator handled it, and the session is at /main/teams."),
        Case(
            "profile.edit", .handled,
            """
            expected to be handled, but no coordinator handled it at /splash. \
            It visited: AppCoordinator/SplashCoordinator, AppCoordinator.
            """),
        Case(
            "profile.edt", .handled,
            """
            expected to be handled, but the server refused it: 422 /problems/unknown-event. There is no such event. \
            Did you mean profile.edit?
            """),
        Case(
            "profile.edit", refusal: .refused,
            """
            expected to be refused, but no coordinator handled it at /splash. \
            It visited: AppCoordinator/SplashCoordinator, AppCoordinator.
            """),
        Case(
            "profile.edt", refusal: .refused("event-not-allowed"),
            """
            expected to be refused as event-not-allowed, but the server refused it: 422 /problems/unknown-event. \
            There is no such event. Did you mean profile.edit?
            """),
    ]

    @Test(arguments: cases)
    private func somethingElseIsNamed(_ each: Case) async throws {
        try await withServer(app: RacingApp.make()) { server in
            let client = server.client()
            let error = await #expect(throws: UnexpectedOutcome.self) {
                switch each.expected {
                case .outcome(let outcome): try await client.emit(each.event, expecting: outcome)
                case .refusal(let refusal): try await client.emit(each.event, expecting: refusal)
                }
            }
            #expect(error?.message == "The event \"\(each.event)\" was \(each.message)")
            #expect((error?.problem != nil) == each.event.hasSuffix("edt"))
            #expect((error?.outcome != nil) == !each.event.hasSuffix("edt"))
        }
    }
}
