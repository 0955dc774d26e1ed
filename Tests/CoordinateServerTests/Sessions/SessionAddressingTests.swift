import CoordinateSessions
import CoordinateTesting
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The ways to name a request's session.
struct SessionAddressingTests {
    @Test(
        arguments: [
            ("", "localhost", "session", "coordinate-login"), ("", "[::1]", "session", "coordinate-login"),
            ("", "[::1]:81", "session-81", "coordinate-login-81"), ("shop", "localhost", "shop", "shop-login"),
            ("shop", "localhost:8080", "shop-8080", "shop-login-8080"),
        ])
    func cookiesHaveThePortThatTheRequestNames(name: String, host: String, cookie: String, login: String) async throws {
        var configuration = ServerConfiguration.make(apiKey: "swordfish")
        configuration.cookieName = name
        try await withRacing(configuration: configuration) { server in
            let answer = try await server.client().post("/login", json: ["key": "swordfish"], headers: ["Host": host])
            let pair = try #require(answer.header("Set-Cookie")?.prefix { $0 != ";" })
            #expect(pair.hasPrefix("\(login)="))
            let headers = ["Host": host, "Cookie": String(pair)]
            let route = try await server.client().get("/route", headers: headers)
            let id = try #require(route.header("Session"))
            #expect(route.header("Set-Cookie")?.hasPrefix("\(cookie)=\(id);") == true)
            let elsewhere = ["Host": "localhost:9", "Cookie": String(pair)]
            #expect(try await server.client().get("/route", headers: elsewhere).status == 401)
            let others = cookie == "session" ? "" : "session=AAAAAAAAAAAAAAAAAAAAAA; "
            let cookies = "\(pair); \(others)session-9=BBBBBBBBBBBBBBBBBBBBBA; \(cookie)=\(id)"
            let again = try await server.client().get("/route", headers: ["Host": host, "Cookie": cookies])
            #expect(try again.json["session"]?.string == id)
        }
    }

    @Test(arguments: ["a b", "a;b", "ü", "a=b", String(repeating: "a", count: 65)])
    func aCookieNameHasToBeOne(name: String) throws {
        var configuration = ServerConfiguration.make()
        configuration.cookieName = name
        #expect(throws: ServerError.self) {
            try Server(app: RacingApp.make(), configuration: configuration)
        }
    }

    @Test(.racing, arguments: [("GET", "/route"), ("GET", "/events"), ("POST", "/events")])
    func aRequestWithoutASessionCreatesOne(method: String, path: String) async throws {
        let body = method == "POST" ? Array(#"{"event": "splash.didFinish"}"#.utf8) : nil
        let answer = try await client.request(
            method, path, headers: body == nil ? [:] : ["Content-Type": "application/json"], body: body)
        #expect(answer.status == 200)
        let id = try #require(answer.header("Session"))
        #expect(answer.header("Set-Cookie") == "session=\(id); Path=/; HttpOnly; SameSite=Strict")
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(SessionID(id) != nil)
        #expect(try await client.metric("coordinate_sessions") == 1)

        let next = try await client.get("/route")
        #expect(next.header("Set-Cookie") == nil)
        #expect(next.header("Session") == nil)
        #expect(next.header("Cache-Control") == "private, no-cache")
        #expect(try next.json["session"]?.string == id)
        #expect(try await client.metric("coordinate_sessions") == 1)
    }

    @Test(.racing) func thePathOverridesTheHeaderAndTheCookie() async throws {
        let ids = try await [client.newSession(), client.newSession(), client.newSession()]
        let (path, header, cookie) = (ids[0], ids[1], ids[2])
        let names = ["Session": header, "Cookie": "session=\(path)"]
        let same = ["Session": header, "Cookie": "session=\(header)"]
        #expect(try await client.get("/sessions/\(path)/route", headers: names).json["session"]?.string == path)
        #expect(try await client.get("/route", headers: same).json["session"]?.string == header)
        #expect(
            try await client.get("/route", headers: ["Cookie": "other=1; session=\(cookie)"]).json["session"]?
                .string == cookie)
        #expect(try await client.metric("coordinate_sessions") == 3)

        let event: JSON = ["event": "splash.didFinish"]
        #expect(try await client.post("/sessions/\(path)/events", json: event, headers: names).status == 200)
        #expect(try await client.versions(of: ids) == [1, 0, 0])
        #expect(try await client.post("/events", json: event, headers: same).status == 200)
        #expect(try await client.versions(of: ids) == [1, 1, 0])
        #expect(
            try await client.post("/events", json: event, headers: ["Cookie": "session=\(cookie)"]).status == 200)
        #expect(try await client.versions(of: ids) == [1, 1, 1])
    }

    @Test(
        .racing,
        arguments: [
            "AAAAAAAAAAAAAAAAAAAAAA", "x", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAAAA",
            "AAAAAAAAAAAAAAAAAAAA+A",
            "AAAAAAAAAAAAAAAAAAAA%2F", "..",
        ])
    func anUnknownIDIsNotFoundAndNeverReplaced(id: String) async throws {
        let event: JSON = ["event": "splash.didFinish"]
        for answer in try await [
            client.get("/route", headers: ["Session": id]), client.get("/events", headers: ["Session": id]),
            client.post("/events", json: event, headers: ["Session": id]),
        ] {
            #expect(answer.isProblem("session-not-found", 404))
            #expect(answer.header("Set-Cookie") == nil)
            #expect(answer.header("Session") == nil)
        }
        for path in ["", "/route", "/events", "/changes?from=0&to=0"] where !id.contains(".") {
            let answer = try await client.get("/sessions/\(id)\(path)")
            #expect(answer.isProblem("session-not-found", 404))
        }
        #expect(try await client.metric("coordinate_sessions") == 0)
    }

    @Test(.racing) func aNewSessionHasItsOwnAddress() async throws {
        for body in [nil, "{}"] {
            let answer = try await client.request(
                "POST", "/sessions", headers: body == nil ? [:] : ["Content-Type": "application/json"],
                body: Array((body ?? "").utf8))
            #expect(answer.status == 201)
            let session = try answer.decode(Document.Session.self)
            #expect(answer.header("Location") == "/sessions/\(session.id)")
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(session.version == 0)
            #expect(session.path == "/splash")
            #expect(try await client.get(session.links.session).decode(Document.Session.self).id == session.id)
            #expect(try await client.get(session.links.route).json["session"]?.string == session.id)
            #expect(try await client.get(session.links.events).decode(Document.Journal.self).events.isEmpty)
        }
    }
}

extension SessionClient {
    /// Creates a session without joining it.
    func newSession() async throws -> String { try await post("/sessions").decode(Document.Session.self).id }

    func versions(of sessions: [String]) async throws -> [Int] {
        var versions: [Int] = []
        for id in sessions { versions.append(try await get("/sessions/\(id)").decode(Document.Session.self).version) }
        return versions
    }
}
