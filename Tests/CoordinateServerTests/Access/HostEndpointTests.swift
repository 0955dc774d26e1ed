import CoordinateTesting
import MicroHTTPD
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Routes of the host's own.
@Suite(.racing(configuration: .withHostEndpoints(), over: .socket)) struct HostEndpointTests {
    @Test func theClosureGetsTheRequest() async throws {
        let answer = try await client.request(
            "POST", "/x/echo?a=1&b=%20", headers: ["X-Signature": "s1"], body: Array("{}".utf8))
        #expect(answer.text == "a=1,b=  s1 2\n")
        #expect(try await client.get("/x/count").status == 200)
        #expect(try await client.request("HEAD", "/x/count").status == 200)
        #expect(try await client.get("/x/echo").isProblem("method-not-allowed", 405))
        #expect(try await client.get("/x/echo").header("Allow") == "POST")
        #expect(try await client.get("/x/other").isProblem("not-found", 404))
        let large = [UInt8](repeating: 0, count: 65 * 1024)
        #expect(try await client.request("POST", "/x/echo", body: large).isProblem("body-too-large", 413))
        #expect(
            try await client.metric(
                "coordinate_http_request_duration_seconds_count{method=\"any\",route=\"/x/{path}\",status=\"200\"}")
                == 3)
    }

    @Test(.racing(configuration: .withHostEndpoints(key: "key"))) func onlyTheOperatorReachesWhatIsNotOpen()
        async throws
    {
        #expect(try await server.client().request("POST", "/x/echo").status == 200)
        #expect(try await server.client().get("/x/count").isProblem("unauthorized", 401))
        #expect(try await server.client(headers: ["Authorization": "Bearer key"]).get("/x/count").status == 200)
    }

    @Test func errorsOfTheClosureAreProblems() async throws {
        #expect(try await server.client().request("POST", "/x/fail").isProblem("session-not-found", 404))
        let answer = try await server.client().request("POST", "/x/fail?later")
        #expect(answer.isProblem("too-busy", 503))
        #expect(answer.header("Retry-After") != nil)
    }

    @Test(arguments: ["/payments", "/x/", "/x/a b", "/x/a?b", "/x/twice"])
    func anEndpointElsewhereIsRefusedAtTheStart(path: String) throws {
        var configuration = ServerConfiguration.make()
        configuration.endpoints = (0..<(path == "/x/twice" ? 2 : 1)).map { _ in
            HostEndpoint(.post, path) { _, _ in HTTPResponse(status: 200) }
        }
        #expect(throws: ServerError.self) { try Server(app: TestApp(), configuration: configuration) }
    }

    /// Another system reports the same twice.
    @Test func aWebhookReachesTheSessionOnce() async throws {
        var configuration = ServerConfiguration.make()
        configuration.endpoints = [
            HostEndpoint(.post, "/x/approvals", isOpen: true) { request, server in
                let (claim, notice) = (request.query[0].value, request.query[1].value)
                let session = try await server.openSession(withKey: "claim-\(claim)", attributes: ["claim": claim])
                try await server.emit(WorkEvents.didHear("approved"), into: session, once: notice)
                return HTTPResponse(status: 204)
            }
        ]
        try await withApp(WorkApp(), configuration: configuration) { server in
            let client = server.client()
            for notice in ["n1", "n1", "n2"] {
                #expect(try await client.request("POST", "/x/approvals?claim=7&notice=\(notice)").status == 204)
            }
            #expect(try await client.request("POST", "/x/approvals?claim=7&notice=%20").status == 422)
            let session = try await client.get("/sessions/by-key/claim-7").json
            #expect(session["version"] == 2)
            #expect(session["attributes"] == ["claim": "7"])
            let id = try #require(session["id"]?.string)
            let origins = try await client.get("/sessions/\(id)/events").json["events"]?.array.map { $0["origin"] }
            #expect(origins == ["host", "host"])
            let rows = try await client.inSession(id).route().screen.rows
            #expect(rows.map(\.title) == ["heard approved", "heard approved"])
        }
    }
}

extension ServerConfiguration {
    fileprivate static func withHostEndpoints(key: String = "") -> ServerConfiguration {
        var configuration = ServerConfiguration.make(apiKey: key)
        configuration.endpoints = [
            HostEndpoint(.post, "/x/echo", isOpen: true) { request, _ in
                let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
                let signature = request.headers[HTTPField.Name("X-Signature")!] ?? "none"
                return HTTPResponse(status: 200, body: "\(query) \(signature) \(request.body.count)\n")
            },
            HostEndpoint(.get, "/x/count") { _, server in
                HTTPResponse(status: 200, body: "\(server.url)\n")
            },
            HostEndpoint(.post, "/x/fail") { request, _ in
                throw request.query.isEmpty ? EmitError.noSuchSession : EmitError.unavailable("later")
            },
        ]
        return configuration
    }
}
