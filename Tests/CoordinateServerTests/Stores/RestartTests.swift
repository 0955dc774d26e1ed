import CoordinateTesting
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// A server continues with the journal of another one. Its clients notice only the end of their connections.
struct RestartTests {
    private let clock = ManualClock()

    /// The facts that a client knows of its session and relies on.
    private struct Known: Equatable {
        let route: [UInt8]
        let tag: String?
        let journal: [UInt8]
        let createdAt: String
        let version: Int
        let parent: Document.Session.Parent?

        nonisolated(nonsending) init(_ client: SessionClient) async throws {
            let answer = try await client.get("/route")
            route = answer.body
            tag = answer.header("ETag")
            journal = try await client.exportedJournal()
            let session = try await client.session()
            createdAt = session.createdAt
            version = session.version
            parent = session.parent
        }
    }

    @Test(arguments: Store.Kind.available) func everySessionContinues(kind: Store.Kind) async throws {
        let store = try await Store(kind)
        let app = TestApp()
        let key = ["Idempotency-Key": "once"]
        let event: JSON = ["event": "test.push", "payload": ["number": 3]]
        var sessions: [(id: String, known: Known)] = []
        var first: ServerAnswer?
        try await withApp(app, on: store, clock: clock.clock) { server in
            let client = server.client()
            for number in 1...2 { try await client.emit("test.push", ["number": .int(number)]) }
            first = try await client.post("/events", json: event, headers: key)
            clock.advance(by: 60)
            try await client.emit("navigation.back")
            let fork = try await client.fork(at: 2)
            let forkOfFork = try await fork.fork(at: 1)
            try await fork.emit("test.push", ["number": 9])
            let untouched = server.client()
            _ = try await untouched.route()
            let ended = server.client()
            _ = try await ended.route()
            #expect(try await ended.delete(ended.base).status == 204)
            for client in [client, fork, forkOfFork, untouched] {
                sessions.append((try #require(client.sessionID), try await Known(client)))
            }
            sessions.append((try #require(ended.sessionID), sessions[0].known))
        }
        #expect(app.lives.living == 0)
        clock.advance(by: 60)
        try await withApp(app, on: store, clock: clock.clock) { server in
            let clients = sessions.map { server.client(headers: ["Session": $0.id]) }
            #expect(try await clients[4].get("/route").isProblem("session-not-found", 404))
            // No session is in memory before it is requested.
            #expect(try await clients[0].gauges() == [0, 4])
            let session = try await clients[1].session()
            #expect(session.state == "passive")
            #expect(session.parent?.session == sessions[0].id)
            #expect(session.parent?.version == 2)
            #expect(session.expiresAt == "2026-11-21T10:02:00Z")
            for (client, (id, known)) in zip(clients, sessions.prefix(4)) {
                let answer = try await client.get("/route", headers: ["If-None-Match": known.tag ?? ""])
                #expect(answer.status == 304)
                #expect(try await Known(client) == known, "\(id)")
            }
            let again = try await clients[0].post("/events", json: event, headers: key)
            #expect(again.status == 200)
            #expect(try again.json == first?.json)
            #expect(try await clients[0].session().version == 4)
            let other = try await clients[0].post("/events", json: ["event": "navigation.back"], headers: key)
            #expect(other.isProblem("idempotency-mismatch", 422))
            let next = try await clients[0].post(
                "/events", json: ["event": "navigation.back"], headers: ["If-Match": sessions[0].known.tag ?? ""])
            #expect(try next.decode(Document.Outcome.self).version == 5)
            #expect(try await clients[1].follow(after: 2).next()?.id == 3)
        }
    }

    @Test(arguments: 0...5, Store.Kind.available)
    func aReturningFollowerGetsTheMissedVersions(lastSeen: Int, kind: Store.Kind) async throws {
        let store = try await Store(kind)
        var session: String?
        var routes: [String] = []
        try await withApp(try RacingApp.make(), on: store) { server in
            let client = server.client()
            let stream = try await client.follow()
            try await client.showTeam()
            try await client.emit("teams.setFavorite", ["team": "ferrari"])
            try await client.emit("navigation.back")
            try await client.emit("navigation.selectTab", ["tab": "ProfileCoordinator"])
            for _ in 0...5 { routes.append(try #require(await stream.next()).data) }
            session = client.sessionID
        }
        try await withApp(try RacingApp.make(), on: store) { server in
            let client = server.client(headers: ["Session": try #require(session)])
            #expect(try await client.gauges() == [0, 1])
            let stream = try await client.follow(after: lastSeen)
            try await client.emit("navigation.selectTab", ["tab": "DriversCoordinator"])
            routes.append(try await client.get("/route").text)
            for version in (lastSeen + 1)...6 {
                #expect(await stream.next() == .init(id: version, event: "route", data: routes[version]))
            }
        }
    }

    @Test(arguments: Store.Kind.available) func aReturningFollowerGetsEarlierEventsOfOthers(kind: Store.Kind)
        async throws
    {
        let store = try await Store(kind)
        var session: String?
        try await withApp(TestApp(), on: store) { server in
            let client = server.client()
            for number in 1...3 { try await client.emit("test.push", ["number": .int(number)]) }
            session = client.sessionID
        }
        try await withApp(TestApp(), on: store) { server in
            let client = server.client(headers: ["Session": try #require(session)])
            for number in 4...40 { try await client.emit("test.push", ["number": .int(number)]) }
            let stream = try await client.follow(after: 2)
            for version in 3...40 {
                let message = try #require(await stream.next())
                #expect(message.id == version)
                #expect(message.event == "route")
                let route = try await client.route(at: version)
                #expect(try message.route == route)
            }
        }
    }

    @Test(arguments: Store.Kind.available) func noRequestSeesASessionBeforeItsDueTimers(kind: Store.Kind) async throws {
        let store = try await Store(kind)
        var known: [(id: String, tag: String)] = []
        try await withApp(WorkApp(), on: store, clock: clock.clock) { server in
            for _ in 0..<3 {
                let client = server.client()
                try await client.emit("work.setTimer", ["seconds": 10])
                let tag = try #require(try await client.get("/route").header("ETag"))
                known.append((try #require(client.sessionID), tag))
            }
        }
        clock.advance(by: 60)
        try await withApp(WorkApp(), on: store, clock: clock.clock) { server in
            let clients = known.map { server.client(headers: ["Session": $0.id]) }
            let read = try await clients[0].get("/route", headers: ["If-None-Match": known[0].tag])
            #expect(read.status == 200)
            #expect(try read.json["screen"]?["rows"]?[0]?["title"] == "fired")
            let event: JSON = ["event": "work.look"]
            let late = try await clients[1].post("/events", json: event, headers: ["If-Match": known[1].tag])
            #expect(late.status == 412)
            let page = try await clients[2].get("/app/work", headers: ["Accept": "text/html"])
            #expect(page.text.contains("fired"))
            for client in clients { #expect(try await client.session().version == 2) }
        }
    }

    @Test(arguments: Store.Kind.available) func sessionsExpireWithoutAServer(kind: Store.Kind) async throws {
        let store = try await Store(kind)
        var id: String?
        try await withApp(
            try RacingApp.make(), on: store, clock: clock.clock, configuration: .make(sessionIdleTime: 100)
        ) {
            let client = $0.client()
            try await client.start()
            id = client.sessionID
        }
        // With a shared store, other servers' reports may be delayed.
        clock.advance(by: kind == .postgreSQL ? 110 : 100)
        try await withApp(
            try RacingApp.make(), on: store, clock: clock.clock, configuration: .make(sessionIdleTime: 100)
        ) {
            let client = $0.client(headers: ["Session": try #require(id)])
            #expect(try await client.get("/route").isProblem("session-not-found", 404))
            #expect(try await client.get(client.base).isProblem("session-not-found", 404))
            try await waitUntil("the session is kept") { try await client.gauges() == [0, 0] }
        }
    }

    @Test(arguments: Store.Kind.available) func tagsDifferByAppVersion(kind: Store.Kind) async throws {
        let store = try await Store(kind)
        var known: (id: String, tag: String)?
        try await withApp(TestApp(version: "1.0"), on: store) { server in
            let client = server.client()
            try await client.emit("test.push", ["number": 1])
            known = (try #require(client.sessionID), try #require(try await client.get("/route").header("ETag")))
        }
        let (id, tag) = try #require(known)
        try await withApp(TestApp(version: "1.1"), on: store) { server in
            let client = server.client(headers: ["Session": id])
            // It may look different now, …
            let answer = try await client.get("/route", headers: ["If-None-Match": tag])
            #expect(answer.status == 200)
            #expect(answer.header("ETag") != tag)
            #expect(try await client.get("/route?version=1", headers: ["If-None-Match": tag]).status == 200)
            // … but it is the same version of the session.
            let stale = ["If-Match": "\"0-\(tag.dropFirst(3))"]
            #expect(try await client.post("/events", json: ["event": "navigation.back"], headers: stale).status == 412)
            let fresh = ["If-Match": tag]
            #expect(try await client.post("/events", json: ["event": "navigation.back"], headers: fresh).status == 200)
            #expect(try await client.session().appVersion == "1.0")
            let entries = try await client.get("/events").json["events"]?.array ?? []
            #expect(entries.map { $0["appVersion"] } == ["1.0", nil])
            let lines = try await client.exportedJournal().split(separator: UInt8(ascii: "\n"))
            #expect(String(decoding: lines[2], as: UTF8.self).contains(#""appVersion":"1.1""#))
        }
        try await withApp(TestApp(version: "1.0"), on: store) { server in
            let client = server.client(headers: ["Session": id])
            let answer = try await client.get("/route?version=1", headers: ["If-None-Match": tag])
            #expect(answer.status == 304)
        }
    }
}
