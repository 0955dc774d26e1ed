import CoordinateServer
import CoordinateTesting
import Testing

/// `HEAD` wherever `GET` is allowed.
struct MethodTests {
    @Test(arguments: [
        "/route", "/events", "/catalog", "/metrics", "/livez", "/readyz", "/", "/index.html", "/sessions",
        "/sessions?limit=0", "/sessions/{id}", "/sessions/{id}/route",
        "/sessions/{id}/events", "/sessions/{id}/changes?from=0&to=1", "/sessions/{id}/changes", "/nowhere",
        "/events?limit=0",
    ])
    func headAnswersAsGetWithoutTheBody(path: String) async throws {
        try await withRacingClient(configuration: .make(publicFolder: PublicFilesTests.shipped)) { client in
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
}
