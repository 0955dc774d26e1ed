import Coordinate
import CoordinateSessions
import CoordinateTesting
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Servers that must refuse requests.
extension OpenAPIAnswerTests {
    func checkWithoutTheKey(_ check: DescriptionCheck) async throws {
        let configuration = ServerConfiguration.make(publicFolder: PublicFilesTests.shipped, apiKey: "key")
        try await withRacing(configuration: configuration, over: .socket) { server in
            for operation in description.programOperations {
                let isOpen = description[operation]["security"] == [] && operation.path != "/login"
                let request = description.example(operation, id: "x")
                try await check.send(request, as: server.client(), status: isOpen ? 200 : 401)
            }
            try await checkPagesWithAKey(check, server)
            let key = #"{"key": "key"}"#
            let login = description.example(.init("POST", "/login"))
            try await check.send(login.with(body: key), as: server.client(), status: 204)
            let client = server.client(headers: ["Authorization": "Bearer wrong"])
            for operation in description.programOperations {
                let request = description.example(operation, id: "x")
                let isOpen = description[operation]["security"] == [] && operation.path != "/login"
                // The minute of earlier attempts may end at any time, and with it their count.
                var status = 0
                for _ in 0..<40 where status != (isOpen ? 200 : 429) {
                    status = try await check.send(request, as: client).status
                }
                #expect(status == (isOpen ? 200 : 429))
            }
            for operation in description.programOperations {
                let request = description.example(operation, id: "x").with(headers: ["Content-Length": "0"])
                let foreign = request.with(headers: ["Origin": "null"])
                try check.sendHead(of: foreign, to: server.url, status: 403)
                try check.sendHead(of: request, to: server.url, host: "evil.example", status: 421)
            }
        }
    }

