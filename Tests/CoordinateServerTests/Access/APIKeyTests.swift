import CoordinateServer
import CoordinateTesting
import RawClient
import Testing

/// A server with an API key.
@Suite(.racing(configuration: .make(publicFolder: PublicFilesTests.shipped, apiKey: "s3cret/key="), over: .socket))
struct APIKeyTests {
    private static let key = "s3cret/key="

    @Test func aClientWithoutTheKeyIsRefusedBeforeItsBody() async throws {
        let lines = ["Host: localhost", "Expect: 100-continue", "Content-Type: application/json", "Content-Length: 9"]
        #expect(try server.answer(to: "POST /events", lines).status == 401)
        for (path, key) in [("/login", []), ("/events", ["Authorization: Bearer \(Self.key)"])] {
            let client = try RawClient(url: server.url)
            let head = (["POST \(path) HTTP/1.1"] + lines + key).map { "\($0)\r\n" }.joined()
            try client.send("\(head)\r\n")
            #expect(try client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
        }
    }

    @Test func aWrongKeyIsRefused() async throws {
        for header in [
            "Bearer s3cret/key", "Bearer s3cret/key=x", "Bearer S3CRET/KEY=", "Bearer ", "Bearer", "s3cret/key=",
            "Basic s3cret/key=", "Bearer s3cret/key= more", "",
        ] {
            let answer = try await server.client(headers: ["Authorization": header]).get("/route")
            #expect(answer.isProblem("unauthorized", 401), "\(header)")
            #expect(try answer.problem.detail.contains("Authorization: Bearer"))
        }
    }

    @Test(arguments: ["Bearer", "bearer", "BEARER"])
    func theRightKeyOpensEverything(scheme: String) async throws {
        let client = server.client(headers: ["Authorization": "\(scheme) \(Self.key)"])
        let route = try await client.start()
        #expect(route.path == "/main/teams")
        #expect(try await client.get("/").status == 200)
        #expect(try await client.metric("coordinate_sessions") == 1)
    }

    // MARK: Uploads

    /// The answer to the header of an upload whose body is not sent.
    private func answer(
        of server: TestServer, host: String = "localhost", _ headers: String...
    ) throws -> RawClient.Answer {
        try server.answer(
            to: "POST /sessions",
            ["Host: \(host)", "Content-Type: application/x-ndjson", "Content-Length: 16777216"] + headers)
    }

    @Test(.racing(configuration: .make(apiKey: "key", maximumSessions: 1), over: .socket))
    func anUploadIsRefusedBeforeItsBody() async throws {
        let key = "Authorization: Bearer key"
        for (answer, status) in [
            (try answer(of: server), 401), (try answer(of: server, "Authorization: Bearer quay"), 401),
            (try answer(of: server, host: "evil.example", key), 421),
            (try answer(of: server, key, "Origin: http://evil.example"), 403),
            (try answer(of: server, key, "Sec-Fetch-Site: cross-site"), 403),
            (try answer(of: server, key, "Session: a", "Session: b"), 400),
        ] {
            #expect(answer.status == status)
            #expect(answer.headers["connection"]?.lowercased() == "close")
            #expect(answer.headers["content-type"] == "application/problem+json")
        }
        let client = server.client(headers: ["Authorization": "Bearer key"])
        try await client.emit("splash.didFinish")
        #expect(try answer(of: server, key).status == 429)
    }

    @Test(.racing(configuration: .make(apiKey: "key"), over: .socket)) func wrongKeysOfUploadsAreCountedOnce()
        async throws
    {
        for _ in 0..<10 { #expect(try answer(of: server, "Authorization: Bearer quay").status == 401) }
        #expect(try answer(of: server, "Authorization: Bearer quay").status == 429)
    }
}
