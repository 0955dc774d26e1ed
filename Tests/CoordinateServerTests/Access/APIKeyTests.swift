import CoordinateServer
import CoordinateTesting
import RawClient
import Testing

/// A server with an API key.
struct APIKeyTests {
    @Test func aClientWithoutTheKeyIsRefusedBeforeItsBody() async throws {
        try await withRacing(configuration: .make(apiKey: "key"), over: .socket) { server async throws in
            let lines = [
                "Host: localhost", "Expect: 100-continue", "Content-Type: application/json", "Content-Length: 9",
            ]
            #expect(try server.answer(to: "POST /events", lines).status == 401)
            for (path, key) in [("/login", []), ("/events", ["Authorization: Bearer key"])] {
                let client = try RawClient(url: server.url)
                let head = (["POST \(path) HTTP/1.1"] + lines + key).map { "\($0)\r\n" }.joined()
                try client.send("\(head)\r\n")
                #expect(try client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
            }
        }
    }

    private static let key = "s3cret/key="

    private nonisolated(nonsending) func withKey(
        _ body: nonisolated(nonsending) (TestServer) async throws -> Void
    ) async throws {
        try await withRacing(configuration: .make(publicFolder: PublicFilesTests.shipped, apiKey: Self.key), body)
    }

    @Test func everythingButTheProbesAndThePageNeedsTheKey() async throws {
        try await withKey { server in
            let client = server.client()
            for path in [
                "/route", "/events", "/sessions/AAAAAAAAAAAAAAAAAAAAAA", "/catalog", "/map", "/mcp", "/metrics",
                "/nowhere", "/sessions",
            ] {
                for method in ["GET", "HEAD", "POST", "DELETE"] {
                    let answer = try await client.request(method, path)
                    #expect(answer.status == 401, "\(method) \(path)")
                    #expect(answer.header("WWW-Authenticate") == "Bearer")
                    #expect(answer.header("Content-Type") == "application/problem+json")
                    guard method != "HEAD" else { continue }
                    #expect(try answer.problem.type == "/problems/unauthorized")
                    #expect(try answer.problem.detail.contains("Authorization: Bearer"))
                }
            }
            #expect(client.cookies.isEmpty)
            for path in ["/livez", "/readyz"] {
                for (method, status) in [("GET", 200), ("HEAD", 200), ("POST", 401)] {
                    #expect(try await client.request(method, path).status == status, "\(method) \(path)")
                }
            }
        }
    }

    @Test func aWrongKeyIsRefused() async throws {
        try await withKey { server in
            for header in [
                "Bearer s3cret/key", "Bearer s3cret/key=x", "Bearer S3CRET/KEY=", "Bearer ", "Bearer", "s3cret/key=",
                "Basic s3cret/key=", "Bearer s3cret/key= more", "",
            ] {
                let answer = try await server.client(headers: ["Authorization": header]).get("/route")
                #expect(answer.status == 401, "\(header)")
            }
        }
    }

    @Test(arguments: ["Bearer", "bearer", "BEARER"])
    func theRightKeyOpensEverything(scheme: String) async throws {
        try await withKey { server in
            let client = server.client(headers: ["Authorization": "\(scheme) \(Self.key)"])
            let route = try await client.start()
            #expect(route.path == "/main/teams")
            #expect(try await client.get("/").status == 200)
            #expect(try await client.metric("coordinate_sessions") == 1)
        }
    }
}
