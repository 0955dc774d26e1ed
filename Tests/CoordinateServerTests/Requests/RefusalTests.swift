import CoordinateTesting
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The errors of the API: their form, and that a refused request changes nothing.
struct RefusalTests {
    /// A request that is refused, and its refusal.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var method = "POST"
        var path = "/events"
        var headers = ["Content-Type": "application/json"]
        var body: String?
        let status: Int
        let type: String
        var fields: [String: JSON] = [:]
        var detail = ""
        var header: [String: String] = [:]

        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "JSON that ends too early", body: "{\n  \"event\": ", status: 400, type: "malformed-json",
            fields: ["line": 2, "column": 12], detail: "line 2, column 12"),
        Case(
            name: "a body that is not JSON", body: "event=splash", status: 400, type: "malformed-json",
            fields: ["line": 1, "column": 1], detail: "line 1, column 1"),
        Case(name: "an empty body", body: "", status: 400, type: "malformed-json", detail: "line 1, column 1"),
        Case(name: "an array", body: "[]", status: 400, type: "malformed-request", detail: "object"),
        Case(
            name: "no event", body: "{}", status: 400, type: "malformed-request", fields: ["pointer": "/event"],
            detail: "\"event\""),
        Case(
            name: "an event that is a number", body: #"{"event": 1}"#, status: 400, type: "malformed-request",
            fields: ["pointer": "/event"]),
        Case(
            name: "an id that is a number", body: #"{"event": "navigation.back", "at": 1}"#, status: 400,
            type: "malformed-request", fields: ["pointer": "/at"]),
        Case(
            name: "a form", headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: #"{"event": "splash.didFinish"}"#, status: 415, type: "unsupported-media-type",
            detail: "curl, use --json"),
        Case(
            name: "JSON in another character set", headers: ["Content-Type": "application/json; charset=latin1"],
            body: #"{"event": "splash.didFinish"}"#, status: 415, type: "unsupported-media-type"),
        Case(
            name: "something that only begins like JSON", headers: ["Content-Type": "application/jsonp"],
            body: #"{"event": "splash.didFinish"}"#, status: 415, type: "unsupported-media-type"),
        Case(
            name: "a misspelt event", body: #"{"event": "teams.didSelct"}"#, status: 422, type: "unknown-event",
            fields: ["known": .array(events), "didYouMean": "teams.didSelect"], detail: "teams.didSelect"),
        Case(
            name: "an event that resembles no other", body: #"{"event": "quux"}"#, status: 422, type: "unknown-event",
            fields: ["known": .array(events), "didYouMean": .null], detail: "/catalog"),
        Case(
            name: "a missing payload", body: #"{"event": "teams.didSelect"}"#, status: 422,
            type: "invalid-payload", fields: ["pointer": "/payload/team"], detail: "missing"),
        Case(
            name: "a field of the wrong type", body: #"{"event": "teams.didSelect", "payload": {"team": 1}}"#,
            status: 422, type: "invalid-payload", fields: ["pointer": "/payload/team"], detail: "string"),
        Case(
            name: "an unknown team", body: #"{"event": "teams.didSelect", "payload": {"team": "lotus"}}"#, status: 422,
            type: "invalid-payload", fields: ["pointer": "/payload/team"], detail: "team"),
        Case(
            name: "an unknown driver", body: #"{"event": "drivers.setFavorite", "payload": {"driver": "senna"}}"#,
            status: 422, type: "invalid-payload", fields: ["pointer": "/payload/driver"]),
        Case(
            name: "an event that only the app may emit",
            body: #"{"event": "results.didFail", "payload": {"reason": "rain"}}"#, status: 422,
            type: "event-not-allowed", fields: ["pointer": "/event", "didYouMean": .null]),
        Case(
            name: "a payload that is an array", body: #"{"event": "teams.didSelect", "payload": []}"#, status: 422,
            type: "invalid-payload", fields: ["pointer": "/payload"]),
        Case(
            name: "an unknown coordinator", body: #"{"event": "navigation.back", "at": "Unknown"}"#, status: 422,
            type: "unknown-coordinator", fields: ["pointer": "/at"], detail: "\"at\""),
        Case(
            name: "an unknown path", method: "GET", path: "/nowhere", status: 404, type: "not-found", detail: "/catalog"
        ),
        Case(name: "a path below a known one", method: "GET", path: "/route/more", status: 404, type: "not-found"),
        Case(name: "a path with a slash too many", method: "GET", path: "/route/", status: 404, type: "not-found"),
        Case(
            name: "another method on /events", method: "DELETE", status: 405, type: "method-not-allowed",
            header: ["Allow": "POST, GET, HEAD"]),
        Case(
            name: "another method on /catalog", method: "POST", path: "/catalog", body: "{}", status: 405,
            type: "method-not-allowed", header: ["Allow": "GET, HEAD"]),
        Case(
            name: "another method on /sessions", method: "DELETE", path: "/sessions", status: 405,
            type: "method-not-allowed", header: ["Allow": "GET, HEAD, POST"]),
        Case(
            name: "another method on a session", method: "PUT", path: "/sessions/x", body: "{}", status: 405,
            type: "method-not-allowed", header: ["Allow": "GET, HEAD, PATCH, DELETE"]),
        Case(
            name: "a limit of zero", method: "GET", path: "/events?limit=0", status: 400, type: "malformed-request",
            detail: "1 to 1000"),
        Case(
            name: "a limit above the maximum", method: "GET", path: "/events?limit=1001", status: 400,
            type: "malformed-request", detail: "1 to 1000"),
        Case(
            name: "a limit in words", method: "GET", path: "/events?limit=ten", status: 400, type: "malformed-request"),
        Case(
            name: "a negative version", method: "GET", path: "/events?after=-1", status: 400,
            type: "malformed-request", detail: "0 or more"),
        Case(
            name: "a version that is too large", method: "GET", path: "/events?after=99999999999999999999", status: 400,
            type: "malformed-request"),
        Case(
            name: "a list with a limit of zero", method: "GET", path: "/sessions?limit=0", status: 400,
            type: "malformed-request", detail: "1 to 1000"),
        Case(
            name: "a list with too high a limit", method: "GET", path: "/sessions?limit=1001", status: 400,
            type: "malformed-request", detail: "1 to 1000"),
        Case(
            name: "a list after an empty cursor", method: "GET", path: "/sessions?after=", status: 400,
            type: "malformed-request", detail: "\"next\""),
        Case(
            name: "a list after a session's id", method: "GET", path: "/sessions?after=AAAAAAAAAAAAAAAAAAAAAA",
            status: 400,
            type: "malformed-request", detail: "\"next\""),
        Case(
            name: "a list of sessions in an unknown state", method: "GET", path: "/sessions?state=dead",
            status: 400, type: "malformed-request", detail: "live, passive, quarantined"),
        Case(
            name: "a list of sessions at a malformed path", method: "GET", path: "/sessions?path=main", status: 400,
            type: "malformed-request", detail: "/main"),
        Case(
            name: "a state that is sent twice", method: "GET", path: "/sessions?state=live&state=passive", status: 400,
            type: "malformed-request", detail: "\"state\" once"),
        Case(
            name: "a limit that is sent twice", method: "GET", path: "/events?limit=1&limit=2", status: 400,
            type: "malformed-request", detail: "\"limit\" once"),
        Case(
            name: "a version that is sent twice", method: "GET", path: "/route?version=1&version=1", status: 400,
            type: "malformed-request", detail: "\"version\" once"),
        Case(
            name: "a new session with an unknown field", path: "/sessions", body: #"{"name": "x"}"#, status: 422,
            type: "unknown-field", fields: ["pointer": "/name", "didYouMean": .null], detail: "\"name\""),
        Case(
            name: "a new session with a misspelt field", path: "/sessions", body: #"{"option": {}}"#, status: 422,
            type: "unknown-field", fields: ["pointer": "/option", "didYouMean": "options"], detail: "options"),
        Case(
            name: "a new session whose work is withheld", path: "/sessions?work=withheld", body: "{}", status: 400,
            type: "malformed-request", detail: "imported journals"),
        Case(
            name: "a new session with other work", path: "/sessions?work=later", body: "{}", status: 400,
            type: "malformed-request", detail: "\"withheld\""),
        Case(
            name: "an import with other work", path: "/sessions?work=later",
            headers: ["Content-Type": "application/x-ndjson"], body: "{}", status: 400, type: "malformed-request",
            detail: "\"withheld\""),
        Case(
            name: "an import with work twice", path: "/sessions?work=withheld&work=withheld",
            headers: ["Content-Type": "application/x-ndjson"], body: "{}", status: 400, type: "malformed-request",
            detail: "\"work\" once"),
        Case(
            name: "an outcome without withheld work",
            body: #"{"event": "results.didFail", "payload": {"reason": "No."}, "pending": "1-1"}"#, status: 422,
            type: "unknown-field", fields: ["pointer": "/pending", "didYouMean": .null], detail: "not withheld"),
        Case(
            name: "an outcome with a numeric id", body: #"{"event": "navigation.back", "pending": 1}"#, status: 400,
            type: "malformed-request", fields: ["pointer": "/pending"]),
        Case(
            name: "an event with a misspelt field", body: #"{"event": "navigation.back", "paylaod": {}}"#, status: 422,
            type: "unknown-field", fields: ["pointer": "/paylaod", "didYouMean": "payload"]),
        Case(
            name: "an event with odd letters in a field", body: #"{"event": "navigation.back", "a/b~c": 1}"#,
            status: 422, type: "unknown-field", fields: ["pointer": "/a~1b~0c", "didYouMean": .null]),
        Case(
            name: "a payload with a misspelt field",
            body: #"{"event": "teams.didSelect", "payload": {"taem": "ferrari"}}"#,
            status: 422, type: "unknown-field", fields: ["pointer": "/payload/taem", "didYouMean": "team"]),
        Case(
            name: "a payload with an extra field",
            body: #"{"event": "teams.didSelect", "payload": {"team": "ferrari", "colour": "red"}}"#,
            status: 422, type: "unknown-field", fields: ["pointer": "/payload/colour", "didYouMean": .null],
            detail: "/catalog"),
        Case(
            name: "a deep link with an extra field", method: "PUT", path: "/route",
            body: #"{"path": "/main/profile", "pth": "/splash"}"#, status: 422, type: "unknown-field",
            fields: ["pointer": "/pth", "didYouMean": "path"]),
        Case(
            name: "a deep link to nowhere", method: "PUT", path: "/route", body: #"{"path": "/main/nowhere"}"#,
            status: 422, type: "unknown-path", fields: ["known": .array(paths)]),
        Case(
            name: "a deep link to an unknown team", method: "PUT", path: "/route",
            body: #"{"path": "/main/teams/team/lotus"}"#, status: 422, type: "unknown-path"),
        Case(
            name: "a deep link with a slash at the end", method: "PUT", path: "/route",
            body: #"{"path": "/main/teams/"}"#, status: 422, type: "unknown-path"),
        Case(
            name: "a deep link as an event, to nowhere",
            body: #"{"event": "navigation.open", "payload": {"path": "main/teams"}}"#, status: 422,
            type: "unknown-path", fields: ["known": .array(paths)]),
        Case(
            name: "a deep link without a path", method: "PUT", path: "/route", body: "{}", status: 400,
            type: "malformed-request", fields: ["pointer": "/path"]),
        Case(
            name: "a new session at a path that leads nowhere", path: "/sessions", body: #"{"path": "/main"}"#,
            status: 422, type: "unknown-path", fields: ["known": .array(paths)]),
        Case(
            name: "a misspelt option", path: "/sessions", body: #"{"options": {"liveResult": true}}"#, status: 422,
            type: "invalid-options", fields: ["pointer": "/options/liveResult", "didYouMean": "liveResults"],
            detail: "/catalog"),
        Case(
            name: "an option of the wrong type", path: "/sessions", body: #"{"options": {"liveResults": "yes"}}"#,
            status: 422, type: "invalid-options", fields: ["pointer": "/options/liveResults", "didYouMean": .null],
            detail: "true or false"),
        Case(
            name: "options that are a list", path: "/sessions", body: #"{"options": []}"#, status: 422,
            type: "invalid-options", fields: ["pointer": "/options"], detail: "object"),
        Case(
            name: "an unknown value of until", method: "GET", path: "/route?until=tomorrow", status: 400,
            type: "malformed-request", detail: "\"settled\""),
        Case(
            name: "until together with a version", method: "GET", path: "/route?until=settled&version=0", status: 400,
            type: "malformed-request", detail: "\"version\""),
        Case(
            name: "a name that is too long",
            body: #"{"event": "profile.rename", "payload": {"name": "\#(String(repeating: "x", count: 81))"}}"#,
            status: 422, type: "invalid-payload", fields: ["pointer": "/payload/name"], detail: "80"),
        Case(
            name: "an event of another site's page",
            headers: ["Content-Type": "application/json", "Origin": "https://evil.example"],
            body: #"{"event": "navigation.back"}"#, status: 403, type: "cross-origin", detail: "https://evil.example"),
        Case(
            name: "a new session from a form", path: "/sessions", headers: ["Content-Type": "text/plain"],
            body: #"{}"#, status: 415, type: "unsupported-media-type"),
    ]

    private static let paths: [JSON] = [
        "/splash", "/main/teams", "/main/teams/team/{team}", "/main/teams/driver/{driver}",
        "/main/teams/compare/{driver}", "/main/teams/compare/{driver}/{driver}", "/main/drivers",
        "/main/drivers/team/{team}", "/main/drivers/driver/{driver}", "/main/drivers/compare/{driver}",
        "/main/drivers/compare/{driver}/{driver}", "/main/profile", "/main/profile/edit",
    ]

    private static let events: [JSON] = [
        "splash.didFinish", "teams.didSelect", "teams.setFavorite", "teams.unsetFavorite", "drivers.didSelect",
        "drivers.setFavorite", "drivers.unsetFavorite", "comparison.start", "comparison.choose", "comparison.finish",
        "profile.edit", "profile.rename", "results.didLoad", "results.didFail", "results.reload", "navigation.back",
        "navigation.popToRoot", "navigation.selectTab",
        "navigation.dismiss", "navigation.open", "navigation.choose",
    ]

    @Test(arguments: cases)
    func refusalsGiveAdviceAndChangeNothing(refused: Case) async throws {
        try await withRacing { server in
            let client = server.client()
            try await client.start()
            let before = try await client.get("/route").text
            let problems = try await client.metric("coordinate_problems_total")

            let headers = refused.body == nil ? [:] : refused.headers
            let answer = try await client.request(
                refused.method, refused.path, headers: headers, body: refused.body.map { Array($0.utf8) })
            #expect(answer.status == refused.status)
            #expect(answer.header("Content-Type") == "application/problem+json")
            #expect(answer.header("Set-Cookie") == nil)
            for (name, value) in refused.header { #expect(answer.header(name) == value) }
            let problem = try answer.problem
            #expect(problem.type == "/problems/\(refused.type)")
            #expect(problem.status == refused.status)
            #expect(!problem.title.isEmpty)
            #expect(problem.detail.contains(refused.detail), "\(problem.detail)")
            for (name, value) in refused.fields { #expect(try answer.json[name] == value) }

            #expect(try await client.get("/route").text == before)
            #expect(try await client.session().version == 1)
            #expect(try await client.journal().events.map(\.event) == ["splash.didFinish"])
            #expect(try await client.metric("coordinate_events_total") == 1)
            #expect(try await client.metric("coordinate_sessions") == 1)
            #expect(try await client.metric("coordinate_problems_total") == problems + 1)
        }
    }

    /// Requests that only a malicious client would send.
    static let malformed = [
        (
            "POST /events HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411,
            "length-required"
        ),
        (
            "POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: gzip\r\n\r\nabc", 411,
            "length-required"
        ),
        (
            "POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 65537\r\n\r\n",
            413,
            "body-too-large"
        ),
        ("GET /route HTTP/1.1\r\n\r\n", 400, "malformed-request"),
        ("GET /route HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n\r\n", 400, "malformed-request"),
        ("GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "malformed-request"),
        (
            "POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400,
            "malformed-request"
        ),
        (
            "POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nExpect: magic\r\n\r\na", 417,
            "expectation-failed"
        ),
    ]

    @Test(arguments: malformed)
    func ambiguousRequestsAreRefused(request: String, status: Int, type: String) async throws {
        try await withRacing { server in
            let answer = try RawClient.answer(of: server.url, to: request)
            #expect(answer.status == status)
            #expect(answer.head.contains("Content-Type: application/problem+json\r\n"))
            #expect(answer.head.contains("Connection: close\r\n"))
            #expect(answer.body.contains("\"type\":\"/problems/\(type)\""))
            #expect(answer.body.contains("\"status\":\(status)"))
            #expect(try await server.client().metric("coordinate_sessions") == 0)
        }
    }

    /// Requests that libmicrohttpd itself refuses.
    private static let unreadable = [
        "GET /route\r\n\r\n",
        "GET /route HTTP/1.1\r\nno colon\r\n\r\n",
        "GET /route HTTP/2.0\r\n\r\n",
        "GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Length: one\r\n\r\na",
        "POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(String(repeating: "9", count: 30))\r\n\r\n",
        "GET /route?\(String(repeating: "a=b&", count: 3_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /route HTTP/1.1\r\nHost: localhost\r\nCookie: \(String(repeating: "a=b; ", count: 500))\r\n\r\n",
        "GET /route HTTP/1.1\r\nHost: localhost\r\nA: \(String(repeating: "b", count: 20_000))\r\n\r\n",
    ]

    @Test(arguments: unreadable)
    func unreadableRequestsAreRefusedAndNotExecuted(request: String) async throws {
        try await withRacing { server in
            let answer = try? RawClient.answer(of: server.url, to: request)
            #expect(answer.map { (400..<500).contains($0.status) || $0.status == 505 } ?? true)
            let sessions = try await server.client().metric("coordinate_sessions")
            #expect(sessions == 0)
        }
    }

    @Test func aBodyOfExactlyTheLimitIsRead() async throws {
        try await withRacing { server in
            let client = server.client()
            let event = #"{"event": "splash.didFinish"}"#
            let answer = try await client.request(
                "POST", "/events", headers: ["Content-Type": "application/json"],
                body: Array((event + String(repeating: " ", count: 65_536 - event.utf8.count)).utf8))
            #expect(answer.status == 200)
        }
    }

    @Test func pointersEscapeFieldNames() async throws {
        try await withApp(TestApp()) { server in
            let answer = try await server.client().post(
                "/events", json: ["event": "test.say", "payload": ["a/b~c": 1]])
            #expect(answer.status == 422)
            #expect(try answer.json["pointer"] == "/payload/a~1b~0c")
        }
    }

    @Test(arguments: [
        ("test.push", #"{"number": 1.5}"#), ("test.push", #"{"number": "1"}"#), ("test.push", #"{"number": 1e-2}"#),
        ("test.push", #"{"number": 9007199254740993.0}"#), ("test.push", #"{"number": 1e300}"#),
        ("test.push", #"{"number": 9223372036854775808}"#), ("test.scale", #"{"factor": "2"}"#),
        ("test.toggle", #"{"isOn": 1}"#), ("test.toggle", #"{"isOn": null}"#),
    ])
    func aValueOfTheWrongTypeIsRefused(event: String, payload: String) async throws {
        try await withApp(TestApp()) { server in
            let body = #"{"event": "\#(event)", "payload": \#(payload)}"#
            let answer = try await server.client().request(
                "POST", "/events", headers: ["Content-Type": "application/json"], body: Array(body.utf8))
            #expect(answer.status == 422)
            #expect(try answer.problem.type == "/problems/invalid-payload")
        }
    }

    @Test(arguments: [
        ("test.push", "number", "3.0", "3"), ("test.push", "number", "1e2", "100"),
        ("test.push", "number", "-0.0", "-0.0"),
        ("test.push", "number", "-9007199254740991.0", "-9007199254740991"), ("test.scale", "factor", "3", "3"),
        ("test.scale", "factor", "3.0", "3"), ("test.scale", "factor", "-0.0", "-0.0"),
    ])
    func aNumberMayBeWrittenInManyWays(event: String, field: String, number: String, kept: String) async throws {
        try await withApp(TestApp()) { server in
            let body = #"{"event": "\#(event)", "payload": {"\#(field)": \#(number)}}"#
            let client = server.client()
            let answer = try await client.request(
                "POST", "/events", headers: ["Content-Type": "application/json"], body: Array(body.utf8))
            #expect(answer.status == 200)
            let journal = try await client.get("/events", headers: ["Accept": "application/x-ndjson"])
            #expect(journal.text.contains(#""payload":{"\#(field)":\#(kept)}"#), "\(journal.text)")
            #expect(try await server.client(replaying: journal.body).route().path == client.route().path)
        }
    }
}
