import CoordinateSessions
import CoordinateTesting
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `POST /sessions` with an exported journal: a new session with the same events.
struct JournalImportTests {
    private let app = TestApp()
    static let type = ["Content-Type": "application/x-ndjson"]

    static let lines = TestApp.recording

    static let journal = lines.joined(separator: "\n")

    private nonisolated(nonsending) func post(_ text: String, to client: SessionClient) async throws -> ServerAnswer {
        try await client.request("POST", "/sessions", headers: Self.type, body: Array(text.utf8))
    }

    // MARK: Forged journals

    @Test(arguments: [
        (1, #""createdAt":"2026-11-21T09:30:00Z""#, #""createdAt":"2026-11-21T10:00:06Z""#, "in the future"),
        (2, "09:30:01Z", "09:29:59Z", "before that of the line above it"),
        (4, "09:30:03Z", "09:30:01Z", "before that of the line above it"),
        (5, "09:30:04Z", "10:00:06Z", "in the future"),
    ])
    func timesNeitherGoBackNorLieInTheFuture(line: Int, then: String, now: String, reason: String) async throws {
        let clock = ManualClock()
        clock.advance(by: 1_800)
        try await withApp(TestApp(), clock: clock.clock) { server in
            var lines = Self.lines
            lines[line - 1] = lines[line - 1].replacing(then, with: now)
            let answer = try await post(lines.joined(separator: "\n"), to: server.client())
            #expect(answer.isProblem("invalid-journal", 422))
            #expect(try answer.json["line"] == .int(line))
            #expect(try answer.problem.detail.contains(reason), "\(answer.text)")
            // The clock of the recording server may be ahead.
            lines[line - 1] = lines[line - 1].replacing("10:00:06Z", with: "10:00:05Z")
            if now.contains("10:00:06Z"), line == 5 {
                #expect(try await post(lines.joined(separator: "\n"), to: server.client()).status == 201)
            }
        }
    }

    @Test(arguments: [
        (#""origin":"work","pending":"1-1""#, #""origin":"work","pending":null"#),
        (#""origin":"work","pending":"1-1""#, #""origin":"timer","pending":null"#),
        (#""origin":"work","pending":"1-1""#, #""origin":"timer","pending":"1-1""#),
        (#""origin":"work","pending":"1-1""#, #""origin":"work","pending":"9-9""#),
        (#""origin":"work","pending":"1-1""#, #""origin":"client","pending":null"#),
        (#""origin":"work","pending":"1-1""#, #""origin":"client","pending":"9-9""#),
    ])
    func anOutcomeNeedsItsPendingPiece(then: String, now: String) async throws {
        let world = World()
        try await withClient(of: WorkApp(world)) { client in
            try await client.emit("work.ask", ["name": "pay"])
            _ = await world.call(0)
            world.finish("pay", with: "receipt")
            try await client.wait { $0.pending.isEmpty }
            let journal = String(decoding: try await client.exportedJournal(), as: UTF8.self)
            #expect(journal.contains(then), "\(journal)")
            #expect(try await post(journal, to: client).status == 201)
            // The same entry, as clients post it if work is withheld.
            let posted = journal.replacing(then, with: #""origin":"client","pending":"1-1""#)
            #expect(try await post(posted, to: client).status == 201)
            let answer = try await post(journal.replacing(then, with: now), to: client)
            #expect(answer.isProblem("invalid-journal", 422), "\(answer.text)")
            #expect(try answer.json["line"] == 3)
        }
    }

    // MARK: Accepted journals

    @Test(arguments: [41, 42] as [UInt64]) func aJournalCanMoveToAnotherServer(seed: UInt64) async throws {
        let clock = ManualClock()
        try await withRacing(clock: clock.clock) { here in
            try await withRacing(clock: clock.clock) { there in
                let original = here.client()
                try await original.walk(steps: 60, seed: seed)
                let journal = try await original.exportedJournal()
                let copy = try await there.client(replaying: journal)
                #expect(try await copy.exportedJournal() == journal)
                let id = try #require(original.sessionID)
                let other = try #require(copy.sessionID)
                for path in ["/route", "/route?version=0", "/route?version=30", "/events", "/events?after=50"] {
                    let expected = try await original.get(path).text
                    #expect(try await copy.get(path).text.replacing(other, with: id) == expected, "\(path)")
                }
                try await original.walk(steps: 10, seed: 43)
                try await copy.walk(steps: 10, seed: 43)
                #expect(try await copy.route().tree == original.route().tree)
            }
        }
    }

    @Test func theResponseIsThatOfANewSession() async throws {
        try await withClient(of: TestApp(), clock: ManualClock().clock) { client in
            let journal = Self.lines.joined(separator: "\n") + "\n"
            let answer = try await post(journal, to: client)
            #expect(answer.status == 201)
            let session = try answer.decode(Document.Session.self)
            #expect(session.version == 4)
            #expect(session.path == "/stack/page/2")
            #expect(answer.header("Location") == "/sessions/\(session.id)")
            #expect(answer.header("Cache-Control") == "no-store")
            let lines = try await client.get(session.links.events, headers: ["Accept": "application/x-ndjson"])
            #expect(lines.text == journal)
            #expect(session.lastEventAt == "2026-11-21T09:30:04Z")
            #expect(session.state == "passive")
            #expect(session.parent == nil)
            #expect(try await client.gauges() == [0, 1])
        }
    }

    @Test func importedEntriesStayAsRecorded() async throws {
        try await withApp(TestApp(version: "0.2"), clock: ManualClock().clock) { server in
            let client = try await server.client(replaying: Array(Self.journal.utf8))
            #expect(try await client.session().appVersion == "0.2")
            try await client.emit("navigation.back")
            let entries = try await client.get("/events").json["events"]?.array ?? []
            #expect(entries.map { $0["appVersion"] } == ["0.1", "0.1", "0.1", "0.1", nil])
            #expect(entries.map { $0["origin"] } == Array(repeating: "client", count: 5))
        }
    }

    @Test(.serving(TestApp()), arguments: [("\n", ""), ("\r\n", "\r\n"), ("\r\n", ""), (" \t\n", "\n"), ("\n", " \n")])
    func lineEndingsAndSpellingsOfTheTypeDoNotMatter(separator: String, end: String) async throws {
        let type = end.isEmpty ? "application/x-ndjson; charset=utf-8" : "Application/X-NDJSON"
        let answer = try await server.client().request(
            "POST", "/sessions", headers: ["Content-Type": type],
            body: Array((Self.lines.joined(separator: separator) + end).utf8))
        #expect(answer.status == 201)
        #expect(try answer.decode(Document.Session.self).version == 4)
    }

    @Test func aJournalMayBeLargerThanOtherBodies() async throws {
        try await withApp(TestApp(), clock: ManualClock().clock) { server in
            let original = server.client()
            let text = String(repeating: "é🏁\"", count: 3_000)
            for _ in 0..<12 { try await original.emit("test.say", ["a/b~c": .string(text)]) }
            let journal = try await original.exportedJournal()
            #expect(journal.count > 3 * 65_536)
            let copy = try await server.client(replaying: journal)
            #expect(try await copy.exportedJournal() == journal)
        }
    }

    @Test(.serving(TestApp())) func undeclaredFieldsAreNotImported() async throws {
        let journal = Self.lines.joined(separator: "\n").replacing(
            #"{"number":1}"#, with: #"{"junk":[1],"number":1}"#)
        let copy = try await server.client(replaying: Array(journal.utf8))
        #expect(try await copy.journal().events.first?.payload == ["number": 1])
    }

    // MARK: Refused journals

    @Test(arguments: [(1, "Test", "Racing"), (3, "/stack/page/1", "/stack/page/3"), (5, "test.push", "test.fail")])
    func anUnreplayableLineIsNamedAndNothingIsCreated(line: Int, old: String, new: String) async throws {
        try await withClient(of: app) { client in
            var lines = Self.lines
            lines[line - 1] = lines[line - 1].replacing(old, with: new)
            let answer = try await post(lines.joined(separator: "\n"), to: client)
            #expect(answer.isProblem("invalid-journal", 422), "\(answer.text)")
            #expect(try answer.json["line"]?.int == line)
            #expect(try answer.problem.detail.hasPrefix("Line \(line): "))
            #expect(!answer.text.contains("swordfish"))
            #expect(answer.header("Location") == nil)
            #expect(try await client.gauges() == [0, 0])
            #expect(try await client.metric("coordinate_events_total") == 0)
            #expect(app.lives.living == 0)
        }
    }

    @Test func anotherSessionMayTakeTheLastPlaceDuringAnImport() async throws {
        try await withApp(app, configuration: .make(maximumSessions: 1), over: .socket) { server in
            let client = server.client()
            let slow = try RawClient(url: server.url)
            try slow.send(Self.head(size: Self.journal.utf8.count) + Self.journal.dropLast(100))
            // Without a pause, because the server disconnects a client as slow as this test may be.
            waitHere("no data arrives") { app.lives.living > 0 }
            let first = try RawClient.answer(of: server.url, to: Self.event)
            #expect(first.status == 200)
            try slow.send(String(Self.journal.suffix(100)))
            let answer = try slow.answer()
            #expect(answer.status == 429)
            #expect(answer.body.contains(#""type":"/problems/too-many-sessions""#))
            #expect(try await client.gauges() == [1, 0])
            try await waitUntil("a part of the session is left") {
                try await client.get("/livez").status == 200 && app.lives.living == 4
            }
        }
    }

    @Test func moreEventsThanTheLimitAreRefused() async throws {
        try await withClient(of: app, configuration: .make(maximumEvents: 3)) { client in
            let answer = try await post(Self.journal, to: client)
            #expect(answer.isProblem("invalid-journal", 422))
            #expect(try answer.json["line"] == 5)
            #expect(try await client.gauges() == [0, 0])
            try await waitUntil("a part of the session is left") { app.lives.living == 0 }
            let fitting = try await post(Self.lines.dropLast().joined(separator: "\n"), to: client)
            #expect(fitting.status == 201)
        }
    }

    @Test func anUnavailableJournalIsNotALineError() async throws {
        let journal = FaultyJournal()
        try await withClient(of: app, journal: journal) { client in
            journal.fail(with: .unavailable)
            let answer = try await post(Self.journal, to: client)
            #expect(answer.isProblem("journal-unavailable", 503), "\(answer.text)")
            #expect(answer.header("Retry-After").flatMap(Int.init) != nil)
            #expect(try await client.gauges() == [0, 0])
            #expect(app.lives.living == 0)
        }
    }

    @Test(arguments: [16 * 1024 * 1024 + 1, 1 << 40])
    func aTooLargeJournalIsRefusedBeforeItIsSent(size: Int) async throws {
        try await withApp(app, over: .socket) { server in
            let answer = try RawClient.answer(of: server.url, to: Self.head(size: size) + Self.lines[0])
            #expect(answer.status == 413)
            #expect(answer.body.contains(#""type":"/problems/body-too-large""#))
            #expect(answer.body.contains("16777216"))
            try await waitUntil("a part of the session is left") { app.lives.living == 0 }
            #expect(try await server.client().gauges() == [0, 0])
        }
    }

    @Test(
        .serving(TestApp(), over: .socket),
        arguments: ["application/json", "text/plain", "application/x-ndjson; charset=latin1"])
    func otherBodiesHaveALowerLimit(type: String) async throws {
        let answer = try RawClient.answer(of: server.url, to: Self.head(size: 65_537, type: type))
        #expect(answer.status == 413)
        #expect(answer.body.contains("65536"))
    }

    @Test(arguments: [0, 100]) func anAbortedImportCreatesNothing(rest: Int) async throws {
        try await withApp(app, over: .socket) { server in
            let client = server.client()
            do {
                let leaver = try RawClient(url: server.url)
                try leaver.send(Self.head(size: Self.journal.utf8.count + 100) + Self.journal.dropLast(rest))
                waitHere("nothing arrives") { app.lives.living > 0 }
                // There is no session before the whole journal has arrived.
                let metrics = try RawClient.answer(
                    of: server.url, to: "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(metrics.body.contains("\ncoordinate_sessions 0\n"))
                #expect(metrics.body.contains("\ncoordinate_sessions_passive 0\n"))
                withExtendedLifetime(leaver) {}
            }
            try await waitUntil("a part of the session is left") {
                try await client.get("/livez").status == 200 && app.lives.living == 0
            }
            #expect(try await client.gauges() == [0, 0])
        }
    }

    /// An event for a new session.
    private static let event = """
        POST /events HTTP/1.1\r
        Host: localhost\r
        Content-Type: application/json\r
        Content-Length: 27\r
        \r
        {"event":"navigation.back"}
        """

    private static func head(size: Int, type: String = "application/x-ndjson") -> String {
        "POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\nContent-Length: \(size)\r\n\r\n"
    }
}
