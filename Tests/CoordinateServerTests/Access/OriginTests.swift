import CoordinateTesting
import Racing
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Requests from pages of other sites.
struct OriginTests {
    private static let listed = "https://shop.example"

    private nonisolated(nonsending) func withOrigins(
        apiKey: String = "", _ body: nonisolated(nonsending) (TestServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration.make(publicFolder: PublicFilesTests.shipped, apiKey: apiKey)
        configuration.origins = [Self.listed, "http://localhost:3000"]
        configuration.hosts = ["coordinate.example"]
        try await withRacing(configuration: configuration, over: .socket, body)
    }

    private static let own = [
        ("localhost:8080", "http://localhost:8080"), ("localhost", "http://localhost"),
        ("localhost", "http://localhost:80"), ("localhost:80", "http://localhost"),
        ("localhost:443", "https://localhost"), ("localhost", "https://localhost"),
        ("coordinate.example", "https://coordinate.example"), ("LOCALHOST:8080", "http://LocalHost.:8080"),
        ("[::1]:8080", "http://[::1]:8080"), ("localhost:8080", "https://localhost:8080"),
    ]

    @Test func itsOwnPagesAreNotForeign() async throws {
        try await withOrigins { server in
            for (host, origin) in Self.own {
                for path in ["/route", "/", "/livez"] {
                    let answer = try server.answer(to: "GET \(path)", "Host: \(host)", "Origin: \(origin)")
                    #expect(answer.status == 200, "\(origin) at \(host)")
                    #expect(answer.headers["access-control-allow-origin"] == nil)
                }
            }
        }
    }

    static let foreign = [
        "null", "http://evil.example", "http://localhost:9999", "https://localhost:80", "http://127.0.0.1:8080",
        "http://localhost:8080.evil.example", "http://localhost:8080/", "http://shop.example",
        "https://shop.example:8443",
        "https://shop.example.evil.example", "https://evil.example/https://shop.example", "localhost:8080", "file://",
        "chrome-extension://localhost:8080", "", "https://shop.example https://evil.example", "http://x@localhost:8080",
    ]

    @Test func aForeignPageIsRefused() async throws {
        try await withOrigins { server in
            for origin in Self.foreign {
                for line in [
                    "GET /route", "GET /events", "DELETE /sessions/x", "GET /livez", "GET /", "GET /nowhere",
                    "OPTIONS /route",
                ] {
                    let answer = try server.answer(
                        to: line, "Host: localhost:8080", "Origin: \(origin)", "Access-Control-Request-Method: GET")
                    #expect(answer.status == 403, "\(line) from \(origin)")
                    #expect(answer.body.contains(#""type":"/problems/cross-origin""#))
                    #expect(answer.headers["access-control-allow-origin"] == nil)
                    #expect(answer.headers["set-cookie"] == nil)
                }
                let answer = try server.answer(
                    to: "POST /sessions", "Host: localhost:8080", "Origin: \(origin)", "Content-Type: text/plain",
                    body: "{}")
                #expect(answer.status == 403, "\(origin)")
            }
            #expect(try await server.client().metric("coordinate_sessions") == 0)
        }
    }

    /// A host without a port has the standard port of the page's scheme.
    @Test(arguments: [
        ("localhost", "http://localhost:9999"), ("localhost", "https://localhost:80"),
        ("localhost:443", "http://localhost"), ("localhost:8080", "http://localhost"),
    ])
    func aPageAtAnotherPortIsForeign(host: String, origin: String) async throws {
        try await withOrigins { server async throws in
            let answer = try server.answer(to: "GET /route", "Host: \(host)", "Origin: \(origin)")
            #expect(answer.status == 403)
        }
    }

    @Test func aForeignPageIsRefusedBeforeItsBody() async throws {
        try await withOrigins { server async throws in
            for path in ["/events", "/sessions", "/sessions/x/events", "/nowhere"] {
                let answer = try server.answer(
                    to: "POST \(path)", "Host: localhost", "Origin: http://evil.example", "Expect: 100-continue",
                    "Content-Type: application/json", "Content-Length: 17")
                #expect(answer.status == 403, "\(path)")
                #expect(answer.headers["connection"] == "close")
            }
        }
    }

    // MARK: Allowed origins

    private func expectShared(
        _ answer: RawClient.Answer, with origin: String = listed, _ status: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == status, sourceLocation: sourceLocation)
        #expect(answer.headers["access-control-allow-origin"] == origin, sourceLocation: sourceLocation)
        #expect(answer.headers["access-control-allow-credentials"] == "true", sourceLocation: sourceLocation)
        let exposed = answer.headers["access-control-expose-headers"] ?? ""
        for name in ["ETag", "Session", "Location", "Preference-Applied", "Retry-After"] {
            #expect(exposed.contains(name), sourceLocation: sourceLocation)
        }
    }

