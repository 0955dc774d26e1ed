import CoordinateServer
import CoordinateTesting
import Testing

/// `HEAD` wherever `GET` is allowed.
struct MethodTests {
    @Test(.racing(configuration: .make(publicFolder: PublicFilesTests.shipped)))
    func headAnswersAsGetWithoutTheBody() async throws {
        try await client.start()
        let session = client.base
        for path in [
            "/route", "/events", "/catalog", "/metrics", "/livez", "/readyz", "/", "/index.html", "/sessions",
            "/sessions?limit=0", session, "\(session)/route", "\(session)/events",
            "\(session)/changes?from=0&to=1", "\(session)/changes", "\(session)/test?as=swift",
            "\(session)/test", "/nowhere", "/events?limit=0",
        ] {
            // The length of compressed content is not that of the content that the client decodes.
            let plain = ["Accept-Encoding": "identity"]
            let get = try await client.get(path, headers: plain)
            let head = try await client.request("HEAD", path, headers: plain)
            #expect(head.status == get.status, "\(path)")
            #expect(head.body.isEmpty, "\(path)")
            for name in ["Content-Type", "Cache-Control", "ETag"] {
                #expect(head.header(name) == get.header(name), "\(path)")
            }
            if path != "/metrics" { #expect(head.header("Content-Length") == "\(get.body.count)", "\(path)") }
        }
    }
}
