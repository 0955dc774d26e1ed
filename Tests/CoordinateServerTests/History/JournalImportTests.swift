import CoordinateSessions
import CoordinateTesting
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `POST /sessions` with an exported journal: a new session with the same events. And `CoordinatedApp.replay(_:)`.
struct JournalImportTests {
    private let app = TestApp()
    static let type = ["Content-Type": "application/x-ndjson"]

    static let lines = TestApp.recording

    static let journal = lines.joined(separator: "\n")

    private nonisolated(nonsending) func post(_ text: String, to client: SessionClient) async throws -> ServerAnswer {
        try await client.request("POST", "/sessions", headers: Self.type, body: Array(text.utf8))
    }

    // MARK: Replays without a server, as in regression tests

    @Test func aReplayFreesItsTree() throws {
        #expect(try app.replay(Self.journal.utf8) == "/stack/page/2")
        #expect(app.lives.born > 0)
        #expect(app.lives.living == 0)
    }

    @Test(arguments: [
        (2, "/stack/page/1", "/elsewhere"),
        (5, #""handledBy":"StageCoordinator/StackCoordinator""#, #""handledBy":null"#),
        (4, "test.scale", "test.fail"), (1, "Test", "Other"),
    ])
    func theFirstDifferingLineIsNamed(line: Int, old: String, new: String) throws {
        var lines = Self.lines
        for index in (line - 1)..<lines.count { lines[index] = lines[index].replacing(old, with: new) }
        let error = #expect(throws: JournalReplayError.self) { try app.replay(lines.joined(separator: "\n").utf8) }
        #expect(error?.line == line)
        #expect(error?.description.hasPrefix("Line \(line): ") == true)
        #expect(app.lives.living == 0)
    }

    @Test func anAppThatDoesNotStartFailsWithoutALine() throws {
        app.fault.begin(.failsToStart)
        let error = #expect(throws: JournalReplayError.self) { try app.replay(Self.journal.utf8) }
        #expect(error?.line == nil)
        #expect(error?.description.isEmpty == false)
        #expect(app.lives.living == 0)
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

    // MARK: Accepted journals

    @Test(.serving(TestApp(), time: .manual)) func theResponseIsThatOfANewSession() async throws {
        let journal = Self.lines.joined(separator: "\n") + "\n"
        let answer = try await post(journal, to: client)
        #expect(answer.status == 201)
        let session = try answer.decode(Document.Session.self)
        #expect(session.version == 4)
        #expect(session.path == "/stack/page/2")
        #expect(answer.header("Location") == "/sessions/\(session.id)")
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(try await client.inSession(session.id).exportedJournal() == Array(journal.utf8))
        #expect(session.lastEventAt == "2026-11-21T09:30:04Z")
        #expect(session.state == "passive")
        #expect(session.parent == nil)
        #expect(try await client.gauges() == [0, 1])
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

    @Test(.serving(TestApp())) func undeclaredFieldsAreNotImported() async throws {
        let journal = Self.lines.joined(separator: "\n").replacing(
            #"{"number":1}"#, with: #"{"junk":[1],"number":1}"#)
        let copy = try await server.client(replaying: Array(journal.utf8))
        #expect(try await copy.journal().events.first?.payload == ["number": 1])
    }

    // MARK: Refused journals

    @Test(.serving(TestApp(), configuration: .make(maximumSessions: 1), over: .socket))
    func anotherSessionMayTakeTheLastPlaceDuringAnImport() async throws {
        let slow = try RawClient(url: server.url)
        try slow.send(Self.head(size: Self.journal.utf8.count) + Self.journal.dropLast(100))
        // Without a pause, because the server disconnects a client as slow as this test may be.
        waitHere("no data arrives") { testApp.lives.living > 0 }
        let first = try RawClient.answer(of: server.url, to: Self.event)
        #expect(first.status == 200)
        try slow.send(String(Self.journal.suffix(100)))
        let answer = try slow.answer()
        #expect(answer.status == 429)
        #expect(answer.body.contains(#""type":"/problems/too-many-sessions""#))
        #expect(try await client.gauges() == [1, 0])
        try await waitUntil("a part of the session is left") {
            try await client.get("/livez").status == 200 && testApp.lives.living == 4
        }
    }

    @Test(.serving(TestApp(), configuration: .make(maximumEvents: 3))) func moreEventsThanTheLimitAreRefused()
        async throws
    {
        let answer = try await post(Self.journal, to: client)
        #expect(answer.isProblem("invalid-journal", 422))
        #expect(try answer.json["line"] == 5)
        #expect(try await client.gauges() == [0, 0])
        try await waitUntil("a part of the session is left") { testApp.lives.living == 0 }
        let fitting = try await post(Self.lines.dropLast().joined(separator: "\n"), to: client)
        #expect(fitting.status == 201)
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

    @Test(.serving(TestApp(), over: .socket), arguments: [0, 100]) func anAbortedImportCreatesNothing(rest: Int)
        async throws
    {
        do {
            let leaver = try RawClient(url: server.url)
            try leaver.send(Self.head(size: Self.journal.utf8.count + 100) + Self.journal.dropLast(rest))
            waitHere("nothing arrives") { testApp.lives.living > 0 }
            // There is no session before the whole journal has arrived.
            let metrics = try RawClient.answer(
                of: server.url, to: "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(metrics.body.contains("\ncoordinate_sessions 0\n"))
            #expect(metrics.body.contains("\ncoordinate_sessions_passive 0\n"))
            withExtendedLifetime(leaver) {}
        }
        try await waitUntil("a part of the session is left") {
            try await client.get("/livez").status == 200 && testApp.lives.living == 0
        }
        #expect(try await client.gauges() == [0, 0])
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
