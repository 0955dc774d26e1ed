import CoordinateTesting
import Racing
import Testing

/// Recorded in Racing 1.0: 8 events, up to /main/drivers.
@Test func leadsToMainDrivers() async throws {
    // Create the app as its program does.
    try await withServer(app: RacingApp()) { server in
        let client = server.client()
        var outcome = try await client.press("Continue")
        #expect(outcome.path == "/main/teams")
        outcome = try await client.press("Ferrari")
        #expect(outcome.path == "/main/teams/team/ferrari")
        outcome = try await client.press("Charles Leclerc")
        #expect(outcome.path == "/main/teams/driver/leclerc")
        outcome = try await client.press("Add to favorites")
        #expect(outcome.path == "/main/teams/driver/leclerc")
        outcome = try await client.open("/main/profile")
        #expect(outcome.handledBy == "AppCoordinator")
        #expect(outcome.path == "/main/profile")
        outcome = try await client.press("Edit profile")
        #expect(outcome.path == "/main/profile/edit")
        outcome = try await client.press("Save", entering: ["name": "Zoë \"O'Neill\" \\(1)"])
        #expect(outcome.path == "/main/profile")
        outcome = try await client.press("Drivers")
        #expect(outcome.path == "/main/drivers")
    }
}