    @Test func anAllowedPageMayReadEveryResponse() async throws {
        try await withOrigins { server in
            let client = server.client()
            let tag = try #require(try await client.get("/route").header("ETag"))
            let session = "Session: \(try #require(client.sessionID))"
            let shop = "Origin: \(Self.listed)"
            let host = "Host: localhost:8080"
            let json = "Content-Type: application/json"
            expectShared(try server.answer(to: "GET /route", host, shop, session), 200)
            expectShared(try server.answer(to: "HEAD /route", host, shop, session), 200)
            expectShared(try server.answer(to: "GET /route", host, shop, session, "If-None-Match: \(tag)"), 304)
            expectShared(
                try server.answer(
                    to: "GET /route", host, shop, session, "If-None-Match: \(tag)", "Prefer: wait=1"), 304)
            expectShared(
                try server.answer(to: "GET /livez", host, "Origin: HTTPS://Shop.Example", session),
                with: "HTTPS://Shop.Example", 200)
            expectShared(try server.answer(to: "GET /", host, shop), 200)
            expectShared(try server.answer(to: "GET /route", host, shop, "Session: x"), 404)
            expectShared(try server.answer(to: "GET /nowhere", host, shop), 404)
            expectShared(try server.answer(to: "PATCH /route", host, shop, "Content-Length: 0"), 405)
            expectShared(try server.answer(to: "POST /events", host, shop, session, json, body: "{"), 400)
            expectShared(
                try server.answer(
                    to: "POST /events", host, shop, session, json, body: #"{"event":"splash.didFinish"}"#), 200)
            expectShared(try server.answer(to: "POST /events", host, shop, "Content-Length: 70000"), 413)
            expectShared(
                try server.answer(to: "GET /route", host, "Origin: http://localhost:3000"),
                with: "http://localhost:3000", 200)
        }
    }

    @Test func anAllowedPageMayFollowASession() async throws {
        try await withOrigins { server in
            let client = try RawClient(url: server.url)
            try client.send(
                "GET /events HTTP/1.1\r\nHost: localhost\r\nOrigin: \(Self.listed)\r\nAccept: text/event-stream\r\n"
                    + "Sec-Fetch-Site: cross-site\r\n\r\n")
            #expect(try client.answer(toHead: true).headers["access-control-allow-origin"] == Self.listed)
            #expect(try client.receive(until: "event: route\n").contains("id: 0"))
        }
    }

    /// All clients share the response object. Headers added for one client must not reach others.
    @Test func originHeadersDoNotReachOtherClients() async throws {
        try await withOrigins { server in
            let client = server.client()
            _ = try await client.get("/route")
            let session = "Session: \(try #require(client.sessionID))"
            for path in ["/route", "/livez", "/", "/catalog"] {
                let before = try server.answer(to: "GET \(path)", "Host: localhost", session)
                let shared = try server.answer(to: "GET \(path)", "Host: localhost", session, "Origin: \(Self.listed)")
                let after = try server.answer(to: "GET \(path)", "Host: localhost", session)
                #expect(shared.body == before.body)
                #expect(after.body == before.body)
                for head in [before.head, after.head] { #expect(!head.contains("Access-Control")) }
                #expect(shared.headers["etag"] == before.headers["etag"])
            }
        }
    }

    @Test(arguments: [
        "GET /route", "PUT /route", "DELETE /sessions/AAAAAAAAAAAAAAAAAAAAAA", "POST /sessions", "GET /nowhere",
    ])
    func preflightsOfAllowedPagesNeedNoKey(line: String) async throws {
        try await withOrigins(apiKey: "key") { server in
            let parts = line.split(separator: " ")
            let answer = try server.answer(
                to: "OPTIONS \(parts[1])", "Host: localhost", "Origin: \(Self.listed)",
                "Access-Control-Request-Method: \(parts[0])", "Access-Control-Request-Headers: authorization, session")
            expectShared(answer, 204)
            #expect(answer.headers["access-control-allow-methods"]?.contains(parts[0]) == true)
            let headers = answer.headers["access-control-allow-headers"] ?? ""
            for name in [
                "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Prefer", "Session",
            ] {
                #expect(headers.contains(name))
            }
            #expect(answer.headers["access-control-max-age"].flatMap { Int($0) } != nil)
            let request = try server.answer(to: "GET /route", "Host: localhost", "Origin: \(Self.listed)")
            expectShared(request, 401)
        }
    }

    @Test(arguments: [
        "shop.example", "https://shop.example/", "https://shop.example/shop", "*", "null", "", "https://",
        "https://a b",
        "https://x@shop.example", "https://shop.example:port",
    ])
    func invalidOriginsAreRefusedAtTheStart(entry: String) throws {
        var configuration = ServerConfiguration.make()
        configuration.origins = [Self.listed, entry]
        #expect {
            try Server(app: RacingApp.make(), configuration: configuration)
        } throws: { error in
            "\(error)".contains("\"\(entry)\"") && "\(error)".contains("COORDINATE_ORIGINS")
        }
    }

    // MARK: Requests without an origin

    @Test(arguments: ["cross-site", "same-site"])
    func anImageOnAnotherSiteCreatesNoSession(site: String) async throws {
        try await withOrigins { server in
            let client = server.client()
            let id = try await client.newSession()
            let fetch = "Sec-Fetch-Site: \(site)"
            let host = "Host: localhost"
            for line in [
                "GET /route", "GET /events", "GET /route?until=settled", "HEAD /route", "POST /sessions",
                "POST /sessions/\(id)/forks",
            ] {
                let answer = try server.answer(to: line, host, fetch, "Content-Length: 0", "Prefer: wait=1")
                #expect(answer.status == 403, "\(line)")
                if !line.hasPrefix("HEAD") { #expect(answer.body.contains("/problems/cross-origin")) }
            }
            for line in ["GET /", "GET /livez", "GET /sessions/\(id)/route", "GET /catalog"] {
                #expect(try server.answer(to: line, host, fetch, "Sec-Fetch-Mode: navigate").status == 200, "\(line)")
            }
            #expect(try server.answer(to: "GET /route", host, fetch, "Session: \(id)").status == 200)
            #expect(try await client.gauges().reduce(0, +) == 1)
            for site in ["same-origin", "none"] {
                #expect(try server.answer(to: "GET /route", host, "Sec-Fetch-Site: \(site)").status == 200)
            }
        }
    }
}
