import CoordinateTesting
import Racing
import Testing

/// Recorded in Racing 1.0: 5 events, up to /main/profile.
@Test func leadsToMainProfile() async throws {
    // Create the app as its program does.
    try await withServer(app: RacingApp()) { server in
        let client = server.client()
        var outcome = try await client.emit("splash.didFinish", at: "AppCoordinator/SplashCoordinator")
        #expect(outcome.handledBy == "AppCoordinator")
        #expect(outcome.path == "/main/teams")
        outcome = try await client.emit(
            "teams.didSelect",
            ["team": "ferrari"],
            at: "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsListCoordinator")
        #expect(outcome.handledBy == "AppCoordinator/MainCoordinator")
        #expect(outcome.path == "/main/teams/team/ferrari")
        outcome = try await client.emit(
            "navigation.dismiss", at: "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsDetailsCoordinator")
        #expect(outcome.handledBy == nil)
        #expect(outcome.path == "/main/teams/team/ferrari")
        outcome = try await client.open("/main/profile/edit")
        #expect(outcome.handledBy == "AppCoordinator")
        #expect(outcome.path == "/main/profile/edit")
        outcome = try await client.emit(
            "profile.rename",
            ["name": "Zoë \"O'Neill\" \\(1) \\n"],
            at: "AppCoordinator/MainCoordinator/ProfileCoordinator/ProfileEditorCoordinator")
        #expect(outcome.handledBy == "AppCoordinator/MainCoordinator/ProfileCoordinator")
        #expect(outcome.path == "/main/profile")
    }
}
