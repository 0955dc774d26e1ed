import CoordinateServer
import CoordinateTesting
import RawClient
import Testing

/// `HEAD` wherever `GET` is allowed, and 405 for other methods.
struct MethodTests {
    @Test(arguments: [
        "/route", "/events", "/catalog", "/metrics", "/livez", "/readyz", "/", "/index.html", "/sessions",
        "/sessions?limit=0", "/sessions/{id}", "/sessions/{id}/route",
        "/sessions/{id}/events", "/sessions/{id}/changes?from=0&to=1", "/sessions/{id}/changes", "/nowhere",
        "/events?limit=0",
    ])
    func headAnswersAsGetWithoutTheBody(path: String) async throws {
        try await withRacing(configuration: .make(publicFolder: PublicFilesTests.shipped)) { server in
            let client = server.client()
            try await client.start()
            let path = path.replacing("{id}", with: client.sessionID ?? "")
            // The length of compressed content is not that of the content that the client decodes.
            let plain = ["Accept-Encoding": "identity"]
            let get = try await client.get(path, headers: plain)
            let head = try await client.request("HEAD", path, headers: plain)
            #expect(head.status == get.status)
            #expect(head.body.isEmpty)
            for name in ["Content-Type", "Cache-Control", "ETag"] { #expect(head.header(name) == get.header(name)) }
            if path != "/metrics" { #expect(head.header("Content-Length") == "\(get.body.count)") }
        }
    }

    @Test(arguments: [
        ("/route", ["GET", "HEAD", "PUT"]), ("/events", ["GET", "HEAD", "POST"]),
        ("/sessions", ["GET", "HEAD", "POST"]),
        ("/sessions/AAAAAAAAAAAAAAAAAAAAAA", ["DELETE", "GET", "HEAD", "PATCH"]),
        ("/sessions/AAAAAAAAAAAAAAAAAAAAAA/route", ["GET", "HEAD", "PUT"]),
        ("/sessions/AAAAAAAAAAAAAAAAAAAAAA/events", ["GET", "HEAD", "POST"]),
        ("/sessions/AAAAAAAAAAAAAAAAAAAAAA/changes", ["GET", "HEAD"]), ("/catalog", ["GET", "HEAD"]),
        ("/map", ["GET", "HEAD"]), ("/mcp", ["POST"]), ("/livez", ["GET", "HEAD"]),
        ("/readyz", ["GET", "HEAD"]),
        ("/metrics", ["GET", "HEAD"]), ("/index.html", ["GET", "HEAD"]), ("/", ["GET", "HEAD"]),
    ])
    func everyOtherMethodIsNotAllowed(path: String, allowed: [String]) async throws {
        try await withRacing(configuration: .make(publicFolder: PublicFilesTests.shipped)) { server in
            let client = server.client()
            for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get", "BREW"]
            where !allowed.contains(method) {
                let answer = try RawClient.answer(
                    of: server.url, to: "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                #expect(answer.status == 405, "\(method)")
                let allow = answer.head.split(separator: "\r\n").first { $0.hasPrefix("Allow: ") }
                let methods = allow?.dropFirst("Allow: ".count).split(separator: ", ").map(String.init).sorted()
                #expect(methods == allowed, "\(method)")
                if method != "HEAD" { #expect(answer.body.contains("/problems/method-not-allowed")) }
            }
            #expect(try await client.metric("coordinate_sessions") == 0)
        }
    }
}