    /// Clients that are not let in, tokens, and events that the screen does not offer.
    func checkAccess(_ check: DescriptionCheck) async throws {
        var configuration = ServerConfiguration.make()
        configuration.clients = ClientAccess.none
        try await withRacing(configuration: configuration) { server in
            for operation in description.programOperations where description.describes(403, of: operation) {
                let forwarded = try await request(operation, server).with(headers: ["X-Forwarded-For": "192.0.2.1"])
                let answer = try await check.send(forwarded, as: server.client(), status: 403)
                #expect(try answer.problem.type == "/problems/operator-only")
            }
        }
        configuration = .make(apiKey: "key")
        configuration.clients = .app
        try await withRacing(configuration: configuration) { server in
            let keeper = server.client(headers: ["Authorization": "Bearer key"])
            for operation in description.programOperations where operation.path.hasSuffix("/tokens") {
                let id = try #require(try await keeper.post("/sessions", json: [:]).json["id"]?.string)
                try await check.send(description.example(operation, id: id), as: keeper, status: 201)
                try await check.send(description.example(operation, id: "x"), as: keeper, status: 404)
                let body = description.example(operation, id: id)
                try await check.send(body.with(body: #"{"scope": "all"}"#), as: keeper, status: 400)
                try await check.send(body.with(headers: ["Content-Type": "text/plain"]), as: keeper, status: 415)
                try await check.send(body.with(body: #"{"colour": "red"}"#), as: keeper, status: 422)
            }
            for operation in description.programOperations
            where operation.method == "POST" && operation.path.hasSuffix("/events") {
                let id = try #require(try await keeper.post("/sessions", json: [:]).json["id"]?.string)
                let event = description.example(operation, id: id).with(
                    headers: ["Session": id], body: #"{"event": "navigation.back"}"#)
                let answer = try await check.send(event, as: server.client(), status: 422)
                #expect(try answer.problem.type == "/problems/not-offered")
            }
        }
    }

    /// Limits on sessions, events and coordinators.
    func checkWithoutRoom(_ check: DescriptionCheck) async throws {
        try await withRacing(configuration: .make(maximumSessions: 1, maximumEvents: 2)) { server in
            let id = try await session(server)
            for operation in description.programOperations where description.describes(429, of: operation) {
                try await check.send(description.example(operation, id: id), as: server.client(), status: 429)
            }
            for operation in description.programOperations
            where description.describes(parameter: "Idempotency-Key", of: operation) {
                let request = description.example(operation, id: id).with(headers: ["Session": id])
                let answer = try await check.send(request, as: server.client(), status: 422)
                #expect(try answer.problem.type == "/problems/too-many-events")
            }
        }
        try await withRacing(configuration: .make(maximumMemory: 100_000)) { server in
            let client = server.client()
            var status = 200
            while status == 200 { status = try await client.post("/events", json: ["event": "navigation.back"]).status }
            let answer = try await check.send(
                description.example(.init("POST", "/sessions")), as: server.client(), status: 503)
            #expect(try answer.problem.type == "/problems/memory-full")
        }
        try await withApp(TestApp()) { server in
            let event = description.example(.init("POST", "/events")).with(body: #"{"event": "test.fill"}"#)
            let answer = try await check.send(event, as: server.client(), status: 422)
            #expect(try answer.problem.type == "/problems/too-many-coordinators")
            let client = server.client()
            let text = JSON.string(String(repeating: "x", count: 60_000))
            for _ in 0..<300 { try await client.emit("test.say", ["a/b~c": text]) }
            let test = try await description.example(.init("GET", "/sessions/{id}/test"), id: client.session().id)
            #expect(try await check.send(test, as: client, status: 422).problem.type == "/problems/too-many-events")
        }
    }

    func checkWhileDraining(_ check: DescriptionCheck) async throws {
        let journal = FaultyJournal()
        let server = try Server(
            app: try RacingApp.make(), configuration: .make(publicFolder: PublicFilesTests.shipped, workers: 4),
            logger: .silent, clock: .system, journal: journal)
        try await withServer(server, over: .socket) { running in
            let client = running.client()
            _ = try await client.route()
            journal.hold()
            async let outcome = client.post("/events", json: ["event": "splash.didFinish"])
            await journal.waitUntilHeld()
            async let stopped: Void = server.stopElsewhere()
            let other = running.client()
            try await waitUntil("the server does not drain") { try await other.get("/readyz").status == 503 }
            for operation in description.programOperations {
                let status = operation.path == "/livez" ? 200 : 503
                let answer = try await check.send(description.example(operation, id: "x"), as: other, status: status)
                if status == 503 { #expect(answer.header("Connection")?.lowercased() == "close", "\(operation)") }
            }
            journal.release()
            let answer = try await outcome
            #expect(answer.status == 200)
            await stopped
        }
    }

    /// More slow requests than may wait.
    func checkWhileBusy(_ check: DescriptionCheck) async throws {
        let journal = FaultyJournal()
        try await withRacing(journal: journal) { server in
            let client = server.client()
            for _ in 0..<11 { try await client.emit("navigation.back") }
            let request = description.example(.init("GET", "/sessions/{id}/route"), id: try #require(client.sessionID))
            journal.hold()
            try await withThrowingTaskGroup(of: ServerAnswer.self) { group in
                for version in 1...9 {
                    group.addTask { try await server.client().get(request.path + "?version=\(version)") }
                }
                let answer = try #require(try await group.next())
                #expect(try answer.problem.type == "/problems/too-busy")
                try await check.send(request.with(query: "?version=10"), as: server.client(), status: 503)
                journal.release()
                for try await answer in group { #expect(answer.status == 200) }
            }
        }
    }

    /// An app that fails when its tree is rebuilt, which is necessary after the journal has failed.
    func checkAnAppThatFails(_ check: DescriptionCheck) async throws {
        let app = FailingApp(app: try .make())
        let journal = FaultyJournal()
        try await withApp(app, journal: journal) { server in
            for operation in description.programOperations where description.describes(500, of: operation) {
                app.fails.isOn = false
                let id = try await session(server)
                // The encoding of its last version is not cached.
                let last = try await server.client(headers: ["Session": id]).post(
                    "/events", json: ["event": "navigation.back"], headers: ["Prefer": "return=minimal"])
                #expect(last.status == 200)
                journal.fail(with: .unavailable)
                let event = description.example(.init("POST", "/sessions/{id}/events"), id: id)
                let answer = try await check.send(event, as: server.client(), status: 503)
                #expect(try answer.problem.type == "/problems/journal-unavailable")
                journal.fail(with: nil)
                app.fails.isOn = true
                // A page of the journal needs no tree, but a stream does.
                // A fork needs a tree only if it has edits.
                let isFork = operation.path.hasSuffix("/forks")
                let isStream = description.describes(parameter: "Last-Event-ID", of: operation)
                let request = description.example(operation, id: id)
                    .with(
                        headers: isStream ? ["Accept": "text/event-stream"] : [:],
                        body: isFork ? #"{"version": 0, "edit": []}"# : nil)
                try await check.send(request, as: server.client(), status: 500)
            }
        }
    }

    /// A journal that does not report whether it has a change, and then cannot read an entry.
    func checkAJournalThatSaysNothing(_ check: DescriptionCheck) async throws {
        let journal = FaultyJournal()
        try await withApp(try RacingApp.make(), journal: journal) { server in
            for operation in description.programOperations where description.describes(504, of: operation) {
                let request = try await request(operation, server)
                journal.fail(with: .outcomeUnknown)
                let isReading = operation.method == "GET"
                let sent = isReading ? DescribedRequest(operation) : request
                let answer = try await check.send(sent, as: server.client(), status: 504)
                #expect(try answer.problem.type == "/problems/outcome-unknown")
                #expect(try answer.json["taken"] == .null)
                #expect(answer.header("Retry-After") != nil)
                journal.fail(with: nil)
            }
            let id = try await session(server)
            journal.fail(with: .damaged(version: 2))
            let route = description.example(.init("GET", "/sessions/{id}/route"), id: id).with(query: "?version=1")
            let answer = try await check.send(route, as: server.client(), status: 409)
            #expect(try answer.problem.type == "/problems/damaged")
            #expect(try answer.json["version"] == 2)
        }
    }

    // MARK: Requests

    /// Creates a session at version 2.
    func session(_ server: TestServer) async throws -> String {
        let client = server.client()
        try await client.showTeam()
        return try #require(client.sessionID)
    }

    /// The example of an operation, on a new session.
    func request(_ operation: OpenAPIDescription.Operation, _ server: TestServer) async throws -> DescribedRequest {
        var request = description.example(operation, id: try await session(server))
        if operation.path.contains("{reference}") {
            let session = try await server.client().get("/sessions/\(request.id)")
            request.id = try #require(try session.json["reference"]?.string)
        } else if operation.path.contains("{key}"), operation.method == "GET" {
            #expect(try await server.client().put("/sessions/by-key/\(request.id)", json: [:]).status == 201)
        }
        return request
    }
}

/// The racing app, which can be told to fail at its start.
private struct FailingApp: CoordinatedApp {
    let app: RacingApp
    let fails = Switch()

    var name: String { app.name }
    var version: String { app.version }
    var events: EventCatalog { app.events }
    var routes: RouteCatalog { app.routes }

    func makeRootCoordinator(options: RacingOptions) -> CoordinatorNode {
        fails.isOn
            ? StageCoordinator(lives: LifeRegistry(), failsAtStart: true) : app.makeRootCoordinator(options: options)
    }
}
