import CoordinateSessions
import CoordinateTesting
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `GET /route` with `If-None-Match` and `Prefer: wait=S`: answered when there is a new version.
@Suite(.racing(configuration: .make(workers: 1), over: .socket)) struct WaitingTests {
    /// The preferences of clients that wait, in several spellings.
    static let preferences = [
        "wait=60", "wait=30", "wait = 30", "wait=\"30\"", "WAIT=30", "return=minimal, wait=30", "wait=30, wait=0",
        "handling=lenient; x=y, wait=30; x=y", "wait=61", "wait=1000000", "wait=0030",
    ]

    @Test(arguments: preferences) func theNextEventEndsTheWait(preference: String) async throws {
        let tag = try await tagOfFirstVersion()
        let waiter = try await park(server) { try Waiter(server, client, tag: tag, prefer: preference) }
        try await client.emit("teams.didSelect", ["team": "ferrari"])
        let answer = try waiter.answer()
        let route = try await client.get("/route")
        #expect(answer.status == 200)
        #expect(answer.body == route.text)
        #expect(answer.head.contains("\r\nETag: \(route.header("ETag") ?? "none")\r\n"))
        #expect(answer.head.contains("\r\nCache-Control: private, no-cache\r\n"))
        #expect(answer.head.contains("\r\nContent-Type: application/json\r\n"))
    }

    @Test func theTimeLimitGives304() async throws {
        let tag = try await tagOfFirstVersion()
        let answer = try Waiter(server, client, tag: tag, prefer: "wait=1").answer()
        #expect(answer.status == 304)
        #expect(answer.body.isEmpty)
        #expect(answer.head.contains("\r\nETag: \(tag)\r\n"))
        #expect(try await client.session().version == 1)
        // The connection accepts another request, and the session another event.
        try await client.emit("navigation.back")
        #expect(try await client.get("/route", headers: ["If-None-Match": tag]).status == 200)
    }

    @Test(arguments: [
        "wait=0", "wait=x", "wait=", "wait", "wait=-1", "wait=1.5", "wait=99999999999999999999", "weit=9",
    ])
    func withoutAWaitPreferenceTheAnswerIsImmediate(preference: String) async throws {
        let tag = try await tagOfFirstVersion()
        let answer = try await client.get("/route", headers: ["If-None-Match": tag, "Prefer": preference])
        #expect(answer.status == 304)
    }

    @Test(arguments: ["GET", "HEAD"]) func aNewVersionIsAnsweredAtOnce(method: String) async throws {
        let tag = try await tagOfFirstVersion()
        try await client.emit("teams.didSelect", ["team": "ferrari"])
        let current = try await client.get("/route")
        let known = try #require(current.header("ETag"))
        for (path, headers, status) in [
            ("/route", ["If-None-Match": tag], 200), ("/route", [:], 200), ("/route", ["If-None-Match": ""], 200),
            ("/route?version=1", ["If-None-Match": tag], 304), ("/route?version=2", ["If-None-Match": known], 304),
            ("/route?version=1", ["If-None-Match": known], 200),
            ("/route?version=3", ["If-None-Match": known], 404),
            ("/route?version=x", ["If-None-Match": known], 400),
        ] as [(String, [String: String], Int)] {
            let headers = headers.merging(["Prefer": "wait=60"]) { $1 }
            #expect(try await client.request(method, path, headers: headers).status == status, "\(path)")
        }
        let newcomer = server.client()
        let answer = try await newcomer.get("/route", headers: ["If-None-Match": "*", "Prefer": "wait=60"])
        #expect(answer.status == 200)
        #expect(newcomer.sessionID != nil)
    }

    @Test func headWaitsLikeGet() async throws {
        let tag = try await tagOfFirstVersion()
        let waiter = try await park(server) { try Waiter(server, client, tag: tag, method: "HEAD") }
        try await client.emit("navigation.back")
        #expect(try waiter.answer().status == 200)
    }

    @Test(.serving(TestApp(), configuration: .make(workers: 1), over: .socket)) func refusedRequestsDoNotWait()
        async throws
    {
        let tag = try #require(try await client.get("/route").header("ETag"))
        let waiter = try await park(server) { try Waiter(server, client, tag: tag) }
        for event in ["unknown.event", "test.fail"] as [JSON] {
            #expect(try await client.post("/events", json: ["event": event]).status >= 400)
        }
        try await client.emit("test.push", ["number": 5])
        let answer = try waiter.answer()
        #expect(answer.status == 200)
        #expect(answer.body.contains(#""version":1,"path":"/stack/page/5""#))
    }

    @Test func waitersOfOtherSessionsAreNotAnswered() async throws {
        let tag = try await tagOfFirstVersion()
        let other = server.client()
        let otherTag = try #require(try await other.get("/route").header("ETag"))
        let (waiter, otherWaiter) = try await park(server, count: 2) {
            (try Waiter(server, client, tag: tag), try Waiter(server, other, tag: otherTag))
        }
        try await client.emit("navigation.back")
        #expect(try waiter.answer().status == 200)
        try await other.start()
        #expect(try otherWaiter.answer().body.contains(#""version":1"#))
    }

    @Test func endingTheSessionEndsTheWait() async throws {
        let tag = try await tagOfFirstVersion()
        let waiter = try await park(server) { try Waiter(server, client, tag: tag) }
        #expect(try await client.delete(client.base).status == 204)
        let answer = try waiter.answer()
        #expect(answer.status == 404)
        #expect(answer.body.contains(#""type":"/problems/session-not-found""#))
        #expect(answer.head.contains("\r\nContent-Type: application/problem+json\r\n"))
    }

    @Test func stoppingAnswersWaitingRequests() async throws {
        let server = try Server(
            app: TestApp(), configuration: .make(workers: 1), logger: .silent, clock: .system, journal: MemoryJournal())
        try await withServer(server, over: .socket) { running in
            let client = running.client()
            let tag = try #require(try await client.get("/route").header("ETag"))
            let waiters = try await park(running, count: 10) {
                try (0..<10).map { _ in try Waiter(running, client, tag: tag) }
            }
            await server.stopElsewhere()
            for waiter in waiters { #expect(try waiter.answer().status == 304) }
        }
    }

    @Test func oneEventAnswersAHundredWaitingRequests() async throws {
        let tag = try await tagOfFirstVersion()
        let waiters = try await park(server, count: 100) {
            try (0..<100).map { _ in try Waiter(server, client, tag: tag) }
        }
        for _ in 0..<20 { #expect(try await server.client().get("/route").status == 200) }
        let encodings = try await client.metric("coordinate_route_encodings_total")
        try await client.emit("teams.didSelect", ["team": "haas"])
        let route = try await client.get("/route").text
        for waiter in waiters {
            let answer = try waiter.answer()
            #expect(answer.status == 200)
            #expect(answer.body == route)
        }
        #expect(try await client.metric("coordinate_route_encodings_total") == encodings + 1)
    }

    @Test func aConnectionCanWaitRepeatedly() async throws {
        var tag = try await tagOfFirstVersion()
        let connection = try RawClient(url: server.url)
        for version in 2...20 {
            try connection.send(Waiter.request(client, tag: tag))
            try await client.emit("navigation.back")
            let answer = try connection.answer()
            #expect(answer.status == 200)
            #expect(answer.body.contains(#""version":\#(version),"#))
            let line = answer.head.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }
            tag = String(try #require(line).dropFirst("ETag: ".count))
        }
    }

    @Test func aSessionIsKeptWhileAClientWaits() async throws {
        let clock = ManualClock()
        let configuration = ServerConfiguration.make(sessionIdleTime: 100, sessionPassivationTime: 10, workers: 1)
        try await withApp(TestApp(), clock: clock.clock, configuration: configuration, over: .socket) { server in
            let client = server.client()
            let tag = try #require(try await client.get("/route").header("ETag"))
            var waiter: Waiter? = try await park(server) { try Waiter(server, client, tag: tag) }
            _ = try await server.client().newSession()
            clock.advance(by: 1_000)
            try await waitUntil("the other session is still there") { try await client.gauges() == [1, 0] }
            #expect(waiter != nil)
            waiter = nil
            // The server notices after a while that the client has left, and counts that as the session's last use.
            try await waitUntil("the session is still there") {
                clock.advance(by: 101)
                return try await client.gauges() == [0, 0]
            }
        }
    }

    // MARK: Waiting clients

    /// A waiting request on its own connection.
    private struct Waiter {
        private let connection: RawClient
        private let method: String

        init(
            _ server: TestServer, _ client: SessionClient, tag: String, prefer preference: String = "wait=60",
            method: String = "GET"
        ) throws {
            self.method = method
            connection = try RawClient(url: server.url)
            try connection.send(Self.request(client, tag: tag, prefer: preference, method: method))
        }

        func answer() throws -> RawClient.Answer {
            try connection.answer(toHead: method == "HEAD")
        }

        static func request(
            _ client: SessionClient, tag: String, prefer preference: String = "wait=60", method: String = "GET"
        ) -> String {
            "\(method) \(client.base)/route HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: \(tag)\r\nPrefer: \(preference)"
                + "\r\n\r\n"
        }
    }

    /// Starts the client's session, and returns the tag of its version 1.
    private nonisolated(nonsending) func tagOfFirstVersion() async throws -> String {
        try await client.start()
        return try #require(try await client.get("/route").header("ETag"))
    }

    /// Starts a number of waiting requests, and returns when all are waiting. A server with one worker accepts them one
    /// after the other.
    private nonisolated(nonsending) func park<Waiters>(
        _ server: TestServer, count: Int = 1, _ begin: () throws -> Waiters
    ) async throws -> Waiters {
        let client = server.client()
        let requests = "coordinate_requests_total"
        var expected = try await client.metric(requests) + count
        let waiters = try begin()
        try await waitUntil("they do not wait") {
            expected += 1
            return try await client.metric(requests) == expected
        }
        return waiters
    }
}
