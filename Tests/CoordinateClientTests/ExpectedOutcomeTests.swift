import CoordinateClient
import CoordinateTesting
import Racing
import ServerFixtures
import SessionFixtures
import Testing

/// What is expected of an event, and what is said if something else happens.
@Suite(.racing) struct ExpectedOutcomeTests {
    @Test func whatIsExpectedIsReturned() async throws {
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

    private struct Case: Sendable {
        let event: String
        let message: String
        let emit: @Sendable (SessionClient, _ event: String) async throws -> Void
    }

    private static let cases = [
        Case(
            event: "splash.didFinish",
            message: "expected to be unhandled, but AppCoordinator handled it, and the session is at /main/teams."
        ) { try await $0.emit($1, expecting: .unhandled) },
        Case(
            event: "splash.didFinish",
            message: "expected to be handled by App, but AppCoordinator handled it, and the session is at /main/teams."
        ) { try await $0.emit($1, expecting: .handledBy("App")) },
        Case(
            event: "profile.edit",
            message: """
                expected to be handled, but no coordinator handled it at /splash. \
                It visited: AppCoordinator/SplashCoordinator, AppCoordinator.
                """
        ) { try await $0.emit($1, expecting: .handled) },
        Case(
            event: "profile.edt",
            message: """
                expected to be handled, but the server refused it: 422 /problems/unknown-event. \
                There is no such event. Did you mean profile.edit?
                """
        ) { try await $0.emit($1, expecting: .handled) },
        Case(
            event: "profile.edit",
            message: """
                expected to be refused, but no coordinator handled it at /splash. \
                It visited: AppCoordinator/SplashCoordinator, AppCoordinator.
                """
        ) { try await $0.emit($1, expecting: .refused) },
        Case(
            event: "profile.edt",
            message: """
                expected to be refused as event-not-allowed, but the server refused it: 422 /problems/unknown-event. \
                There is no such event. Did you mean profile.edit?
                """
        ) { try await $0.emit($1, expecting: .refused("event-not-allowed")) },
    ]

    @Test(arguments: cases)
    private func somethingElseIsNamed(_ each: Case) async throws {
        let error = await #expect(throws: UnexpectedOutcome.self) {
            try await each.emit(server.client(), each.event)
        }
        #expect(error?.message == "The event \"\(each.event)\" was \(each.message)")
        #expect((error?.problem != nil) == each.event.hasSuffix("edt"))
        #expect((error?.outcome != nil) == !each.event.hasSuffix("edt"))
    }
}
