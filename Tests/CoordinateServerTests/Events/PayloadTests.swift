import CoordinateTesting
import SessionFixtures
import Testing

/// Payloads with lists, objects, choices and optional values, over HTTP.
@Suite(.serving(ParcelApp())) struct PayloadTests {
    private static let payload: JSON = [
        "items": [["name": "Hat", "count": 2, "size": [0.5, 1]], ["name": "Pin", "count": 1, "size": .null]],
        "customer": "grace", "speed": "express", "note": .null,
    ]

    private func event(_ name: String, in catalog: JSON) -> JSON? {
        catalog["events"]?.array.first { $0["name"]?.string == name }?["payload"]
    }

    // MARK: The catalog

    @Test func theCatalogDescribesPayloadsCompletely() async throws {
        let catalog = try await server.client().get("/catalog").json
        func type(_ type: JSON, isRequired: JSON = true, isSecret: JSON = false) -> JSON {
            ["type": type, "required": isRequired, "secret": isSecret]
        }
        let size = type("array", isRequired: false).with("items", type("number"))
        let item = type("object").with("fields", ["name": type("string"), "count": type("integer"), "size": size])
        #expect(
            event("parcels.send", in: catalog) == [
                "items": type("array").with("items", item),
                "customer": type("string").with("choices", ["ada", "grace", "katherine"]),
                "speed": type("string").with("choices", ["standard", "express"]),
                "note": type("string", isRequired: false),
            ])
        let account: JSON = ["name": type("string"), "password": type("string", isSecret: true)]
        #expect(event("parcels.login", in: catalog) == ["account": type("object").with("fields", account)])
        #expect(
            catalog["options"] == [
                ["name": "speed", "type": "string", "choices": ["standard", "express"], "default": "standard"],
                ["name": "labels", "type": "array", "default": [], "items": type("string")],
                ["name": "limit", "type": "integer", "default": .null],
            ])
        // Declaration order: the positions of the fields' keys in the text.
        let text = Array(try await server.client().get("/catalog").text.utf8)
        let places = ["\"items\":{", "\"customer\":{", "\"speed\":{", "\"note\":{"].map { key in
            text.indices.first { text[$0...].starts(with: key.utf8) }
        }
        #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted())
    }

    // MARK: Events

    @Test func payloadsAreRecordedOfferedAndAcceptedAgain() async throws {
        let sent = try await client.post("/events", json: ["event": "parcels.send", "payload": Self.payload])
        #expect(sent.status == 200)
        let action = try #require(try sent.json["route"]["screen"]["rows"][0]["action"])
        #expect(action["payload"] == Self.payload)
        #expect(try await client.post("/events", json: action).status == 200)
        let entries = try #require(try await client.get("/events").json["events"]).array
        #expect(entries.map { $0["payload"] } == [Self.payload, Self.payload])

        let copy = try await server.client(replaying: try await client.exportedJournal())
        let screens = [try await copy.get("/route").json["screen"], try await client.get("/route").json["screen"]]
        #expect(screens[0] == screens[1])
    }

    @Test func optionalFieldsMayBeNull() async throws {
        for payload in [[:], ["weight": .null], ["weight": 1, "isFragile": .null]] as [JSON] {
            let answer = try await client.post("/events", json: ["event": "parcels.weigh", "payload": payload])
            #expect(answer.status == 200)
        }
        let rows = try #require(try await client.get("/route").json["screen"]?["rows"]).array
        let payloads = rows.map { $0["action"]["payload"] }
        #expect(
            payloads == [
                ["weight": .null, "isFragile": .null], ["weight": .null, "isFragile": .null],
                ["weight": 1, "isFragile": .null],
            ])
    }

    @Test(
        arguments: [
            (["items": [["name": "Hat", "count": "2"]]], "/payload/items/0/count", "must be a whole number", nil),
            (["items": [["name": "Hat", "count": 2], ["name": "Hat"]]], "/payload/items/1/count", "is missing", nil),
            (["items": [["name": "Hat", "count": 0]]], "/payload/items/0", "of nothing", nil),
            (["items": [["name": "Hat", "count": 1, "size": [1, .null]]]], "/payload/items/0/size/1", "number", nil),
            (["items": [:]], "/payload/items", "must be a list", nil),
            (["items": [], "customer": "Grac"], "/payload/customer", "is not the id of any Customer", "grace"),
            (["items": [], "customer": "linus"], "/payload/customer", "is not the id of any Customer", nil),
            (["items": [], "customer": "ada", "speed": "expres"], "/payload/speed", "\"standard\"", "express"),
            (["items": [], "customer": "ada", "speed": "standard", "note": 1], "/payload/note", "string", nil),
        ] as [(JSON, String, String, String?)])
    func aRefusalPointsToTheValue(payload: JSON, pointer: String, detail: String, meant: String?) async throws {
        let answer = try await client.post("/events", json: ["event": "parcels.send", "payload": payload])
        #expect(answer.isProblem("invalid-payload", 422))
        let text = try answer.problem.detail
        #expect(text.contains(detail), "\(text)")
        #expect(try answer.json["pointer"] == .string(pointer))
        #expect(try answer.json["didYouMean"] == meant.map(JSON.string) ?? .null)
    }

    @Test(
        arguments: [
            (["itmes": []], "/payload/itmes", "items"), (["items": [], "color": 1], "/payload/color", nil),
            (["items": [["name": "Hat", "count": 2], ["cuont": 1]]], "/payload/items/1/cuont", "count"),
            (["items": [["a/b~c": 1]], "itmes": 1], "/payload/items/0/a~1b~0c", nil),
            // The error of the field's own type comes first.
            (
                ["items": [["name": ["first": "Hat"]]], "customer": ["id": "ada"], "speed": [[:]], "more": 1],
                "/payload/more", nil
            ),
        ] as [(JSON, String, String?)])
    func undeclaredFieldsAreRefusedAtEveryDepth(payload: JSON, pointer: String, meant: String?) async throws {
        let answer = try await client.post("/events", json: ["event": "parcels.send", "payload": payload])
        #expect(answer.isProblem("unknown-field", 422))
        #expect(try answer.json["pointer"] == .string(pointer))
        #expect(try answer.json["didYouMean"] == meant.map(JSON.string) ?? .null)
        #expect(try await client.get("/metrics").text.contains("coordinate_events_total 0"))
    }

    @Test(
        arguments: [
            (["speed": "expres"], "/options/speed", "express"), (["labels": ["a", 1]], "/options/labels/1", nil),
            (["limit": 0.5], "/options/limit", nil), (["limits": 1], "/options/limits", "limit"),
            (["a/b~c": 7], "/options/a~1b~0c", nil), (7, "/options", nil), (.null, "/options", nil),
        ] as [(JSON, String, String?)])
    func aRefusedOptionHasAPointer(options: JSON, pointer: String, meant: String?) async throws {
        let answer = try await server.client().post("/sessions", json: ["options": options])
        #expect(answer.isProblem("invalid-options", 422))
        #expect(try answer.json["pointer"] == .string(pointer))
        #expect(try answer.json["didYouMean"] == meant.map(JSON.string) ?? .null)
        let fitting: JSON = ["speed": "express", "labels": ["a"], "limit": .null]
        #expect(try await server.client().post("/sessions", json: ["options": fitting]).status == 201)
    }

    @Test(arguments: Store.available.filter { [.memory, .sqlite, .postgreSQL].contains($0) })
    func aSecretInAnObjectIsInNoFingerprintOrCopy(store: Store) async throws {
        let lines = ["Accept": "application/x-ndjson"]
        try await withApp(ParcelApp(), on: try await Store.Place(store)) { server in
            let client = server.client()
            func login(_ password: JSON) -> JSON {
                ["event": "parcels.login", "payload": ["account": ["name": "ada", "password": password]]]
            }
            _ = try await client.get("/route")
            for password in ["swordfish", "haddock"] as [JSON] {
                let answer = try await client.post("/events", json: login(password), headers: ["Idempotency-Key": "1"])
                #expect(try answer.json["version"] == 1)
            }
            let id = try #require(client.sessionID)
            let fork = try await client.post("/sessions/\(id)/forks", json: ["version": 1])
            #expect(fork.status == 201)
            let journal = try await client.get("/events", headers: lines).text
            // An export that was edited by hand.
            let spoilt = journal.replacing(#""name":"ada""#, with: #""name":"ada","password":"swordfish""#)
            #expect(spoilt != journal)
            var made = [fork]
            // Entries to be migrated stay as they were recorded.
            for text in [spoilt, spoilt.replacing(#""appVersion":"1.0""#, with: #""appVersion":"0.9""#)] {
                let copy = try await client.request(
                    "POST", "/sessions", headers: ["Content-Type": "application/x-ndjson"], body: Array(text.utf8))
                #expect(copy.status == 201)
                made.append(copy)
            }
            for session in [id] + made.compactMap({ try? $0.json["id"]?.string }) {
                let base = "/sessions/\(session)"
                let texts = [
                    try await client.get("\(base)/events", headers: lines).text,
                    try await client.get("\(base)/events").text, try await client.get("\(base)/route").text,
                    try await client.get("\(base)/route?version=1").text,
                ]
                #expect(texts.allSatisfy { !$0.contains("swordfish") && !$0.contains("haddock") })
                #expect(texts[1].contains(#""payload":{"account":{"name":"ada"}}"#))
            }
        }
    }

    // MARK: Links

    @Test(
        arguments: [
            ("/customer/grac", #""grac" is not the id of any Customer"#, "/customer/grace"),
            ("/customer/linus", #""linus" is not the id of any Customer"#, nil),
            ("/custmer/Grace", "no such path", "/customer/grace"), ("/start/", "no such path", "/start"),
            ("start", "no such path", "/start"), ("/search?q=a&speed=fast", #""fast" must be one of"#, nil),
            ("/search?q=a%20b&speed=expres", #""expres" must be one of"#, "/search?q=a%20b&speed=express"),
            ("/search?q=a&pge=2", "no such path", "/search?q=a&page=2"),
            ("/search?q=a&page=two", #""two" must be a whole number"#, nil),
            ("customer/grac", #""grac" is not the id of any Customer"#, "/customer/grace"),
            ("/customer/grac/", #""grac" is not the id of any Customer"#, "/customer/grace"),
            ("/search?speed=express", "an item of the query is missing", nil), ("/quux", "no such path", nil),
            ("/start#", "no such path", nil),
        ] as [(String, String, String?)])
    func aDeadLinkIsExplained(link: String, reason: String, meant: String?) async throws {
        let requests = [
            try await client.put("/route", json: ["path": .string(link)]),
            try await client.post("/sessions", json: ["path": .string(link)]),
            try await client.post(
                "/events", json: ["event": "navigation.open", "payload": ["path": .string(link)]]),
        ]
        for answer in requests {
            #expect(answer.isProblem("unknown-path", 422))
            let text = try answer.problem.detail
            #expect(text.contains(reason), "\(text)")
            #expect(try answer.json["didYouMean"] == meant.map(JSON.string) ?? .null)
            #expect(try answer.json["known"]?.array.count == 3)
        }
        if let meant { #expect(try await client.put("/route", json: ["path": .string(meant)]).status == 200) }
    }
}
