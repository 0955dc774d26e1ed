import CoordinateTesting
import SessionFixtures
import Testing

/// What an app with work keeps secret, and what it keeps in its journal.
struct WorkAppTests {
    private let world = World()

    @Test func aSecretReachesTheWorldAndNoDocument() async throws {
        try await withClient(of: WorkApp(world)) { client in
            try await client.emit("work.login", ["password": "swordfish"])
            #expect(await world.call(0).secret == "swordfish")
            world.finish("login")
            _ = try await settledNotes(client)
            for path in ["/route", "/route?version=1", "/events"] {
                #expect(try await !client.get(path).text.contains("swordfish"))
            }
        }
    }

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

    /// The rows, when no work is pending.
    private func settledNotes(_ client: SessionClient) async throws -> [String] {
        let answer = try await client.get("/route?until=settled", headers: ["Prefer": "wait=60"])
        return try answer.decode(Document.Route.self).screen.rows.map(\.title)
    }
}
