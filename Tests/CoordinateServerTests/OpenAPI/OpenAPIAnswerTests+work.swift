import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Sessions with options, and with pending work.
extension OpenAPIAnswerTests {
    func checkWorkAndOptions(_ check: DescriptionCheck) async throws {
        let world = World()
        try await withClient(of: WorkApp(world)) { client in
            let post = description.example(.init("POST", "/sessions"))
            let made = try await check.send(
                post.with(
                    body: #"{"options": {"greeting": "Hi", "asksAtStart": true, "firstTimer": 3600, "pace": 0.5}}"#),
                as: client, status: 201)
            let id = try #require(try made.json["id"]?.string)
            for (options, nearest) in [(#"{"greting": "Hi"}"#, "greeting" as JSON), (#"{"pace": "fast"}"#, .null)] {
                let refused = try await check.send(
                    post.with(body: #"{"options": \#(options)}"#), as: client, status: 422)
                #expect(try refused.problem.type == "/problems/invalid-options")
                #expect(try refused.json["didYouMean"] == nearest)
            }
            let event = DescribedRequest(.init("POST", "/sessions/{id}/events"), id: id)
                .with(headers: ["Content-Type": "application/json"])
            try await check.send(
                event.with(body: #"{"event": "work.login", "payload": {"password": "swordfish"}}"#), as: client,
                status: 200)
            let refused = try await check.send(event.with(body: #"{"event": "work.didFire"}"#), as: client, status: 422)
            #expect(try refused.problem.type == "/problems/event-not-allowed")
            try await checkSettling(id, world, check, client)
            try await checkWithheld(id, check, client)
            try await check.send(DescribedRequest(.init("GET", "/catalog")), as: client, status: 200)
        }
    }

    /// Forks and imports with withheld work. The timer of version 0 is pending in them.
    private func checkWithheld(_ id: String, _ check: DescriptionCheck, _ client: SessionClient) async throws {
        let fork = DescribedRequest(.init("POST", "/sessions/{id}/forks"), id: id)
            .with(headers: ["Content-Type": "application/json"], body: #"{"version": 1, "work": "withheld"}"#)
        let made = try await check.send(fork, as: client, status: 201).json
        #expect(made["work"] == "withheld")
        let other = try await check.send(fork.with(body: #"{"version": 1, "work": "begun"}"#), as: client, status: 400)
        #expect(try other.json["pointer"] == "/work")
        let withheld = try #require(made["id"]?.string)
        let event = DescribedRequest(.init("POST", "/sessions/{id}/events"), id: withheld)
            .with(headers: ["Content-Type": "application/json"])
        for (body, problem, pointer) in [
            (#"{"event": "work.didFire", "pending": "9-9"}"#, "invalid-payload", "/pending"),
            (#"{"event": "work.didFires", "pending": "0-2"}"#, "unknown-event", nil),
            (#"{"event": "work.draw", "pending": "0-2"}"#, "event-not-allowed", "/event"),
            (#"{"event": "work.didFire", "pending": "0-2", "at": "WorkCoordinator"}"#, "unknown-coordinator", "/at"),
            (#"{"event": "work.didFire", "pending": "0-2", "payload": {"a": 1}}"#, "unknown-field", "/payload/a"),
        ] as [(String, String, String?)] {
            let refused = try await check.send(event.with(body: body), as: client, status: 422)
            #expect(try refused.problem.type == "/problems/\(problem)")
            #expect(try refused.json["pointer"]?.string == pointer)
            #expect(try problem != "unknown-event" || refused.json["didYouMean"] == "work.didFire")
        }
        let posted = #"{"event": "work.didFire", "pending": "0-2"}"#
        let refused = try await check.send(event.with(id: id, body: posted), as: client, status: 422)
        #expect(try refused.problem.type == "/problems/unknown-field")
        try await check.send(event.with(body: posted), as: client, status: 200)
        let export = DescribedRequest(.init("GET", "/sessions/{id}/events"), id: withheld)
            .with(headers: ["Accept": "application/x-ndjson"])
        let journal = try await check.send(export, as: client, status: 200).text
        let post = description.example(.init("POST", "/sessions"))
            .with(query: "?work=withheld", headers: ["Content-Type": "application/x-ndjson"], body: journal)
        #expect(try await check.send(post, as: client, status: 201).json["work"] == "withheld")
        try await check.send(post.with(query: "?work=begun"), as: client, status: 400)
        for path in ["/sessions/{id}", "/sessions"] {
            try await check.send(DescribedRequest(.init("GET", path), id: withheld), as: client, status: 200)
        }
    }

    private func checkSettling(
        _ id: String, _ world: World, _ check: DescriptionCheck, _ client: SessionClient
    ) async throws {
        let get = DescribedRequest(.init("GET", "/sessions/{id}/route"), id: id).with(query: "?until=settled")
        let under = try await check.send(get, as: client, status: 200)
        #expect(try under.json["pending"]?.array.count == 3)
        let tag = try #require(under.header("ETag"))
        try await check.send(get.with(headers: ["If-None-Match": tag]), as: client, status: 304)
        _ = await world.call(1)
        world.finish("start")
        world.fail("login")
        let settled = try await check.send(get.with(headers: ["Prefer": "wait=60"]), as: client, status: 200)
        #expect(try settled.json["pending"]?.array.map { $0["kind"] } == ["timer"])
        try await check.send(
            get.with(query: "?until=settled&version=1", headers: ["Prefer": "wait=60"]), as: client, status: 400)
        for headers in [[:], ["Accept": "application/x-ndjson"]] {
            let events = DescribedRequest(.init("GET", "/sessions/{id}/events"), id: id).with(headers: headers)
            try await check.send(events, as: client, status: 200)
        }
    }
}
