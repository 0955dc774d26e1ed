import CoordinateTesting
import MicroHTTPD
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The cookie that browsers get for the key.
@Suite(.racing(configuration: .make(publicFolder: PublicFilesTests.shipped, apiKey: "s3cret/key="), over: .socket))
struct LoginTests {
    private static let key = "s3cret/key="

    private nonisolated(nonsending) func withKey(
        _ key: String = key, clock: ManualClock = ManualClock(), trustedProxies: [String] = [],
        _ body: nonisolated(nonsending) (TestServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration.make(apiKey: key)
        configuration.trustedProxies = trustedProxies
        try await withRacing(clock: clock.clock, configuration: configuration, over: .socket, body)
    }

    private func logIn(_ server: TestServer, _ headers: String..., key: String = key) throws -> String {
        let answer = try server.answer(
            to: "POST /login", ["Host: localhost", "Content-Type: application/json"] + headers,
            body: #"{"key": "\#(key)"}"#)
        #expect(answer.status == 204)
        #expect(answer.headers["cache-control"] == "no-store")
        return try #require(answer.headers["set-cookie"])
    }

    /// The cookie as a browser sends it back.
    private func cookie(of line: String) -> String { String(line.prefix { $0 != ";" }) }

    private func status(of line: String, _ headers: String..., at server: TestServer) throws -> Int {
        try server.answer(to: line, ["Host: localhost"] + headers).status
    }

    @Test func theKeyGivesACookieThatOpensEverything() async throws {
        let line = try logIn(server)
        #expect(line.hasSuffix("; Path=/; HttpOnly; SameSite=Strict; Max-Age=86400"))
        #expect(!line.contains(Self.key))
        #expect(!line.hasPrefix("session="))
        #expect(try logIn(server) != line, "each login has a cookie of its own")
        let login = "Cookie: \(cookie(of: line))"
        for path in ["/route", "/catalog", "/metrics", "/sessions"] {
            #expect(try status(of: "GET \(path)", login, at: server) == 200)
            #expect(try status(of: "GET \(path)", at: server) == 401)
        }
        let stream = try RawClient(url: server.url)
        try stream.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\(login)\r\nAccept: text/event-stream\r\n\r\n")
        #expect(try stream.receive(until: "event: route").contains("200 OK"))
    }

    @Test func everyServerWithTheKeyAcceptsTheCookieForADay() async throws {
        let clock = ManualClock()
        var line = ""
        try await withKey(clock: clock) { server in line = try logIn(server) }
        let login = "Cookie: \(cookie(of: line))"
        try await withKey(clock: clock) { server async throws in
            clock.advance(by: 86_399)
            #expect(try status(of: "GET /route", login, at: server) == 200)
            clock.advance(by: 1)
            // An old cookie is not an attempt.
            for _ in 0..<20 {
                let answer = try server.answer(to: "GET /route", "Host: localhost", login)
                #expect(answer.status == 401)
                // It may be the login of another server.
                #expect(answer.headers["set-cookie"] == nil)
            }
        }
        try await withKey("another") { server async throws in
            #expect(try status(of: "GET /route", login, at: server) == 401)
        }
    }

    @Test func anOldCookieDoesNotCountAsAnAttempt() async throws {
        var line = ""
        try await withKey("before") { server in line = try logIn(server, key: "before") }
        let old = cookie(of: line)
        try await withKey { server async throws in
            for cookie in [old, "coordinate-login=nonsense", "coordinate-login=1.2.3"] {
                for _ in 0..<8 { #expect(try status(of: "GET /route", "Cookie: \(cookie)", at: server) == 401) }
            }
            #expect(try status(of: "GET /route", "Authorization: Bearer \(Self.key)", at: server) == 200)
            let new = cookie(of: try logIn(server))
            for both in ["\(old); \(new)", "\(new); \(old)"] {
                #expect(try status(of: "GET /route", "Cookie: \(both)", at: server) == 200)
            }
        }
    }

    @Test func changedCookiesAreInvalid() async throws {
        let cookie = cookie(of: try logIn(server))
        let start = try #require(cookie.firstIndex(of: "=")).utf16Offset(in: cookie) + 1
        for place in stride(from: start, to: cookie.utf8.count, by: 9) {
            var bytes = Array(cookie.utf8)
            bytes[place] = bytes[place] == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
            let forged = "Cookie: \(String(decoding: bytes, as: UTF8.self))"
            #expect([401, 429].contains(try status(of: "GET /route", forged, at: server)))
        }
    }

    @Test func logoutDeletesTheCookie() async throws {
        let login = "Cookie: \(cookie(of: try logIn(server)))"
        let answer = try server.answer(to: "POST /logout", "Host: localhost", login, "Content-Length: 0")
        #expect(answer.status == 204)
        let line = try #require(answer.headers["set-cookie"])
        #expect(line == "coordinate-login=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
        #expect(try status(of: "POST /logout", "Content-Length: 0", at: server) == 401)
    }

    @Test(arguments: [
        ("Forwarded: for=192.0.2.1;proto=https", true), ("X-Forwarded-Proto: https", true),
        ("X-Forwarded-Proto: http", false), ("X-Other: https", false),
    ])
    func theLoginCookieIsSecureIfItsRequestUsedTLS(header: String, isSecure: Bool) async throws {
        try await withKey(trustedProxies: ["127.0.0.0/8"]) { server async throws in
            #expect(try logIn(server, header).contains("; Secure") == isSecure)
        }
        try await withKey { server async throws in #expect(try !logIn(server, header).contains("; Secure")) }
    }

    @Test(arguments: [
        ("{}", 400), ("[]", 400), (#"{"key": 1}"#, 400), ("key", 400), (#"{"key": ""}"#, 401), (#"{"key": "x"}"#, 401),
    ])
    func wrongKeysGiveNoCookie(body: String, status: Int) async throws {
        let answer = try server.answer(
            to: "POST /login", "Host: localhost", "Content-Type: application/json", body: body)
        #expect(answer.status == status)
        #expect(answer.headers["set-cookie"] == nil)
        let form = try server.answer(to: "POST /login", "Host: localhost", "Content-Type: text/plain", body: body)
        #expect(form.status == 415)
    }

    @Test(.racing(over: .socket)) func withoutAKeyNoCookieIsNeeded() async throws {
        let answer = try server.answer(
            to: "POST /login", "Host: localhost", "Content-Type: application/json", body: #"{"key": "x"}"#)
        #expect(answer.status == 204)
        #expect(answer.headers["set-cookie"] == nil)
    }

    @Test func theFilesOfThePageNeedNoKey() async throws {
        for path in ["/", "/index.html", "/inspector.js", "/openapi.json", "/livez", "/readyz"] {
            #expect(try status(of: "GET \(path)", at: server) == 200)
            #expect(try status(of: "HEAD \(path)", at: server) == 200)
        }
        for line in ["GET /nowhere", "POST /", "GET /login", "GET /inspector"] {
            #expect(try status(of: line, "Content-Length: 0", at: server) == 401, "\(line)")
        }
    }

    // MARK: The key

    @Test(arguments: ["key\n", " key", "key\r\n", "\tkey \n\n"])
    func whiteSpaceAroundTheKeyIsIgnored(key: String) async throws {
        try await withKey(key) { server async throws in
            #expect(try status(of: "GET /route", "Authorization: Bearer key", at: server) == 200)
            #expect(try status(of: "GET /route", at: server) == 401)
            _ = try logIn(server, key: "key")
        }
    }

    @Test(arguments: ["", "\n", " \t\n"]) func anEmptyKeyMeansNoKey(key: String) async throws {
        try await withKey(key) { server async throws in #expect(try status(of: "GET /route", at: server) == 200) }
    }

    @Test(arguments: ["a\nb", "schlüssel", "a\u{0}b", "a\u{7F}"])
    func aKeyThatDoesNotFitAHeaderIsRefusedAtTheStart(key: String) throws {
        #expect {
            try Server(app: TestApp(), configuration: .make(apiKey: key))
        } throws: { error in
            "\(error)".contains("COORDINATE_API_KEY") && !"\(error)".contains(key)
        }
    }

    @Test func aKeyInTheHeaderOverridesTheCookie() async throws {
        let login = "Cookie: \(cookie(of: try logIn(server)))"
        #expect(try status(of: "GET /route", login, "Authorization: Bearer wrong", at: server) == 401)
        #expect(try status(of: "GET /route", login, "Authorization: Basic eDp5", at: server) == 200)
    }

    // MARK: Guessing

    private func guess(_ way: String, at server: TestServer, from client: String = "192.0.2.1") throws
        -> RawClient.Answer
    {
        let headers = ["Host: localhost", "Forwarded: for=\"\(client)\""]
        switch way {
        case "login":
            return try server.answer(
                to: "POST /login", headers + ["Content-Type: application/json"], body: #"{"key": "wrong"}"#)
        default: return try server.answer(to: "GET /route", headers + ["Authorization: Bearer \(way)"])
        }
    }

    @Test(arguments: ["wrong", "login"])
    func anAddressMustWaitAfterTenWrongKeysInAMinute(way: String) async throws {
        let clock = ManualClock()
        try await withKey(clock: clock, trustedProxies: ["127.0.0.1"]) { server in
            let login = "Cookie: \(cookie(of: try logIn(server)))"
            for count in (0...9).reversed() {
                let answer = try guess(way, at: server)
                #expect(answer.status == 401)
                #expect(answer.head.contains(#"RateLimit-Policy: "wrong-keys";q=10;w=60"#))
                #expect(answer.head.contains(#"RateLimit: "wrong-keys";r=\#(count);t=\#(count < 5 ? 40 : 60)"#))
                if count == 5 { clock.advance(by: 20) }
            }
            for way in ["wrong", "login", Self.key] {
                let answer = try guess(way, at: server)
                #expect(answer.status == 429)
                #expect(answer.body.contains("/problems/too-many-attempts"))
                #expect(answer.headers["retry-after"] == "40")
                #expect(answer.head.contains(#"RateLimit: "wrong-keys";r=0;t=40"#))
            }
            // Other addresses need not wait, nor does a client that is logged in or sends no key.
            #expect(try guess(Self.key, at: server, from: "192.0.2.2").status == 200)
            #expect(try status(of: "GET /route", login, "Forwarded: for=192.0.2.1", at: server) == 200)
            #expect(try status(of: "GET /route", "Forwarded: for=192.0.2.1", at: server) == 401)
            // The first five wrong keys no longer count, and the five after them do.
            clock.advance(by: 40)
            let answer = try guess(Self.key, at: server)
            #expect(answer.status == 200)
            #expect(!answer.head.contains("RateLimit"))
            for _ in 0..<5 { #expect(try guess(way, at: server).status == 401) }
            #expect(try guess(way, at: server).status == 429)
        }
    }

    @Test func anIPv6NetworkSharesItsAttempts() async throws {
        try await withKey(trustedProxies: ["127.0.0.1"]) { server async throws in
            for host in 1...10 { #expect(try guess("wrong", at: server, from: "[2001:db8::\(host)]").status == 401) }
            for key in ["wrong", Self.key] {
                #expect(try guess(key, at: server, from: "[2001:db8::ff]").status == 429)
            }
            #expect(try guess("wrong", at: server, from: "[2001:db8:0:1::1]").status == 401)
        }
    }

    @Test func aRequestWithoutAKeyIsNotAnAttempt() async throws {
        for headers in [[], ["Authorization: Basic eDp5"], ["Authorization: Bearer"], ["Cookie: a=b"]] {
            for _ in 0..<15 {
                #expect(try server.answer(to: "GET /route", ["Host: localhost"] + headers).status == 401)
            }
        }
        #expect(try guess(Self.key, at: server).status == 200)
    }

    @Test func theNumberOfRememberedAddressesIsLimited() {
        let attempts = Attempts()
        for number in 0..<UInt32(3 * Attempts.capacity) {
            let address = IPAddress("10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)")
            #expect(attempts.countWrongKey(from: address!, at: 0) == Attempts.Remaining(count: 9, seconds: 60))
        }
        #expect(attempts.count <= Attempts.capacity)
    }
}
