import CoordinateTesting
import Racing
import Testing

/// Recorded in Racing 1.0: 1 event, up to /main/teams.
@Test func leadsToMainTeams() async throws {
    // Create the app as its program does.
    try await withServer(app: RacingApp()) { server in
        let client = server.client()
        let outcome = try await client.emit("splash.didFinish", at: "AppCoordinator/SplashCoordinator")
        #expect(outcome.handledBy == "AppCoordinator")
        #expect(outcome.path == "/main/teams")
    }
}
