import CoordinateTesting
import SessionFixtures
import Testing

/// A form with changes shows an alert before the user leaves it: the alert as clients see it, and its answers.
@Suite(.serving(GateApp())) struct LeavingTests {
    /// An action that leaves the form, and the path to which it leads.
    struct Wish: Sendable {
        let event: String
        var payload: JSON = [:]
        let path: String

        static let all = [
            Wish(event: "navigation.back", path: "/home"), Wish(event: "navigation.popToRoot", path: "/home"),
            Wish(event: "navigation.open", payload: ["path": "/home"], path: "/home"),
            Wish(event: "navigation.open", payload: ["path": "/login"], path: "/login"),
            Wish(event: "navigation.open", payload: ["path": "/orders/17"], path: "/login"),
        ]
    }

    /// Opens the form, and changes it.
    private nonisolated(nonsending) func changeForm() async throws {
        try await client.open("/form")
        try await client.emit("form.change", ["text": "Ring twice"])
    }

    // MARK: The alert

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
        #expect(route.screen.rows.isEmpty)
        #expect(route.screen.actions.map(\.title) == ["Discard", "Keep editing"])
        #expect(route.screen.actions.map(\.event) == ["navigation.choose", "navigation.choose"])
        #expect(route.screen.actions.map(\.payload) == [["choice": "discard"], ["choice": "stay"]])
        #expect(route.navigation.dismiss == nil)
        #expect(route.navigation.back == nil)
        #expect(route.navigation.tabs.isEmpty)
        #expect(route.breadcrumbs.map(\.path) == ["/home", "/form", "/form"])
        #expect(route.breadcrumbs.map(\.title) == ["Home", "Note", "Discard changes?"])
        #expect(try await client.session().path == "/form")
        #expect(try await client.journal().events.last?.path == "/form")
    }

    @Test func anUnofferedAnswerIsUnhandled() async throws {
        try await changeForm()
        try await client.emit("navigation.back")
        let before = try await client.route()
        for choice in ["save", "", "Discard"] as [JSON] {
            let outcome = try await client.emit("navigation.choose", ["choice": choice])
            #expect(!outcome.handled)
            #expect(outcome.handledBy == nil)
            #expect(outcome.path == "/form")
        }
        let after = try await client.route()
        #expect(after.version == before.version + 3)
        #expect(after.tree == before.tree)
        #expect(after.screen == before.screen)
        for payload in [[:], ["choice": 1], ["choice": .null]] as [JSON] {
            let answer = try await client.post(
                "/events", json: ["event": "navigation.choose", "payload": payload])
            #expect(answer.isProblem("invalid-payload", 422))
        }
    }

    // MARK: The answer

    @Test(arguments: Wish.all) func discardingContinuesToTheDestination(wish: Wish) async throws {
        try await changeForm()
        #expect(try await client.emit(wish.event, wish.payload).path == "/form")
        let outcome = try await client.emit("navigation.choose", ["choice": "discard"])
        #expect(outcome.handled)
        #expect(outcome.path == wish.path)
        #expect(outcome.route?.path == wish.path)
        #expect(outcome.route?.parked?.path == (wish.path == "/login" ? wish.parked : nil))
        try await client.open("/form")
        #expect(try await client.route().screen.rows.map(\.title) == [""])
    }

    @Test(.serving(GateApp())) func aHeldLinkReplacesTheParkedOneWhenItIsOpened() async throws {
        try await client.open("/orders/17")
        try await client.emit("navigation.back")
        try await client.emit("form.open")
        try await client.emit("form.change", ["text": "Ring twice"])
        #expect(try await client.open("/login").route?.parked?.path == "/orders/17")
        let stayed = try await client.emit("navigation.choose", ["choice": "stay"])
        #expect(stayed.route?.parked?.path == "/orders/17")
        try await client.open("/login")
        let outcome = try await client.emit("navigation.choose", ["choice": "discard"])
        #expect(outcome.path == "/login")
        #expect(outcome.route?.parked == nil)
    }

    @Test func anUnknownLinkShowsNoAlert() async throws {
        try await changeForm()
        #expect(try await client.put("/route", json: ["path": "/nowhere"]).isProblem("unknown-path", 422))
        #expect(try await client.route().screen.name == "Form")
        try await client.emit("navigation.back")
        let before = try await client.get("/route").body
        #expect(try await client.put("/route", json: ["path": "/nowhere"]).isProblem("unknown-path", 422))
        #expect(try await client.get("/route").body == before)
    }

    @Test(.serving(GateApp())) func aLoginOpensTheParkedLinkDespiteTheAlert() async throws {
        try await client.open("/orders/17")
        try await client.emit("navigation.back")
        try await client.emit("form.open")
        try await client.emit("form.change", ["text": "Ring twice"])
        #expect(try await client.emit("navigation.back").route?.screen.name == "Alert")
        let outcome = try await client.emit("account.logIn")
        #expect(outcome.path == "/orders/17")
        #expect(outcome.route?.screen.name == "Order")
        #expect(try await !client.emit("navigation.choose", ["choice": "discard"]).handled)
    }

    // MARK: Events of the alert

    @Test func choicesSupportConditionsAndKeys() async throws {
        try await changeForm()
        let choice: JSON = ["event": "navigation.choose", "payload": ["choice": "discard"]]
        let form = try #require(try await client.get("/route").header("ETag"))
        try await client.emit("navigation.back")
        let asked = try await client.get("/route")
        let tag = try #require(asked.header("ETag"))
        #expect(tag != form)
        #expect(try await client.get("/route", headers: ["If-None-Match": tag]).status == 304)
        let stale = try await client.post("/events", json: choice, headers: ["If-Match": form])
        #expect(stale.isProblem("version-conflict", 412))
        #expect(try await client.get("/route").body == asked.body)

        let once = ["If-Match": tag, "Idempotency-Key": "once", "Prefer": "return=minimal"]
        let answer = try await client.post("/events", json: choice, headers: once)
        #expect(answer.status == 200)
        #expect(answer.header("Preference-Applied") == "return=minimal")
        #expect(try answer.json["path"] == "/home")
        #expect(try answer.json["route"] == nil)
        #expect(try await client.post("/events", json: choice, headers: once).body == answer.body)
        let other: JSON = ["event": "navigation.choose", "payload": ["choice": "stay"]]
        #expect(
            try await client.post("/events", json: other, headers: once).isProblem("idempotency-mismatch", 422))
        #expect(try await client.session().version == 4)
    }

    @Test func choicesAreAcceptedAtTheAlertOnly() async throws {
        try await changeForm()
        try await client.emit("navigation.back")
        let choice: JSON = ["choice": "discard"]
        let past = try await client.emit("navigation.choose", choice, at: "AppCoordinator/FormCoordinator")
        #expect(!past.handled)
        #expect(try await client.route().screen.name == "Alert")
        let alert = "AppCoordinator/FormCoordinator/AlertCoordinator"
        #expect(try await client.emit("navigation.choose", choice, at: alert).path == "/home")
        let answer = try await client.post(
            "/events", json: ["event": "navigation.choose", "payload": choice, "at": .string(alert)])
        #expect(answer.isProblem("unknown-coordinator", 422))
    }

    @Test func aFollowerGetsTheAlertAndTheAnswerInOrder() async throws {
        try await changeForm()
        let stream = try await client.follow()
        var expected = [try await client.get("/route").text]
        for (event, payload) in [
            ("navigation.back", [:]), ("navigation.choose", ["choice": "stay"]),
            ("navigation.open", ["path": "/login"]), ("navigation.choose", ["choice": "discard"]),
        ] as [(String, JSON)] {
            try await client.emit(event, payload)
            expected.append(try await client.get("/route").text)
        }
        var screens: [String] = []
        for (index, text) in expected.enumerated() {
            let message = try #require(await stream.next())
            #expect(message == .init(id: index + 2, event: "route", data: text))
            screens.append(try message.route.screen.name)
        }
        #expect(screens == ["Form", "Alert", "Form", "Alert", "Login"])
    }
}

extension LeavingTests.Wish {
    /// The path that is parked after the form: that of a link that a guard refuses.
    fileprivate var parked: String? { payload["path"]?.string.flatMap { $0 == path ? nil : $0 } }
}
