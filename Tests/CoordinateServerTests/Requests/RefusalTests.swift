import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The errors of the API: their form, and that a refused request changes nothing.
struct RefusalTests {
    /// A request that is refused, and its refusal.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let method: String
        let path: String
        let headers: [String: String]
        let body: String?
        let status: Int
        let type: String
        let fields: [String: JSON]
        let detail: String

        /// - Parameters:
        ///   - request: The method and the path.
        ///   - pointer: The pointer in the problem, if that is its only field of its own.
        ///   - detail: A part of the problem's detail.
        init(
            _ name: String, _ request: String, body: String? = nil,
            headers: [String: String] = ["Content-Type": "application/json"], _ status: Int, _ type: String,
            at pointer: JSON? = nil, fields: [String: JSON] = [:], detail: String = ""
        ) {
            let words = request.split(separator: " ")
            testDescription = name
            method = String(words[0])
            path = String(words[1])
            self.headers = headers
            self.body = body
            self.status = status
            self.type = type
            self.fields = pointer.map { ["pointer": $0] } ?? fields
            self.detail = detail
        }
    }

    static let cases = [
        Case(
            "JSON that ends too early", "POST /events", body: "{\n  \"event\": ", 400, "malformed-json",
            fields: ["line": 2, "column": 12], detail: "line 2, column 12"),
        Case("an empty body", "POST /events", body: "", 400, "malformed-json", detail: "line 1, column 1"),
        Case("an array", "POST /events", body: "[]", 400, "malformed-request", detail: "object"),
        Case("no event", "POST /events", body: "{}", 400, "malformed-request", at: "/event", detail: "\"event\""),
        Case(
            "an event that is a number", "POST /events", body: #"{"event": 1}"#, 400, "malformed-request", at: "/event"),
        Case(
            "an id that is a number", "POST /events", body: #"{"event": "navigation.back", "at": 1}"#, 400,
            "malformed-request", at: "/at"),
        Case(
            "a form", "POST /events", body: #"{"event": "splash.didFinish"}"#,
            headers: ["Content-Type": "application/x-www-form-urlencoded"], 415, "unsupported-media-type",
            detail: "curl, use --json"),
        Case(
            "a text that is slow to compare", "POST /events",
            body: #"{"event": "\#(String(repeating: "\u{301}", count: 300))"}"#, 400, "malformed-json",
            detail: "combining marks"),
        Case(
            "compressed JSON", "POST /events", body: #"{"event": "splash.didFinish"}"#,
            headers: ["Content-Type": "application/json", "Content-Encoding": "gzip"], 415, "unsupported-media-type",
            detail: "Content-Encoding"),
        Case(
            "a misspelt event", "POST /events", body: #"{"event": "teams.didSelct"}"#, 422, "unknown-event",
            fields: ["known": .array(events), "didYouMean": "teams.didSelect"], detail: "teams.didSelect"),
        Case(
            "an event that resembles no other", "POST /events", body: #"{"event": "quux"}"#, 422, "unknown-event",
            fields: ["known": .array(events), "didYouMean": .null], detail: "/catalog"),
        Case(
            "a missing payload", "POST /events", body: #"{"event": "teams.didSelect"}"#, 422, "invalid-payload",
            at: "/payload/team", detail: "missing"),
        Case(
            "a field of the wrong type", "POST /events", body: #"{"event": "teams.didSelect", "payload": {"team": 1}}"#,
            422,
            "invalid-payload", at: "/payload/team", detail: "string"),
        Case(
            "an unknown team", "POST /events", body: #"{"event": "teams.didSelect", "payload": {"team": "lotus"}}"#,
            422,
            "invalid-payload", at: "/payload/team", detail: "team"),
        Case(
            "an event that only the app may emit", "POST /events",
            body: #"{"event": "results.didFail", "payload": {"reason": "rain"}}"#, 422, "event-not-allowed",
            fields: ["pointer": "/event", "didYouMean": .null]),
        Case(
            "a payload that is an array", "POST /events", body: #"{"event": "teams.didSelect", "payload": []}"#, 422,
            "invalid-payload", at: "/payload"),
        Case("an unknown path", "GET /nowhere", 404, "not-found", detail: "/catalog"),
        Case("a path below a known one", "GET /route/more", 404, "not-found"),
        Case("a path with a slash too many", "GET /route/", 404, "not-found"),
        Case("a limit above the maximum", "GET /events?limit=1001", 400, "malformed-request", detail: "1 to 1000"),
        Case("a negative version", "GET /events?after=-1", 400, "malformed-request", detail: "0 or more"),
        Case(
            "a list after a session's id", "GET /sessions?after=AAAAAAAAAAAAAAAAAAAAAA", 400, "malformed-request",
            detail: "\"next\""),
        Case(
            "a list of sessions in an unknown state", "GET /sessions?state=dead", 400, "malformed-request",
            detail: "live, passive, quarantined"),
        Case(
            "a list of sessions at a malformed path", "GET /sessions?path=main", 400, "malformed-request",
            detail: "/main"),
        Case(
            "a new session with an unknown field", "POST /sessions", body: #"{"name": "x"}"#, 422, "unknown-field",
            fields: ["pointer": "/name", "didYouMean": .null], detail: "\"name\""),
        Case(
            "a new session with a misspelt field", "POST /sessions", body: #"{"option": {}}"#, 422, "unknown-field",
            fields: ["pointer": "/option", "didYouMean": "options"], detail: "options"),
        Case(
            "a new session whose work is withheld", "POST /sessions?work=withheld", body: "{}", 400,
            "malformed-request", detail: "imported journals"),
        Case(
            "a new session with other work", "POST /sessions?work=later", body: "{}", 400, "malformed-request",
            detail: "\"withheld\""),
        Case(
            "an outcome without withheld work", "POST /events",
            body: #"{"event": "results.didFail", "payload": {"reason": "No."}, "pending": "1-1"}"#, 422,
            "unknown-field", fields: ["pointer": "/pending", "didYouMean": .null], detail: "not withheld"),
        Case(
            "an outcome with a numeric id", "POST /events", body: #"{"event": "navigation.back", "pending": 1}"#, 400,
            "malformed-request", at: "/pending"),
        Case(
            "an event with a misspelt field", "POST /events", body: #"{"event": "navigation.back", "paylaod": {}}"#,
            422,
            "unknown-field", fields: ["pointer": "/paylaod", "didYouMean": "payload"]),
        Case(
            "a payload with an extra field", "POST /events",
            body: #"{"event": "teams.didSelect", "payload": {"team": "ferrari", "colour": "red"}}"#, 422,
            "unknown-field", fields: ["pointer": "/payload/colour", "didYouMean": .null], detail: "/catalog"),
        Case(
            "a deep link to nowhere", "PUT /route", body: #"{"path": "/main/nowhere"}"#, 422, "unknown-path",
            detail: "no such path"),
        Case("a deep link without a path", "PUT /route", body: "{}", 400, "malformed-request", at: "/path"),
        Case(
            "a misspelt option", "POST /sessions", body: #"{"options": {"liveResult": true}}"#, 422, "invalid-options",
            fields: ["pointer": "/options/liveResult", "didYouMean": "liveResults"], detail: "/catalog"),
        Case("an unknown value of until", "GET /route?until=tomorrow", 400, "malformed-request", detail: "\"settled\""),
        Case(
            "until together with a version", "GET /route?until=settled&version=0", 400, "malformed-request",
            detail: "\"version\""),
        Case(
            "a name that is too long", "POST /events",
            body: #"{"event": "profile.rename", "payload": {"name": "\#(String(repeating: "x", count: 81))"}}"#, 422,
            "invalid-payload", at: "/payload/name", detail: "80"),
        Case(
            "an event of another site's page", "POST /events", body: #"{"event": "navigation.back"}"#,
            headers: ["Content-Type": "application/json", "Origin": "https://evil.example"], 403, "cross-origin",
            detail: "https://evil.example"),
    ]

    private static let events: [JSON] = [
        "splash.didFinish", "teams.didSelect", "teams.setFavorite", "teams.unsetFavorite", "drivers.didSelect",
        "drivers.setFavorite", "drivers.unsetFavorite", "comparison.start", "comparison.choose", "comparison.finish",
        "profile.edit", "profile.rename", "results.didLoad", "results.didFail", "results.reload", "navigation.back",
        "navigation.popToRoot", "navigation.selectTab",
        "navigation.dismiss", "navigation.open", "navigation.choose",
    ]

    @Test(.racing, arguments: cases) func refusalsGiveAdviceAndChangeNothing(refused: Case) async throws {
        try await client.start()
        let before = try await client.get("/route").text
        let problems = try await client.metric("coordinate_problems_total")

        let headers = refused.body == nil ? [:] : refused.headers
        let answer = try await client.request(
            refused.method, refused.path, headers: headers, body: refused.body.map { Array($0.utf8) })
        #expect(answer.status == refused.status)
        #expect(answer.header("Content-Type") == "application/problem+json")
        #expect(answer.header("Set-Cookie") == nil)
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

    @Test(.racing) func aBodyOfExactlyTheLimitIsRead() async throws {
        let event = #"{"event": "splash.didFinish"}"#
        let answer = try await client.request(
            "POST", "/events", headers: ["Content-Type": "application/json"],
            body: Array((event + String(repeating: " ", count: 65_536 - event.utf8.count)).utf8))
        #expect(answer.status == 200)
    }

    @Test(
        .serving(TestApp()),
        arguments: [
            ("test.push", #"{"number": 1.5}"#), ("test.push", #"{"number": "1"}"#), ("test.push", #"{"number": 1e-2}"#),
            ("test.push", #"{"number": 9007199254740993.0}"#), ("test.push", #"{"number": 1e300}"#),
            ("test.push", #"{"number": 9223372036854775808}"#), ("test.scale", #"{"factor": "2"}"#),
            ("test.toggle", #"{"isOn": 1}"#), ("test.toggle", #"{"isOn": null}"#),
        ])
    func aValueOfTheWrongTypeIsRefused(event: String, payload: String) async throws {
        let body = #"{"event": "\#(event)", "payload": \#(payload)}"#
        let answer = try await server.client().request(
            "POST", "/events", headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        #expect(answer.isProblem("invalid-payload", 422))
    }

    @Test(
        .serving(TestApp()),
        arguments: [
            ("test.push", "number", "3.0", "3"), ("test.push", "number", "1e2", "100"),
            ("test.push", "number", "-0.0", "-0.0"),
            ("test.push", "number", "-9007199254740991.0", "-9007199254740991"), ("test.scale", "factor", "3", "3"),
            ("test.scale", "factor", "3.0", "3"), ("test.scale", "factor", "-0.0", "-0.0"),
        ])
    func aNumberMayBeWrittenInManyWays(event: String, field: String, number: String, kept: String) async throws {
        let body = #"{"event": "\#(event)", "payload": {"\#(field)": \#(number)}}"#
        let answer = try await client.request(
            "POST", "/events", headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        #expect(answer.status == 200)
        let journal = try await client.get("/events", headers: ["Accept": "application/x-ndjson"])
        #expect(journal.text.contains(#""payload":{"\#(field)":\#(kept)}"#), "\(journal.text)")
        #expect(try await server.client(replaying: journal.body).route().path == client.route().path)
    }
}
