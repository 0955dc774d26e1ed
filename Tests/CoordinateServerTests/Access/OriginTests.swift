import CoordinateTesting
import Racing
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Requests from pages of other sites.
@Suite(.racing(configuration: .allowingOrigins(), over: .socket)) struct OriginTests {
    private static let listed = "https://shop.example"

    /// The fuzz target `headers` checks more pairs.
    @Test func itsOwnPagesAreNotForeign() async throws {
        for (host, origin) in [
            ("localhost", "http://localhost:80"), ("localhost:443", "https://localhost"),
            ("coordinate.example", "https://coordinate.example"), ("LOCALHOST:8080", "http://LocalHost.:8080"),
        ] {
            let answer = try server.answer(to: "GET /livez", "Host: \(host)", "Origin: \(origin)")
            #expect(answer.status == 200, "\(origin) at \(host)")
            #expect(answer.headers["access-control-allow-origin"] == nil)
        }
    }

    @Test func aForeignPageIsRefused() async throws {
        for origin in [
            "null", "http://evil.example", "http://localhost:9999", "http://localhost", "http://shop.example",
            "https://shop.example:8443", "localhost:8080", "", "http://x@localhost:8080",
        ] {
            for line in ["GET /route", "POST /sessions", "GET /", "OPTIONS /route"] {
                let answer = try server.answer(
                    to: line, "Host: localhost:8080", "Origin: \(origin)", "Content-Length: 0",
                    "Access-Control-Request-Method: GET")
                #expect(answer.status == 403, "\(line) from \(origin)")
                #expect(answer.body.contains(#""type":"/problems/cross-origin""#))
                #expect(answer.headers["access-control-allow-origin"] == nil)
                #expect(answer.headers["set-cookie"] == nil)
            }
        }
        #expect(try await server.client().metric("coordinate_sessions") == 0)
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

    @Test func anAllowedPageMayFollowASession() async throws {
        let client = try RawClient(url: server.url)
        try client.send(
            "GET /events HTTP/1.1\r\nHost: localhost\r\nOrigin: \(Self.listed)\r\nAccept: text/event-stream\r\n"
                + "Sec-Fetch-Site: cross-site\r\n\r\n")
        #expect(try client.answer(toHead: true).headers["access-control-allow-origin"] == Self.listed)
        #expect(try client.receive(until: "event: route\n").contains("id: 0"))
    }

    /// All clients share the response object. Headers added for one client must not reach others.
    @Test func originHeadersDoNotReachOtherClients() async throws {
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

    @Test(.racing(configuration: .allowingOrigins(apiKey: "key"), over: .socket))
    func preflightsOfAllowedPagesNeedNoKey() async throws {
        for line in ["PUT /route", "DELETE /sessions/AAAAAAAAAAAAAAAAAAAAAA", "GET /nowhere"] {
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

extension ServerConfiguration {
    /// A configuration with two pages of others that may use the server.
    fileprivate static func allowingOrigins(apiKey: String = "") -> ServerConfiguration {
        var configuration = make(publicFolder: PublicFilesTests.shipped, apiKey: apiKey)
        configuration.origins = ["https://shop.example", "http://localhost:3000"]
        configuration.hosts = ["coordinate.example"]
        return configuration
    }
}
