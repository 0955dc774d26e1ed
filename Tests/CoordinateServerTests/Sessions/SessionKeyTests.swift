import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

extension SessionClient {
    /// Changes a session's name or attributes.
    fileprivate func patch(_ id: String, _ body: JSON) async throws -> ServerAnswer {
        try await request(
            "PATCH", "/sessions/\(id)", headers: ["Content-Type": "application/json"], body: body.encoded)
    }
}

/// Sessions that a backend finds by names of its own, and with what it begins them.
struct SessionKeyTests {
    @Test(.racing) func aKeyIsOfOneSession() async throws {
        let made = try await client.put(
            "/sessions/by-key/claim%2F4711", json: ["path": "/main/teams", "attributes": ["user": "42"]])
        #expect(made.status == 201)
        let id = try #require(try made.json["id"]?.string)
        #expect(made.header("Location") == "/sessions/\(id)")
        #expect(made.header("Cache-Control") == "no-store")
        #expect(try made.json["key"] == "claim/4711")
        #expect(try made.json["attributes"] == ["user": "42"])
        let again = try await client.put("/sessions/by-key/claim%2F4711", json: ["attributes": ["user": "43"]])
        #expect(again.status == 200)
        #expect(try again.json["id"]?.string == id)
        #expect(try again.json["attributes"] == ["user": "42"])
        #expect(try await client.get("/sessions/by-key/claim%2F4711").json["id"]?.string == id)
        let reference = try #require(try made.json["reference"]?.string)
        #expect(reference != id)
        #expect(try await client.get("/sessions/by-reference/\(reference)").json["id"]?.string == id)
        for path in ["by-key/4711", "by-reference/\(id)", "by-reference/x", "by-reference/%FF"] {
            #expect(try await client.get("/sessions/\(path)").isProblem("session-not-found", 404), "\(path)")
        }
        #expect(try await client.delete("/sessions/\(id)").status == 204)
        #expect(try await client.get("/sessions/by-key/claim%2F4711").status == 404)
        #expect(try await client.put("/sessions/by-key/claim%2F4711", json: [:]).status == 201)
    }

