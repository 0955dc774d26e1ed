import CoordinateTesting
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The description against a running server: every answer is described, and every described answer is given.
struct OpenAPIAnswerTests {
    let description: OpenAPIDescription

    init() throws {
        description = try .shipped()
    }

    /// One test, because only all requests together show which described answers were never given.
    @Test func everyAnswerIsDescribedAndEveryDescribedAnswerIsGiven() async throws {
        let check = DescriptionCheck(description)
        let configuration = ServerConfiguration.make(publicFolder: PublicFilesTests.shipped)
        try await withApp(try RacingApp.twoTeams(), configuration: configuration, over: .socket) { server in
            try await checkWhatIsTaken(check, server)
            try await checkWhatIsRefused(check, server)
            try await checkPages(check, server)
            try checkWhatIsTurnedAway(check, server)
        }
        try await checkWithoutTheKey(check)
        try await checkAccess(check)
        try await checkWithoutRoom(check)
        try await checkWhileDraining(check)
        try await checkWhileBusy(check)
        try await checkWorkAndOptions(check)
        try await checkAnAppThatFails(check)
        try await checkChangedApps(check)
        try await checkCrashes(check)
        try await checkAJournalThatSaysNothing(check)
        try await checkAgents(check)
        #expect(check.unseen == [])
        #expect(Set(Problem.Kind.allCases.map(\.rawValue)).subtracting(check.problems) == [])
    }

    // MARK: Accepted requests

    private func checkWhatIsTaken(_ check: DescriptionCheck, _ server: TestServer) async throws {
        try await checkMap(check, server)
        for operation in description.programOperations where !operation.path.hasSuffix("/tokens") {
            let request = try await request(operation, server)
            for headers in [[:], ["Prefer": "return=minimal", "Idempotency-Key": "one"], ["Session": request.id]] {
                guard operation.method != "DELETE" || headers.isEmpty else { continue }
                let answer = try await check.send(request.with(headers: headers), as: server.client())
                #expect((200..<300).contains(answer.status), "\(operation): \(answer.text)")
            }
            if operation.method == "GET" { try await checkReading(request, check, server) }
            if description.describes(parameter: "Last-Event-ID", of: operation) {
                try await checkFollowing(operation, check, server)
            }
        }
        try await checkNewSessions(check, server)
    }

    /// At first the map is being created.
    private func checkMap(_ check: DescriptionCheck, _ server: TestServer) async throws {
        let map = DescribedRequest(.init("GET", "/map"))
        try await check.send(map, as: server.client(), status: 202)
        try await waitUntil("there is no map") { try await server.client().get(map.path).status == 200 }
    }

    /// A `GET` in all its forms, and with `HEAD`.
    private func checkReading(
        _ request: DescribedRequest, _ check: DescriptionCheck, _ server: TestServer
    ) async throws {
        let client = server.client(headers: ["Session": request.id])
        var forms = [(request, 200)]
        if description.describes(parameter: "If-None-Match", of: request.operation) {
            let tag = try #require(try await check.send(request, as: client).header("ETag"))
            forms.append((request.with(headers: ["If-None-Match": tag]), 304))
        }
        for parameter in description.parameters(of: request.operation) where parameter["in"] == "query" {
            let name = parameter["name"]?.string ?? ""
            let schema = try #require(description.resolved(parameter["schema"]))
            // Any value is allowed.
            if schema == ["type": "string"] { continue }
            let others = description.requiredQuery(of: request.operation, without: name)
            func with(_ item: String) -> DescribedRequest {
                request.with(query: "\(others.isEmpty ? "?" : "\(others)&")\(item)")
            }
            forms += [(with("\(name)=x"), 400), (with("\(name)=1&\(name)=1"), 400)]
            if parameter["required"] == true { forms.append((request.with(query: others), 400)) }
            let values = (schema["enum"]?.array ?? []) + (schema["examples"]?.array ?? [])
            forms += values.compactMap(\.string).map { (with("\(name)=\($0)"), 200) }
            guard let least = schema["minimum"]?.int else { continue }
            forms += [(with("\(name)=\(least)"), 200), (with("\(name)=\(least - 1)"), 400)]
            guard let most = schema["maximum"]?.int else { continue }
            forms += [(with("\(name)=\(most)"), 200), (with("\(name)=\(most + 1)"), 400)]
        }
        if description.describes(parameter: "Last-Event-ID", of: request.operation) {
            forms.append((request.with(query: "?after=1&limit=1"), 200))
            forms.append((request.with(headers: ["Accept": "application/x-ndjson"]), 200))
        }
        if description.describes(parameter: "state", of: request.operation) {
            for _ in 0..<2 { _ = try await session(server) }
            let page = try await check.send(request.with(query: "?limit=1"), as: client, status: 200).json
            let next = try #require(page["next"]?.string)
            forms.append((request.with(query: "?after=\(next)"), 200))
        }
        for (form, status) in forms {
            let get = try await check.send(form, as: client, status: status)
            let head = try await check.send(form.with(method: "HEAD"), as: client, status: status)
            for name in ["Content-Type", "ETag", "Cache-Control"] {
                #expect(head.header(name) == get.header(name), "\(form.path)")
            }
        }
    }

