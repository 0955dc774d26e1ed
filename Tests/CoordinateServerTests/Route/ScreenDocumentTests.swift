import CoordinateServer
import CoordinateTesting
import Testing

/// Sections, images, links, roles, content and kinds of inputs, in documents and requests.
@Suite(.serving(LibraryApp())) struct ScreenDocumentTests {
    private func action(
        _ title: JSON, _ event: JSON, _ payload: JSON = [:], role: JSON = .null, opens: JSON = .null
    ) -> JSON {
        ["title": title, "event": event, "payload": payload, "role": role, "opens": opens]
    }

    private func row(_ id: String, _ title: JSON, in section: JSON, _ image: JSON) -> JSON {
        [
            "id": .string(id), "section": section, "title": title, "subtitle": .null, "image": image,
            "favorite": false,
            "action": action(title, "library.open", ["book": .string(id)], opens: .string("/shelf/book/\(id)")),
            "delete": action(
                .string("Remove \(id)"), "library.remove", ["book": .string(id)], role: "destructive"),
            "value": .null, "actions": [],
        ]
    }

    @Test func aScreenHasSectionsImagesAndLinks() async throws {
        let screen = try await client.get("/route").json["screen"]
        #expect(
            screen == [
                "name": "Titles", "title": "Shelf", "style": "page", "status": "ready", "message": .null,
                "sections": [
                    ["id": "novels", "title": "Novels", "footer": "3 books in all."],
                    ["id": "maps", "title": .null, "footer": .null],
                ],
                "rows": [
                    row("notes", "Notes", in: .null, .null),
                    row(
                        "ulysses", "Ulysses", in: "novels",
                        ["url": .null, "symbol": .null, "letters": "JJ", "color": "#0000a5", "alt": ""]),
                    row(
                        "atlas", "Atlas", in: "maps",
                        [
                            "url": "/images/atlas.svg", "symbol": .null, "letters": .null, "color": .null,
                            "alt": "A blue atlas",
                        ]),
                ],
                "empty": .null, "actions": [action("Restore", "library.restore", role: "cancel")], "content": .null,
            ])
    }

    @Test func contentIsAValueThatTheCatalogDescribes() async throws {
        try await client.open("/shelf/book/atlas")
        #expect(try await client.route().screen.content == .null)
        try await client.press("Read")
        try await client.press("Read")
        #expect(try await client.route().screen.content == ["pages": [1, 2]])
        let screens = try await client.get("/catalog").json["screens"]
        let pages: JSON = [
            "type": "array", "required": true, "items": ["type": "integer", "required": true, "secret": false],
            "secret": false,
        ]
        #expect(
            screens == [
                ["name": "Titles", "content": .null],
                ["name": "Desk", "content": .null],
                [
                    "name": "Title",
                    "content": ["type": "object", "required": false, "fields": ["pages": pages], "secret": false],
                ],
            ])
    }

    @Test func aClientReadsAllOfIt() async throws {
        let route = try await client.route()
        #expect(route.screen.sections.map(\.title) == ["Novels", nil])
        #expect(route.screen.rows.map(\.section) == [nil, "novels", "maps"])
        #expect(route.screen.rows.map(\.image?.url) == [nil, nil, "/images/atlas.svg"])
        #expect(route.screen.rows.map(\.image?.letters) == [nil, "JJ", nil])
        #expect(route.screen.rows.map(\.delete?.role) == ["destructive", "destructive", "destructive"])
        #expect(route.screen.rows.map(\.action?.opens).last == "/shelf/book/atlas")
        #expect(route.navigation.tabs.map(\.image?.symbol) == ["list", nil])
        #expect(route.navigation.tabs.map(\.action.opens) == ["/shelf", "/desk"])
        try await client.open("/desk")
        let inputs = try await client.route().screen.actions.flatMap(\.inputs)
        #expect(
            inputs.map(\.kind) == [
                "email", "phone", "url", "date", "time", "oneTimeCode", "multiline", "search",
            ])
    }

    // MARK: Requests

    /// What is offered, and what is a repetition, depends on the event and its payload, not on the other fields.
    @Test func anActionIsSentWithItsRoleAndPath() async throws {
        var configuration = ServerConfiguration.make(apiKey: "s3cret")
        configuration.clients = .app
        try await withApp(LibraryApp(), configuration: configuration) { server in
            let client = server.client()
            let row = try #require(try await client.get("/route").json["screen"]?["rows"]?[2])
            let removal = try #require(row["delete"])
            let headers = ["Idempotency-Key": "once"]
            let answer = try await client.post("/events", json: removal, headers: headers)
            #expect(answer.status == 200)
            #expect(try await client.post("/events", json: removal, headers: headers).body == answer.body)
            let opening = try #require(row["action"]).with("payload", ["book": "notes"])
            let other = opening.with("role", 7).with("opens", ["/desk"]).with("title", .null)
            let outcome = try await client.post("/events", json: other)
            #expect(outcome.status == 200)
            #expect(try outcome.json["path"] == "/shelf/book/notes")
            #expect(try await client.post("/events", json: opening.with("rule", 1)).isProblem("unknown-field", 422))
            let unoffered = action("Desk", "library.find", ["words": ""], role: "primary", opens: "/desk")
            #expect(try await client.post("/events", json: unoffered).isProblem("not-offered", 422))
        }
    }
}