    @Test(.racing(over: .socket)) func anyNumberOfRequestsCreateOneSession() async throws {
        let server = server
        let ids = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let answer = try await server.client().put("/sessions/by-key/one", json: [:])
                    return (answer.status, try answer.json["id"]?.string)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(ids.map(\.1)).count == 1)
        #expect(ids.map(\.0).sorted() == Array(repeating: 200, count: 19) + [201])
    }

    @Test(
        .racing,
        arguments: ["", "a%1Fb", "a%7F", "a%C2%85", "a%FF", String(repeating: "x", count: 201), "a%0A"])
    func aKeyThatCannotBeOneCreatesNothing(key: String) async throws {
        #expect(try await client.put("/sessions/by-key/\(key)", json: [:]).isProblem("malformed-request", 400))
        #expect(try await client.get("/sessions").json["sessions"] == [])
    }

    // MARK: Attributes

    @Test(.racing) func sessionsAreFoundByTheirAttributes() async throws {
        for number in 1...3 {
            let attributes: JSON = ["user": .string("\(number % 2)"), "plan": "pro"]
            _ = try await client.post("/sessions", json: ["attributes": attributes])
        }
        func count(_ query: String) async throws -> Int? {
            try await client.get("/sessions?\(query)").json["sessions"]?.array.count
        }
        #expect(try await count("attribute.user=1") == 2)
        #expect(try await count("attribute.user=1&attribute.plan=pro") == 2)
        #expect(try await count("attribute.user=0") == 1)
        #expect(try await count("attribute.user=1&attribute.plan=free") == 0)
        #expect(try await count("attribute.plan=pro&path=/splash") == 3)
        #expect(try await count("attribute.plan=pro&limit=2") == 2)
        for query in ["attribute.User=1", "attribute.=1", "attributes.user=1", "attribute=1"] {
            #expect(try await client.get("/sessions?\(query)").isProblem("malformed-request", 400))
        }
        #expect(
            try await client.get("/sessions?attribute.user=1&attribute.user=2").isProblem("malformed-request", 400))
    }

    @Test(.racing) func attributesAreChangedOneByOne() async throws {
        let answer = try await client.post("/sessions", json: ["attributes": ["user": "42", "plan": "pro"]])
        let id = try #require(try answer.json["id"]?.string)
        let changed = try await client.patch(id, ["name": "claim", "attributes": ["plan": .null, "claim": "7"]])
        #expect(try changed.json["attributes"] == ["user": "42", "claim": "7"])
        #expect(try changed.json["name"] == "claim")
        #expect(try await client.get("/sessions?attribute.plan=pro").json["sessions"] == [])
        let named = try await client.patch(id, ["name": .null])
        #expect(try named.json["attributes"] == ["user": "42", "claim": "7"])
        #expect(try named.json["name"] == .null)
    }

    @Test(
        .racing,
        arguments: [
            (["User": "42"], "/attributes/User"), (["a b": "42"], "/attributes/a b"),
            (["user": 42], "/attributes/user"),
            (["user": ["42"]], "/attributes/user"), (["": "1"], "/attributes/"),
            (["nul": "a\u{0}b"], "/attributes/nul"), (["a/b": "1"], "/attributes/a~1b"),
            (["long": .string(String(repeating: "x", count: 257))], "/attributes/long"), ("42", "/attributes"),
            (
                JSON.object(Dictionary(uniqueKeysWithValues: (0..<17).map { ("a\($0)", JSON.string("")) })),
                "/attributes"
            ),
        ] as [(JSON, String)])
    func attributesThatCannotBeChangeNothing(attributes: JSON, pointer: String) async throws {
        let refused = try await client.post("/sessions", json: ["attributes": attributes])
        #expect(refused.isProblem("invalid-attributes", 422))
        #expect(try refused.json["pointer"]?.string == pointer)
        #expect(try await client.get("/sessions").json["sessions"] == [])
        let id = try #require(try await client.post("/sessions", json: [:]).json["id"]?.string)
        let patched = try await client.patch(id, ["name": "x", "attributes": attributes])
        #expect(patched.isProblem("invalid-attributes", 422))
        #expect(try await client.get("/sessions/\(id)").json["name"] == .null)
    }

    // MARK: Names

    @Test(.racing) func aSessionIsNamedWithoutANewVersion() async throws {
        try await client.showTeam()
        #expect(try await client.session().name == nil)
        let export = try await client.exportedJournal()
        let id = try #require(client.sessionID)
        let answer = try await client.patch(id, ["name": "checkout bug"])
        #expect(answer.status == 200)
        #expect(try answer.decode(Document.Session.self).name == "checkout bug")
        #expect(try await client.session().name == "checkout bug")
        #expect(try await client.session().version == 2)
        #expect(try await client.exportedJournal() == export)
        #expect(try await client.fork(at: 1).session().name == nil)
        #expect(try await client.patch(id, ["name": .null]).status == 200)
        #expect(try await client.session().name == nil)
    }

    @Test(
        .racing,
        arguments: [
            (["name": ""], 400), (["name": .string(String(repeating: "é", count: 81))], 400), (["name": 1], 400),
            ([:], 200),
            ([], 400), (["name": "x", "title": "y"], 422), (["name": .string(String(repeating: "é", count: 80))], 200),
            // One character of many bytes, characters that end a line, and one that turns the direction of text.
            (["name": .string("e" + String(repeating: "\u{301}", count: 160))], 400), (["name": "a\0b"], 400),
            (["name": "a\nb"], 400), (["name": "a\u{202E}b"], 400), (["name": "a\u{2067}b"], 400),
            (["name": "a\u{2028}b"], 400), (["name": "a\u{2029}b"], 400),
        ] as [(JSON, Int)])
    func aNameHasOneToEightyCharactersAndFewBytes(body: JSON, status: Int) async throws {
        try await client.showTeam()
        #expect(try await client.patch(try #require(client.sessionID), body).status == status)
    }

    // MARK: Options and events

    @Test(.serving(WorkApp())) func optionsReachTheAppAndAreKept() async throws {
        let original = try await server.client(options: ["greeting": "Hallo", "pace": 2], at: "/work/page/1")
        let copy = try await server.client(replaying: original.exportedJournal())
        for session in [original, copy, try await original.fork(at: 0)] {
            #expect(try await session.session().options == ["greeting": "Hallo", "pace": 2])
            #expect(try await session.route().screen.title == "Hallo")
        }
    }

    @Test(.racing) func aSessionBeginsWithEvents() async throws {
        let answer = try await client.post(
            "/sessions",
            json: [
                "path": "/main/teams",
                "events": [
                    ["event": "teams.didSelect", "payload": ["team": "ferrari"]],
                    ["event": "teams.setFavorite", "payload": ["team": "ferrari"], "origin": "host"],
                ],
            ])
        #expect(answer.status == 201)
        #expect(try answer.json["version"] == 3)
        #expect(try answer.json["path"] == "/main/teams/team/ferrari")
        let id = try #require(try answer.json["id"]?.string)
        let entries = try await client.get("/sessions/\(id)/events").json["events"]?.array ?? []
        #expect(entries.map { $0["origin"]?.string } == ["client", "client", "host"])
    }

    @Test(
        .racing,
        arguments: [
            (["event": "teams.didSelect", "payload": ["team": "none"]], "invalid-payload", "/events/1/payload/team"),
            (["event": "no.such"], "unknown-event", "/events/1"),
            (["event": "navigation.back", "colour": 1], "unknown-field", "/events/1/colour"),
            (["event": "navigation.back", "at": "Nowhere"], "unknown-coordinator", "/events/1/at"),
        ] as [(JSON, String, String)])
    func aRefusedEventCreatesNothing(event: JSON, problem: String, pointer: String) async throws {
        let events: JSON = ["path": "/main/teams", "events": [["event": "profile.edit"], event]]
        for answer in [
            try await client.post("/sessions", json: events), try await client.put("/sessions/by-key/k", json: events),
        ] {
            #expect(answer.isProblem(problem, 422))
            #expect(try answer.json["pointer"]?.string == pointer)
        }
        #expect(try await client.get("/sessions").json["sessions"] == [])
    }

    // MARK: Clients

    /// What a backend knows of a session is not for its clients.
    @Test func clientsReadNoKeysAndAttributes() async throws {
        var configuration = ServerConfiguration.make(apiKey: "key")
        configuration.clients = .full
        try await withRacing(configuration: configuration) { server async throws in
            let keeper = server.client(headers: ["Authorization": "Bearer key"])
            let made = try await keeper.put("/sessions/by-key/k", json: ["attributes": ["user": "42"]])
            let id = try #require(try made.json["id"]?.string)
            let client = server.client(headers: ["Session": id])
            let answers = [
                try await client.get("/sessions/\(id)"),
                try await client.patch(id, ["name": "x"]),
                try await client.post("/sessions", json: [:]),
                try await client.post("/sessions/\(id)/forks", json: ["version": 0]),
            ]
            for answer in answers {
                #expect(answer.status < 300)
                #expect(try answer.json["key"] == .null)
                #expect(try answer.json["attributes"] == [:])
                #expect(try answer.json["reference"] == .null)
            }
            let journal = String(decoding: try await client.exportedJournal(), as: UTF8.self)
            #expect(!journal.contains("reference") && !journal.contains("\"key\""))
            for (body, path) in [
                (["attributes": ["user": "1"]], "/sessions"), (["events": []], "/sessions"),
                ([:], "/sessions/by-key/k"),
            ] as [(JSON, String)] {
                let answer =
                    path == "/sessions"
                    ? try await client.post(path, json: body) : try await client.put(path, json: body)
                #expect(answer.isProblem("operator-only", 403))
            }
            let patch = try await client.patch(id, ["attributes": ["user": "1"]])
            #expect(patch.isProblem("operator-only", 403))
            let host = try await client.post("/events", json: ["event": "splash.didFinish", "origin": "host"])
            #expect(host.isProblem("operator-only", 403))
        }
    }

    @Test(.racing(over: .socket)) func changesAtOnceAreAllKept() async throws {
        let server = server
        let id = try #require(try await client.post("/sessions", json: [:]).json["id"]?.string)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<12 {
                group.addTask { try await server.client().patch(id, ["attributes": ["a\(number)": "x"]]).status }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(try await client.get("/sessions/\(id)").json["attributes"]?.object.count == 12)
    }
}
