import CoordinateTesting
import SessionFixtures
import Testing

/// What waits in an app with a login, as clients see it: a link that is parked until the login, and the alert that a form
/// with changes shows before the user leaves it.
@Suite(.serving(GateApp())) struct GateTests {
    // MARK: Parked links

    @Test func aGuardedLinkIsParkedUntilTheLogin() async throws {
        let opened = try await client.put("/route", json: ["path": "/orders/17"])
        #expect(opened.status == 200)
        let outcome = try opened.decode(Document.Outcome.self)
        #expect(outcome.handledBy == "AppCoordinator")
        #expect(outcome.path == "/login")
        #expect(outcome.leaf == "AppCoordinator/LoginCoordinator")
        #expect(try opened.json["route"]["parked"] == ["path": "/orders/17"])
        let before = try await client.get("/route")
        #expect(try before.json == opened.json["route"])
        // What is refused changes nothing.
        #expect(try await client.put("/route", json: ["path": "/orders/x"]).isProblem("unknown-path", 422))
        let stale = ["If-Match": "\"0-stale\""]
        #expect(try await client.put("/route", json: ["path": "/home"], headers: stale).status == 412)
        #expect(try await client.get("/route").body == before.body)
        let granted = try await client.emit("account.logIn")
        #expect(granted.version == 2)
        #expect(granted.path == "/orders/17")
        #expect(granted.route?.parked == nil)
        #expect(try await client.journal().events.map(\.path) == ["/login", "/orders/17"])
    }

    @Test func aSessionMayStartWithAParkedLink() async throws {
        let session = try await client.post("/sessions", json: ["path": "/orders/17"]).decode(Document.Session.self)
        #expect(session.version == 1)
        #expect(session.path == "/login")
        let own = client.inSession(session.id)
        #expect(try await own.route().parked?.path == "/orders/17")
        #expect(try await own.route(at: 0).parked == nil)
    }

    // MARK: Alerts

    /// Opens the form, and changes it.
    private nonisolated(nonsending) func changeForm() async throws {
        try await client.emit("form.open")
        try await client.emit("form.change", ["text": "Ring twice"])
    }

    @Test func theAlertIsTheLeafAndThePathIsTheForms() async throws {
        try await changeForm()
        let outcome = try await client.emit("navigation.back")
        #expect(outcome.handledBy == "AppCoordinator")
        #expect(outcome.path == "/form")
        #expect(outcome.leaf == "AppCoordinator/FormCoordinator/AlertCoordinator")
        let route = try await client.route()
        #expect(outcome.route == route)
        #expect(route.version == 3)
        #expect(route.screen.name == "Alert")
        #expect(route.screen.title == "Discard changes?")
        #expect(route.screen.message == "The note is not saved.")
        #expect(route.screen.status == "ready")
        #expect(route.screen.actions.map(\.title) == ["Discard", "Keep editing"])
        #expect(route.screen.actions.map(\.event) == ["navigation.choose", "navigation.choose"])
        #expect(route.screen.actions.map(\.payload) == [["choice": "discard"], ["choice": "stay"]])
        #expect(route.navigation.dismiss == nil)
        #expect(route.navigation.back == nil)
        #expect(route.breadcrumbs.map(\.path) == ["/home", "/form", "/form"])
        #expect(route.breadcrumbs.map(\.title) == ["Home", "Note", "Discard changes?"])
        #expect(try await client.session().path == "/form")
        let document = try await client.get("/route").json
        #expect(document["screen"]["style"] == "alert")
        let presented = document["tree"]["children"]?.array.compactMap { $0["presented"] }.filter { $0 != .null }
        #expect(presented?.map { $0["coordinator"] } == ["AlertCoordinator"])
    }

    @Test func aLoginOpensTheParkedLinkDespiteTheAlert() async throws {
        try await client.open("/orders/17")
        try await client.emit("navigation.back")
        try await changeForm()
        #expect(try await client.emit("navigation.back").route?.screen.name == "Alert")
        let outcome = try await client.emit("account.logIn")
        #expect(outcome.path == "/orders/17")
        #expect(outcome.route?.screen.name == "Order")
        #expect(try await !client.emit("navigation.choose", ["choice": "discard"]).handled)
    }
}
