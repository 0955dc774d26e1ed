import CoordinateSessions
import CoordinateTesting
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `GET /route` with `If-None-Match` and `Prefer: wait=S`: answered when there is a new version.
@Suite(.racing(configuration: .make(workers: 1), over: .socket)) struct WaitingTests {
    @Test(arguments: [
        ("GET", "wait = \"30\""), ("GET", "return=minimal, WAIT=1000000; x=y, wait=0"), ("HEAD", "wait=0030"),
    ])
    func theNextEventEndsTheWait(method: String, preference: String) async throws {
        let tag = try await tagOfFirstVersion()
        let waiter = try await park(server) {
            try Waiter(server, client, tag: tag, prefer: preference, method: method)
        }
        try await client.emit("teams.didSelect", ["team": "ferrari"])
        let answer = try waiter.answer()
        let route = try await client.get("/route")
        #expect(answer.status == 200)
        #expect(answer.body == (method == "GET" ? route.text : ""))
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

    @Test func aNewVersionIsAnsweredAtOnce() async throws {
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
            #expect(try await client.get(path, headers: headers).status == status, "\(path)")
        }
        // These clients do not wait.
        for preference in ["wait=0", "wait=x", "wait=", "wait", "wait=-1", "wait=1.5", "wait=99999999999999999999"] {
            let headers = ["If-None-Match": known, "Prefer": preference]
            #expect(try await client.get("/route", headers: headers).status == 304, "\(preference)")
        }
        let newcomer = server.client()
        let answer = try await newcomer.get("/route", headers: ["If-None-Match": "*", "Prefer": "wait=60"])
        #expect(answer.status == 200)
        #expect(newcomer.sessionID != nil)
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
            try connection.send(
                "\(method) \(client.base)/route HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: \(tag)\r\n"
                    + "Prefer: \(preference)\r\n\r\n")
        }

        func answer() throws -> RawClient.Answer {
            try connection.answer(toHead: method == "HEAD")
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
