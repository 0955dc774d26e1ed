import CoordinateTesting
import SessionFixtures
import Testing

/// The app that requests work, and its world: checks that tests can rely on them.
struct WorkAppTests {
    private let world = World()

    @Test func aCallIsHeldUntilTheTestAnswersIt() async throws {
        try await withApp(WorkApp(world)) { server in
            let client = server.client()
            try await client.emit("work.ask", ["name": "pay"])
            let call = await world.call(0)
            #expect(call.name == "pay")
            #expect(call.key == "\(client.sessionID ?? "")/1-1")
            #expect(call.attempt == 1)
            #expect(call.secret == nil)
            #expect(try await client.route().screen.rows.isEmpty)
            #expect(world.held == [call])
            #expect(world.finish("pay", with: "receipt") == call)
            #expect(try await settledNotes(client) == ["pay: receipt"])
            #expect(world.results == [call.key: "receipt"])
            #expect(world.finish("pay") == nil)
        }
    }

    @Test func failedAttemptsAreRepeatedWithTheSameKey() async throws {
        struct Closed: Error {}
        world.plan("pay", .failure(Closed()), .failure(Closed()), .success("receipt"))
        try await withApp(WorkApp(world)) { server in
            let client = server.client()
            try await client.emit("work.insist", ["name": "pay"])
            #expect(try await settledNotes(client) == ["pay: receipt"])
            #expect(world.calls.map(\.attempt) == [1, 2, 3])
            #expect(Set(world.calls.map(\.key)).count == 1)
        }
    }

    @Test func leavingAPageCancelsItsWork() async throws {
        try await withApp(WorkApp(world)) { server in
            let client = server.client()
            try await client.emit("work.push")
            try await client.emit("work.ask", ["name": "pay"])
            let call = await world.call(0)
            try await client.emit("navigation.back")
            await world.cancellation(of: call.number)
            #expect(world.cancelled == [call])
            #expect(try await settledNotes(client).isEmpty)
        }
    }

    @Test func aSecretReachesTheWorldAndNoDocument() async throws {
        try await withApp(WorkApp(world)) { server in
            let client = server.client()
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

    @Test func optionsReachTheRoot() async throws {
        try await withApp(WorkApp(world)) { server in
            let answer = try await server.client().post(
                "/sessions", json: ["options": ["greeting": "Hi", "asksAtStart": true, "firstTimer": 60]])
            let session = try answer.decode(Document.Session.self)
            #expect(session.pending == 2)
            let client = server.client(headers: ["Session": session.id])
            #expect(await world.call(0).key == "\(session.id)/0-1")
            world.finish("start")
            #expect(try await settledNotes(client) == ["start: done"])
            #expect(try await client.route().screen.title == "Hi")
        }
    }

    /// The rows, when no work is pending.
    private func settledNotes(_ client: SessionClient) async throws -> [String] {
        let answer = try await client.get("/route?until=settled", headers: ["Prefer": "wait=60"])
        return try answer.decode(Document.Route.self).screen.rows.map(\.title)
    }
}
