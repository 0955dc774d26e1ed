import Coordinate
import CoordinateTesting
import SessionFixtures
import Testing

/// Forms, rows with buttons, and styles, in route documents and events.
@Suite(.serving(FormApp())) struct FormDocumentTests {
    private static let sent: JSON = [
        "name": "Ada", "zip": "80", "country": "de", "guests": 2, "newsletter": true, "password": "swordfish",
    ]

    private func input(
        _ field: String, _ title: JSON, _ type: JSON, _ value: JSON, error: JSON = .null, choices: JSON = .null,
        required: JSON = true, secret: JSON = false
    ) -> JSON {
        [
            "field": .string(field), "title": title, "type": type, "value": value, "error": error, "choices": choices,
            "required": required, "secret": secret, "kind": .null,
        ]
    }

    @Test func aFormDescribesItsFields() async throws {
        let action = try #require(try await client.get("/route").json["screen"]?["actions"][0])
        let countries: JSON = [
            ["value": "ch", "title": "Switzerland"], ["value": "de", "title": "Germany"],
            ["value": "fr", "title": "France"],
        ]
        #expect(
            action == [
                "title": "Join", "event": "form.join",
                "payload": [
                    "name": "", "zip": "8001", "country": "ch", "guests": .null, "newsletter": false,
                    "password": "",
                ],
                "role": .null, "opens": .null,
                "inputs": [
                    input("name", "Name", "string", ""), input("zip", "Zip", "string", "8001"),
                    input("country", "Country", "string", "ch", choices: countries),
                    input("guests", "Guests", "integer", .null, required: false),
                    input("newsletter", "Newsletter", "boolean", false),
                    input("password", "Password", "string", .null, secret: true),
                ],
            ])
        #expect(try await client.post("/events", json: action).status == 200)
    }

    @Test func errorsAreShownAtTheirFields() async throws {
        let refused = try await client.post("/events", json: ["event": "form.join", "payload": Self.sent])
        #expect(refused.status == 200)
        let action = try #require(try refused.json["route"]["screen"]["actions"][0])
        #expect(action["inputs"]?[1] == input("zip", "Zip", "string", "80", error: "has four digits"))
        #expect(action["inputs"]?.array.map { $0["value"] } == ["Ada", "80", "de", 2, true, .null])
        #expect(action["payload"] == Self.sent.with("password", ""))
        #expect(!refused.text.contains("swordfish"))

        let taken = try await client.post(
            "/events", json: ["event": "form.join", "payload": Self.sent.with("zip", "8002")])
        #expect(try taken.json["route"]["screen"]["name"] == "Dishes")
    }

    @Test func aValueThatDoesNotDecodeIsRefused() async throws {
        let payload = Self.sent.with("country", "xx")
        let refused = try await client.post("/events", json: ["event": "form.join", "payload": payload])
        #expect(refused.status == 422)
        #expect(try refused.json["pointer"] == "/payload/country")
        #expect(try await client.get("/route").json["version"] == 0)
    }

    @Test func rowsHaveAValueAndButtons() async throws {
        let join: JSON = ["event": "form.join", "payload": Self.sent.with("zip", "8002")]
        let rows = try #require(try await client.post("/events", json: join).json["route"]["screen"]["rows"])
        func bring(_ title: JSON, _ count: JSON) -> JSON {
            [
                "title": title, "event": "form.bring", "payload": ["dish": "bread", "count": count], "role": .null,
                "opens": .null,
            ]
        }
        let set = bring("Set", 0).with("inputs", [input("count", "How many", "integer", 0)])
        #expect(
            rows[0] == [
                "id": "bread", "section": .null, "title": "bread", "subtitle": .null, "image": .null,
                "favorite": false, "action": .null, "delete": .null, "value": "0",
                "actions": [bring("−", -1), bring("+", 1), set],
            ])
        #expect(rows[1]?["favorite"] == true)
        let plus = try #require(rows[0]?["actions"][1])
        #expect(try await client.post("/events", json: plus).json["route"]["screen"]["rows"][0]["value"] == "1")
    }

    @Test func aModalIsASheet() async throws {
        #expect(try await client.get("/route").json["screen"]["style"] == "page")
        let join: JSON = ["event": "form.join", "payload": Self.sent.with("zip", "8002")]
        _ = try await client.post("/events", json: join)
        let invited = try await client.post("/events", json: ["event": "form.invite"])
        #expect(try invited.json["route"]["screen"]["style"] == "sheet")
        #expect(try await client.post("/events", json: join).json["route"]["screen"]["style"] == "page")
    }

    @Test(.serving(AlertApp())) func anAlertHasItsStyle() async throws {
        let screen = try await server.client().get("/route").json["screen"]
        #expect(screen?["style"] == "alert")
        #expect(screen?["title"] == "Really?")
    }

    @Test func aClientFillsInAForm() async throws {
        let form = try #require(try await client.route().screen.actions.first)
        await #expect(throws: UnknownInput.self) { try await client.emit(form, entering: ["zap": "8002"]) }
        let outcome = try await client.emit(form, entering: ["zip": "80", "guests": 3])
        let shown = try #require(outcome.route?.screen.actions.first)
        #expect(shown.inputs.map(\.error) == [nil, "has four digits", nil, nil, nil, nil])
        #expect(shown.payload["guests"] == 3)
    }
}

/// An app that shows an alert from the start.
private struct AlertApp: CoordinatedApp {
    let name = "Alert"
    let version = "1.0"
    let events = EventCatalog()
    let routes = RouteCatalog()

    func makeRootCoordinator() -> CoordinatorNode { AskingCoordinator() }
}

private final class AskingCoordinator: Coordinator<ViewController> {
    override func activate() {
        super.activate()
        present(Alert(title: "Really?", choices: [.stay("No")]))
    }
}
