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
}