    /// Streams from the beginning to the end of their session.
    private func checkFollowing(
        _ operation: OpenAPIDescription.Operation, _ check: DescriptionCheck, _ server: TestServer
    ) async throws {
        for (lastSeen, first) in [
            (nil, "id: 2\nevent: route\n"), ("0", "id: 1\nevent: route\n"), ("x", "id: 2\nevent: reset\n"),
        ] {
            let request = try await request(operation, server)
            let client = server.client(headers: ["Session": request.id])
            var form = request.with(headers: ["Accept": "text/event-stream", "Session": request.id])
            form.headers["Last-Event-ID"] = lastSeen
            let head = try await check.send(form.with(method: "HEAD"), as: client, status: 200)
            let answer = try await check.follow(form, at: server.url, until: "\n\nevent: end\ndata: {}\n\n") {
                try await client.emit("navigation.back")
                #expect(try await client.delete("/sessions/\(request.id)").status == 204)
            }
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.hasPrefix(first))
            #expect(text.contains("\n\nid: 3\nevent: route\n"))
            for name in ["Content-Type", "Cache-Control"] {
                #expect(head.header(name) == answer.headers[name.lowercased()])
            }
        }
        let stranger = DescribedRequest(operation, id: "x").with(headers: ["Accept": "text/event-stream"])
        try await check.send(stranger.with(headers: ["Session": "x"]), as: server.client(), status: 404)
    }

    private func checkNewSessions(_ check: DescriptionCheck, _ server: TestServer) async throws {
        let client = server.client()
        var post = description.example(.init("POST", "/sessions"))
        post.headers = ["Content-Type": "application/x-ndjson"]
        let id = try await session(server)
        let journal = try await client.get("/sessions/\(id)/events", headers: ["Accept": "application/x-ndjson"])
        let answer = try await check.send(post.with(body: journal.text), as: client, status: 201)
        #expect(try answer.json["version"] == 2)
        for body in ["{}\n", "", "\n"] {
            let refused = try await check.send(post.with(body: body), as: client, status: 422)
            #expect(try refused.json["line"] == 1)
        }
        let length = ["Content-Length": "\(16 * 1024 * 1024 + 1)"]
        try check.sendHead(of: post.with(headers: length), to: server.url, status: 413)
        post.headers = [:]
        try await check.send(post.with(body: ""), as: client, status: 201)
    }

    // MARK: Refused requests

    private func checkWhatIsRefused(_ check: DescriptionCheck, _ server: TestServer) async throws {
        let client = server.client()
        for operation in description.programOperations {
            let request = try await request(operation, server)
            let named = request.with(headers: ["Session": request.id])
            let unknown = String(repeating: "A", count: 22)
            if operation.path.contains("{reference}") || operation.method == "GET" && operation.path.contains("{key}") {
                try await check.send(request.with(id: "x"), as: client, status: 404)
            }
            if operation.path.contains("{key}") {
                try await check.send(request.with(id: "%1F"), as: client, status: 400)
            }
            if operation.path.contains("{id}") { try await check.send(request.with(id: "x"), as: client, status: 404) }
            if description.describes(parameter: "Session", of: operation) {
                try await check.send(request.with(headers: ["Session": "x"]), as: client, status: 404)
                try await check.send(request.with(headers: ["Session": unknown]), as: client, status: 404)
            }
            for query in ["version=3", "from=3&to=0", "from=0&to=3"]
            where description.describes(parameter: "\(query.prefix { $0 != "=" })", of: operation) {
                let answer = try await check.send(named.with(query: "?\(query)"), as: client, status: 404)
                #expect(try answer.problem.type == "/problems/version-not-found")
            }
            if description.describes(parameter: "If-Match", of: operation) {
                let stale = named.with(headers: ["If-Match": "\"stale\""])
                let answer = try await check.send(stale, as: client, status: 412)
                #expect(try answer.json["version"] == 2)
            }
            // Without a key, there are no tokens.
            if operation.path.hasSuffix("/tokens") {
                try await check.send(request, as: client, status: 409)
            } else if request.body?.isEmpty == false {
                try await checkBodies(named, check, server)
            }
        }
    }

    private func checkBodies(_ request: DescribedRequest, _ check: DescriptionCheck, _ server: TestServer) async throws
    {
        let client = server.client()
        for body in ["{", "[]"] { try await check.send(request.with(body: body), as: client, status: 400) }
        try await check.send(request.with(headers: ["Content-Type": "text/plain"]), as: client, status: 415)
        let length = ["Content-Length": "\(64 * 1024 + 1)"]
        try check.sendHead(of: request.with(headers: length), to: server.url, status: 413)

        let name = request.operation.path.split(separator: "/").last ?? ""
        for body in Self.refused[name] ?? [] {
            try await check.send(request.with(body: body), as: client, status: 422)
        }
        guard description.describes(parameter: "Idempotency-Key", of: request.operation) else { return }
        let keyed = request.with(headers: ["Idempotency-Key": String(repeating: "k", count: 255)])
        let first = try await check.send(keyed, as: client, status: 200)
        let again = try await check.send(keyed, as: client, status: 200)
        #expect(again.body == first.body)
        let other = name == "route" ? #"{"path": "/splash"}"# : #"{"event": "navigation.back"}"#
        let mismatch = try await check.send(keyed.with(body: other), as: client, status: 422)
        #expect(try mismatch.problem.type == "/problems/idempotency-mismatch")
        let long = ["Idempotency-Key": String(repeating: "k", count: 256)]
        try await check.send(request.with(headers: long), as: client, status: 400)
    }

    /// Well-formed bodies that make no sense.
    private static let refused: [Substring: [String]] = [
        "{id}": [#"{"name": "checkout", "title": "bug"}"#, #"{"attributes": {"User": "42"}}"#],
        "{key}": [#"{"attributes": {"user": 42}}"#, #"{"events": [{"event": "x.y"}]}"#],
        "events": [
            #"{"event": "x.y"}"#, #"{"event": "teams.didSelct"}"#, #"{"event": "teams.didSelect"}"#,
            #"{"event": "splash.didFinish", "at": "Unknown"}"#,
            #"{"event": "navigation.open", "payload": {"path": "/nowhere"}}"#,
            #"{"event": "splash.didFinish", "colour": "red"}"#,
            #"{"event": "teams.didSelect", "payload": {"team": "ferrari", "colour": "red"}}"#,
        ],
        "route": [#"{"path": "/nowhere"}"#, #"{"path": "/splash", "colour": "red"}"#],
        "forks": [#"{"version": 1, "colour": "red"}"#],
        "login": [#"{"key": "x", "colour": "red"}"#],
        "sessions": [
            #"{"path": "/nowhere"}"#, #"{"options": {"colour": "red"}}"#, #"{"path": "/splash", "options": 1}"#,
            #"{"colour": "red"}"#,
        ],
    ]

    private func checkWhatIsTurnedAway(_ check: DescriptionCheck, _ server: TestServer) throws {
        for operation in description.programOperations {
            let request = description.example(operation, id: "AAAAAAAAAAAAAAAAAAAAAA").with(headers: [
                "Content-Length": "0"
            ])
            let turnedAway = [
                (request.with(headers: ["Transfer-Encoding": "chunked"]), 411),
                (request.with(headers: ["Content-Length": "\(17 * 1024 * 1024)"]), 413),
                (request.with(headers: ["Expect": "magic"]), 417),
                (request.with(headers: ["Host": "another"]), 400),
                (request.with(query: "?" + String(repeating: "a&", count: 160)), 414),
                (request.with(headers: ["X": String(repeating: "x", count: 16_500)]), 431),
                (request.with(method: "BREW"), 405),
            ]
            for (request, status) in turnedAway { try check.sendHead(of: request, to: server.url, status: status) }
        }
        let nowhere = DescribedRequest(.init("GET", "/catalog")).with(query: "/nowhere")
        try check.sendHead(of: nowhere, to: server.url, status: 404)
    }
}
