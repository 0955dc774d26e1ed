import CoordinateTesting
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Journals that are refused because of their headers, before their bodies are read.
struct UploadRefusalTests {
    private static let size = 16 * 1024 * 1024

    /// The answer to the header of an upload whose body is not sent.
    private func answer(
        of server: TestServer, host: String = "localhost", _ headers: String...
    ) throws -> RawClient.Answer {
        try server.answer(
            to: "POST /sessions",
            ["Host: \(host)", "Content-Type: application/x-ndjson", "Content-Length: \(Self.size)"] + headers)
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

    @Test(.racing(configuration: .make(apiKey: "key"), over: .socket)) func aShortUploadKeepsTheConnectionOpen()
        async throws
    {
        let client = try RawClient(url: server.url)
        for _ in 0..<3 {
            try client.send(
                "POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
                    + "Content-Length: 5\r\n\r\n{}\n{}")
            #expect(try client.answer().status == 401)
        }
    }

    @Test func wrongKeysOfUploadsAreCountedOnce() async throws {
        try await withRacing(configuration: .make(apiKey: "key"), over: .socket) { server async throws in
            for _ in 0..<10 { #expect(try answer(of: server, "Authorization: Bearer quay").status == 401) }
            #expect(try answer(of: server, "Authorization: Bearer quay").status == 429)
        }
    }
}
