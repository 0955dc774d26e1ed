import CoordinateTesting
import SessionFixtures
import Testing

/// What an app with work keeps in its journal.
struct WorkAppTests {
    private let world = World()

    @Test func timeAndRandomNumbersAreRecorded() async throws {
        try await withApp(WorkApp(world), clock: ManualClock().clock) { server in
            let client = server.client()
            for event in ["work.look", "work.draw", "work.draw"] { try await client.emit(event) }
            let route = try await client.route()
            #expect(route.screen.rows[0].title == "now 1795253400")
            #expect(route.screen.rows[1].title != route.screen.rows[2].title)
            let again = try await server.client(replaying: client.exportedJournal())
            #expect(try await again.route().screen == route.screen)
        }
    }
}
