import CoordinateTesting
import SessionFixtures
import Testing

/// A link that needs a login: it is parked, shown in the route, and opened by the event that grants the login.
@Suite(.serving(GateApp())) struct ParkedLinkTests {
    private func link(_ path: String) -> JSON { ["path": .string(path)] }

    @Test(arguments: ["/orders", "/orders/17", "/orders/-1", "/checkout"])
    func aGuardedLinkIsAcceptedAndParked(path: String) async throws {
        let opened = try await client.put("/route", json: link(path))
        #expect(opened.status == 200)
        let outcome = try opened.decode(Document.Outcome.self)
        #expect(outcome.version == 1)
        #expect(outcome.event == "navigation.open")
        #expect(outcome.handledBy == "AppCoordinator")
        #expect(outcome.path == "/login")
        #expect(outcome.leaf == "AppCoordinator/LoginCoordinator")
        #expect(outcome.route?.path == "/login")
        #expect(try opened.json["route"]["parked"] == ["path": .string(path)])
        #expect(try await client.get("/route").json == opened.json["route"])
        #expect(try await client.journal().events.map(\.path) == ["/login"])
    }

    @Test func aSessionMayStartWithAParkedLink() async throws {
        let made = try await server.client().post("/sessions", json: link("/orders/17"))
        #expect(made.status == 201)
        let session = try made.decode(Document.Session.self)
        #expect(session.version == 1)
        #expect(session.path == "/login")
        let client = server.client(headers: ["Session": session.id])
        #expect(try await client.route().parked?.path == "/orders/17")
        #expect(try await client.route(at: 0).parked == nil)
    }

    @Test func theLoginOpensTheParkedLinkOnce() async throws {
        try await client.open("/orders/17")
        let outcome = try await client.emit("account.logIn")
        #expect(outcome.version == 2)
        #expect(outcome.handledBy == "AppCoordinator")
        #expect(outcome.path == "/orders/17")
        #expect(outcome.route?.parked == nil)
        #expect(outcome.route?.screen.title == "Order 17")
        #expect(outcome.route?.breadcrumbs.map(\.path) == ["/home", "/orders", "/orders/17"])
        let entries = try await client.journal().events
        #expect(entries.map(\.event) == ["navigation.open", "account.logIn"])
        #expect(entries.map(\.path) == ["/login", "/orders/17"])

        try await client.open("/home")
        #expect(try await client.emit("account.logOut").path == "/home")
        #expect(try await client.emit("account.logIn").path == "/home")
    }

    @Test func aRefusedLinkKeepsTheParkedOne() async throws {
        try await client.open("/orders/17")
        let before = try await client.get("/route")
        for path in ["/nowhere", "/orders/x", "/orders/17/more", "/orders?all", ""] {
            let answer = try await client.put("/route", json: link(path))
            #expect(answer.isProblem("unknown-path", 422), "\(path)")
        }
        let tag = ["If-Match": "\"0-stale\""]
        #expect(try await client.put("/route", json: link("/home"), headers: tag).status == 412)
        let after = try await client.get("/route")
        #expect(after.body == before.body)
        #expect(after.header("ETag") == before.header("ETag"))
        #expect(try await client.emit("account.logIn").path == "/orders/17")
    }

    @Test func followersAndWaitingRequestsSeeTheParkedLink() async throws {
        let stream = try await client.follow()
        #expect(try await stream.next()?.route.parked == nil)
        let tag = try #require(try await client.get("/route").header("ETag"))
        async let waiting = client.get("/route", headers: ["If-None-Match": tag, "Prefer": "wait=60"])
        try await client.open("/orders/17")
        let route = try await waiting.decode(Document.Route.self)
        #expect(route.parked?.path == "/orders/17")
        let parked = try #require(await stream.next())
        #expect(try parked.route == route)
        try await client.emit("account.logIn")
        let message = try #require(await stream.next())
        #expect(message.id == 2)
        #expect(try message.route.parked == nil)
        #expect(try message.route.path == "/orders/17")
    }
}
