import Coordinate
import CoordinateSessions
import CoordinateTesting
import MicroHTTPD
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Tokens for one session.
@Suite(.racing(time: .manual, configuration: .make(apiKey: "s3cret/key="))) struct TokenTests {
    private static let key = "s3cret/key="

    /// A client with the key.
    private var keeper: SessionClient { server.client(headers: bearer(Self.key)) }

    private func session(_ keeper: SessionClient) async throws -> String {
        try #require(try await keeper.post("/sessions", json: ["path": "/main/teams"]).json["id"]?.string)
    }

    private func token(_ keeper: SessionClient, for id: String, _ body: JSON = [:]) async throws -> String {
        let answer = try await keeper.post("/sessions/\(id)/tokens", json: body)
        #expect(answer.status == 201)
        #expect(answer.header("Cache-Control") == "no-store")
        return try #require(try answer.json["token"]?.string)
    }

    private func bearer(_ token: String) -> [String: String] { ["Authorization": "Bearer \(token)"] }

    @Test func aTokenIsDescribed() async throws {
        let id = try await session(keeper)
        let answer = try await keeper.post("/sessions/\(id)/tokens", json: ["scope": "read", "seconds": 60]).json
        #expect(answer["session"]?.string == id)
        #expect(answer["scope"] == "read")
        #expect(answer["expiresAt"]?.string == "\(manualClock.clock.timestamp().advanced(by: .seconds(60)))")
        let standard = try await keeper.request("POST", "/sessions/\(id)/tokens").json
        #expect(standard["scope"] == "use")
        #expect(standard["expiresAt"]?.string == "\(manualClock.clock.timestamp().advanced(by: .seconds(3_600)))")
    }

    @Test(
        arguments: [
            (#"{"scope": "all"}"#, "/scope"), (#"{"scope": 1}"#, "/scope"), (#"{"seconds": 59}"#, "/seconds"),
            (#"{"seconds": 86401}"#, "/seconds"), (#"{"seconds": "60"}"#, "/seconds"),
        ])
    func aTokenThatCannotBeMadeIsRefused(body: String, pointer: String) async throws {
        let id = try await session(keeper)
        let answer = try await keeper.request(
            "POST", "/sessions/\(id)/tokens", headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        #expect(answer.isProblem("malformed-request", 400))
        #expect(try answer.json["pointer"]?.string == pointer)
        #expect(
            try await keeper.post("/sessions/\(id)/tokens", json: ["colour": 1]).isProblem("unknown-field", 422))
        let other = "AAAAAAAAAAAAAAAAAAAAAA"
        #expect(try await keeper.post("/sessions/\(other)/tokens", json: [:]).isProblem("session-not-found", 404))
    }

    @Test(.racing) func withoutAKeyThereAreNoTokens() async throws {
        let id = try await session(client)
        #expect(try await client.post("/sessions/\(id)/tokens", json: [:]).isProblem("no-api-key", 409))
    }

    @Test func aTokenMeansItsSession() async throws {
        let (id, other) = (try await session(keeper), try await session(keeper))
        let client = server.client(headers: bearer(try await token(keeper, for: id)))
        #expect(try await client.emit("teams.didSelect", ["team": "ferrari"]).version == 2)
        #expect(try await client.get("/route").json["session"]?.string == id)
        for path in ["/sessions/\(other)/route", "/sessions/\(other)"] {
            #expect(try await client.get(path).isProblem("session-not-found", 404))
        }
        #expect(try await client.get("/route", headers: ["Session": other]).isProblem("session-not-found", 404))
        #expect(try await client.post("/sessions", json: [:]).isProblem("operator-only", 403))
        #expect(try await client.post("/sessions/\(id)/tokens", json: [:]).isProblem("operator-only", 403))
        #expect(try await client.delete("/sessions/\(id)").status == 204)
        #expect(try await client.get("/route").isProblem("session-not-found", 404))
    }

    /// The holder of a token that only reads must not get the id, with which others may use the session.
    @Test func aReaderDoesNotGetTheID() async throws {
        let id = try await session(keeper)
        let reference = try #require(
            try await keeper.get("/sessions/\(id)").json["reference"]?.string)
        let client = server.client(headers: bearer(try await token(keeper, for: id, ["scope": "read"])))
        #expect(try await client.get("/route").json["session"]?.string == reference)
        #expect(try await client.get("/route", headers: ["Session": reference]).status == 200)
        for path in ["/route", "/route?pretty", "/app", "/app/main/teams", "/sessions/\(id)", "/catalog"] {
            let answer = try await client.get(path, headers: ["Accept": "*/*"])
            #expect(answer.status == 200 || answer.status == 303, "\(path)")
            #expect(!answer.text.contains(id), "\(path)")
        }
        let stream = try await client.follow()
        for version in [1, 2] {
            let message = try #require(await stream.next())
            #expect(message.id == version)
            #expect(!message.data.contains(id))
            if version == 1 {
                _ = try await keeper.post("/sessions/\(id)/events", json: ["event": "navigation.back"])
            }
        }
        for (method, path) in [
            ("POST", "/events"), ("PUT", "/route"), ("DELETE", "/sessions/\(id)"), ("POST", "/app"),
        ] {
            let type = path == "/app" ? "application/x-www-form-urlencoded" : "application/json"
            let answer = try await client.request(
                method, path, headers: ["Content-Type": type], body: Array("{}".utf8))
            #expect(answer.status == 403, "\(method) \(path)")
        }
        // To open a path would change the session.
        let page = try await client.get("/app/main/profile")
        #expect(page.status == 303)
        #expect(page.header("Location") == "/app/main/teams")
    }

    @Test func aTokenExpires() async throws {
        let id = try await session(keeper)
        let text = try await token(keeper, for: id, ["seconds": 60])
        let client = server.client(headers: bearer(text))
        manualClock.advance(by: 59)
        #expect(try await client.get("/route").status == 200)
        manualClock.advance(by: 1)
        let answer = try await client.get("/route")
        #expect(answer.isProblem("unauthorized", 401))
        #expect(try answer.problem.detail.contains("expired"))
        #expect(try await client.get("/app?token=\(text)").status == 401)
        // An expired token is no guess.
        for _ in 0..<12 { _ = try await client.get("/route") }
        #expect(try await keeper.get("/catalog").status == 200)
    }

    @Test func aForgedTokenCountsAsAWrongKey() async throws {
        var foreign = ""
        try await withRacing(clock: manualClock.clock, configuration: .make(apiKey: "another")) { server in
            let keeper = server.client(headers: bearer("another"))
            foreign = try await token(keeper, for: try await session(keeper))
        }
        let own = try await token(keeper, for: try await session(keeper))
        let changed = String(own.dropLast()) + (own.last == "A" ? "B" : "A")
        for text in [foreign, changed, own + "A", String(own.dropLast(4))] {
            #expect(try await server.client(headers: bearer(text)).get("/route").isProblem("unauthorized", 401))
            #expect(try await server.client().get("/app?token=\(text)").status == 401)
        }
        for _ in 0..<2 { _ = try await server.client(headers: bearer(foreign)).get("/route") }
        #expect(try await server.client(headers: bearer(foreign)).get("/route").status == 429)
        #expect(try await keeper.get("/route").status == 429)
        // A valid token was not guessed.
        #expect(try await server.client(headers: bearer(own)).get("/route").status == 200)
    }

    @Test func aTokenThatContradictsACookieIsAmbiguous() async throws {
        let (id, other) = (try await session(keeper), try await session(keeper))
        let (own, foreign) = (try await token(keeper, for: id), try await token(keeper, for: other))
        for cookie in ["session=\(other)", "coordinate-login=\(foreign)"] {
            let client = server.client(headers: bearer(own).merging(["Cookie": cookie]) { $1 })
            #expect(try await client.get("/route").isProblem("malformed-request", 400), "\(cookie)")
        }
        for cookie in ["session=\(id)", "coordinate-login=\(own)"] {
            let client = server.client(headers: bearer(own).merging(["Cookie": cookie]) { $1 })
            #expect(try await client.get("/route").json["session"]?.string == id)
        }
        let both = server.client(headers: ["Cookie": "coordinate-login=\(own); coordinate-login=\(foreign)"])
        #expect(try await both.get("/route").isProblem("malformed-request", 400))
        // The key of the operator counts, whatever the cookies say.
        let all = server.client(
            headers: bearer(Self.key).merging(["Cookie": "coordinate-login=\(foreign)", "Session": id]) { $1 })
        #expect(try await all.get("/route").json["session"]?.string == id)
    }

    // MARK: In a browser

    @Test func aLinkLeadsAPersonToTheirSession() async throws {
        let id = try await session(keeper)
        let text = try await token(keeper, for: id)
        let answer = try await client.get("/app?token=\(text)")
        #expect(answer.status == 303)
        #expect(answer.header("Location") == "/app")
        #expect(!answer.text.contains(id))
        let browser = WebClient(client: client)
        let page = try await browser.get("/app")
        #expect(page.address == "/app/main/teams")
        #expect(try await browser.press("Ferrari", on: page).address == "/app/main/teams/team/ferrari")
        #expect(try await keeper.get("/sessions/\(id)/route").json["path"] == "/main/teams/team/ferrari")
    }

    /// A browser that was in a session of its own follows the link nevertheless.
    @Test func theTokenReplacesTheSessionOfABrowser() async throws {
        var configuration = ServerConfiguration.make(apiKey: Self.key)
        configuration.clients = .app
        try await withRacing(clock: manualClock.clock, configuration: configuration) { server in
            let keeper = server.client(headers: bearer(Self.key))
            let browser = WebClient(client: server.client())
            #expect(try await browser.get("/app").address == "/app/splash")
            let text = try await token(keeper, for: try await session(keeper))
            #expect(try await browser.get("/app?token=\(text)").address == "/app/main/teams")
            #expect(try await browser.get("/app").address == "/app/main/teams")
        }
    }

    @Test func aStreamEndsWithItsToken() async throws {
        let id = try await session(keeper)
        let client = server.client(headers: bearer(try await token(keeper, for: id, ["seconds": 60])))
        let stream = try await client.follow()
        #expect(await stream.next()?.id == 1)
        manualClock.advance(by: 60)
        _ = try await keeper.post("/sessions/\(id)/events", json: ["event": "navigation.back"])
        #expect(await stream.next() == nil)
    }

    @Test(arguments: [ClientAccess.app, .none]) func aLostSessionIsLeftWithoutItsToken(clients: ClientAccess)
        async throws
    {
        var configuration = ServerConfiguration.make(apiKey: Self.key)
        configuration.clients = clients
        try await withRacing(clock: manualClock.clock, configuration: configuration) { server in
            let keeper = server.client(headers: bearer(Self.key))
            let id = try await session(keeper)
            let browser = WebClient(client: server.client())
            _ = try await browser.get("/app?token=\(try await token(keeper, for: id))")
            #expect(try await keeper.delete("/sessions/\(id)").status == 204)
            let lost = try await browser.get("/app")
            #expect(lost.status == 404)
            #expect(lost.text.contains("Begin anew") == (clients == .app))
            guard clients == .app else { return }
            #expect(try await browser.press("Begin anew", on: lost).address == "/app/splash")
            #expect(try await browser.get("/app").address == "/app/splash")
        }
    }

    /// Images on another site's page do not use up the attempts of its visitors.
    @Test func tokensOfOtherSitesAreNoAttempts() async throws {
        for _ in 0..<12 {
            let answer = try await server.client().get("/app?token=x", headers: ["Sec-Fetch-Site": "cross-site"])
            #expect(answer.status == 401)
        }
        #expect(try await keeper.get("/catalog").status == 200)
    }
}
