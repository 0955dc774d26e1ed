import CoordinateTesting
import Racing
import Testing

/// Recorded in Racing 1.0: 2 events, up to /main/drivers/driver/leclerc.
@Test func leadsToMainDriversDriverLeclerc() async throws {
    // Create the app as its program does.
    try await withServer(app: RacingApp()) { server in
        // The journal has outcomes of work or events from the host, so the test replays it.
        let journal = #"""
            {"journal":2,"app":"Racing","appVersion":"1.0","options":{"liveResults":true},"createdAt":"2026-11-23T05:00:48Z","seed":7083493445914774,"path":"/splash"}
            {"version":1,"time":"2026-11-23T05:00:48Z","event":"navigation.open","payload":{"path":"/main/drivers/driver/leclerc"},"at":"AppCoordinator/SplashCoordinator","handled":true,"handledBy":"AppCoordinator","path":"/main/drivers/driver/leclerc","origin":"client","pending":null}
            {"version":2,"time":"2026-11-23T05:00:48Z","event":"results.didLoad","payload":{"results":"3 Spanish Grand Prix\n2 Monaco Grand Prix\n6 Emilia Romagna Grand Prix"},"at":"AppCoordinator/MainCoordinator/DriversCoordinator/DriversDetailsCoordinator","handled":true,"handledBy":"AppCoordinator/MainCoordinator/DriversCoordinator/DriversDetailsCoordinator","path":"/main/drivers/driver/leclerc","origin":"work","pending":"1-1"}
            """#
        let client = try await server.client(replaying: Array(journal.utf8))
        #expect(try await client.route().path == "/main/drivers/driver/leclerc")
    }
}
