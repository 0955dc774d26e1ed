import CoordinateTesting
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `If-None-Match` and `If-Match`: conditions that a client sets for a request.
struct ConditionalRequestTests {
    /// Header values, with `{tag}` for the current route's tag, `{old}` for the previous one, `{other}` for the tag of
    /// the same version of another session, and `{zero}` for the current one with a zero before the version; and whether they match by the weak and by the strong comparison.
    static let values: [(values: [String], matchWeakly: Bool, matchStrongly: Bool)] = [
        (["{tag}"], true, true), (["W/{tag}"], true, false), (["*"], true, true), ([" \t{tag} "], true, true),
        (["{old}, {tag}"], true, true), (["{tag},{old}"], true, true), (["{old} , W/{tag}"], true, false),
        ([",, {old},, {tag},"], true, true), (["W/{tag}, {tag}"], true, true), (["\"a,b\", {tag}"], true, true),
        (["{old}", "{tag}"], true, true), (["\"\"", "W/\"x\"", "{tag}"], true, true),
        (["{old}", "*, x"], false, false), (["*x"], false, false), (["* {tag}"], false, false),
        (["{old}"], false, false), (["{other}"], false, false), (["\"\""], false, false), (["W/{other}"], false, false),
        (["{old}, {other}"], false, false), (["garbage"], false, false), (["2"], false, false),
        (["\"{tag}\""], false, false), (["\"{tag}"], false, false), (["{zero}"], false, false),
        (["w/{tag}"], false, false), ([""], false, false),
    ]

    @Test(.racing(over: .socket), arguments: ["GET", "HEAD"])
    func aKnownRouteIsNotSentAgain(method: String) async throws {
        let (client, tags) = try await Self.team(on: server)
        let full = try await client.get("/route")
        for row in Self.values {
            let connection = try RawClient(url: server.url)
            try connection.send(tags.request(method, "\(client.base)/route", "If-None-Match", row.values))
            let answer = try connection.answer(toHead: row.matchWeakly || method == "HEAD")
            #expect(answer.status == (row.matchWeakly ? 304 : 200), "\(row.values)")
            for line in [
                "ETag: \(tags.current)", "Content-Length: \(full.body.count)",
                "Cache-Control: private, no-cache",
            ] {
                #expect(answer.head.contains("\r\n\(line)\r\n"))
            }
            // The next answer follows directly, so there was no body.
            try connection.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let next = try connection.answer()
            #expect(next.head.hasPrefix("HTTP/1.1 200 "))
            #expect(next.body == #"{"status":"ok"}"#)
        }
    }

    @Test(arguments: ["POST", "PUT", "DELETE"])
    func aChangeCanRequireOrExcludeAVersion(method: String) async throws {
        // A header can be sent twice over a socket only.
        try await withRacing(over: .socket) { server in
            var team = try await Self.team(on: server)
            for row in Self.values {
                for (header, isAllowed) in [("If-Match", row.matchStrongly), ("If-None-Match", !row.matchWeakly)] {
                    try await expect(team, at: server, header, row.values, method, isAllowed: isAllowed)
                    // What is refused changes nothing.
                    if isAllowed { team = try await Self.team(on: server) }
                }
            }
        }
    }

    private nonisolated(nonsending) func expect(
        _ team: (client: SessionClient, tags: Tags), at server: TestServer, _ header: String, _ values: [String],
        _ method: String, isAllowed: Bool
    ) async throws {
        let (client, tags) = team
        let before = try await client.get("/route")
        let events = try await client.metric("coordinate_events_total")
        let (path, body) =
            switch method {
            case "POST": ("/events", #"{"event":"navigation.back"}"#)
            case "PUT": ("/route", #"{"path":"/main/drivers"}"#)
            default: ("", "")
            }
        let answer = try RawClient.answer(
            of: server.url, to: tags.request(method, client.base + path, header, values, body: body))
        if isAllowed {
            #expect(answer.status == (method == "DELETE" ? 204 : 200), "\(values)")
            #expect(try await client.get("/route").status == (method == "DELETE" ? 404 : 200))
            if method != "DELETE" { #expect(try await client.session().version == 3) }
        } else {
            #expect(answer.status == 412, "\(values)")
            #expect(answer.head.contains("\r\nContent-Type: application/problem+json\r\n"))
            #expect(answer.body.contains(#""type":"/problems/version-conflict""#))
            #expect(answer.body.contains(#""version":2"#))
            #expect(try await client.get("/route").body == before.body)
            #expect(try await client.journal().events.count == 2)
            #expect(try await client.metric("coordinate_events_total") == events)
        }
    }

    @Test(arguments: [
        (#"{"event": "unknown.event"}"#, 422), (#"{"event": "teams.didSelect"}"#, 422),
        (#"{"event": "navigation.back", "at": "Unknown"}"#, 422), ("{}", 400), ("{", 400),
    ])
    func aFulfilledConditionDoesNotMakeABadRequestValid(body: String, status: Int) async throws {
        try await withTeam { server, client, tags in
            let type = ["Content-Type": "application/json"]
            for (tag, status) in [(tags.current, status), (tags.old, status == 400 ? 400 : 412)] {
                let answer = try await client.request(
                    "POST", "/events", headers: type.merging(["If-Match": tag]) { $1 }, body: Array(body.utf8))
                #expect(answer.status == status)
            }
            #expect(try await client.session().version == 2)
        }
    }

    @Test func noTagMatchesANewSession() async throws {
        try await withTeam { server, client, tags in
            let newcomer = server.client()
            let event: JSON = ["event": "splash.didFinish"]
            let refused = try await newcomer.post("/events", json: event, headers: ["If-Match": tags.current])
            #expect(refused.isProblem("version-conflict", 412))
            #expect(refused.header("Set-Cookie") == nil)
            #expect(try await client.gauges() == [2, 0])
            let answer = try await newcomer.get("/route", headers: ["If-None-Match": "*"])
            #expect(answer.status == 200)
            #expect(!answer.body.isEmpty)
            #expect(newcomer.sessionID != nil)
        }
    }

    // MARK: Fixtures

    private struct Tags {
        let current: String
        let old: String
        let other: String

        func request(
            _ method: String, _ path: String, _ header: String, _ values: [String], body: String = ""
        ) -> String {
            let lines = values.map { value in
                let value = value.replacing("{tag}", with: current).replacing("{old}", with: old)
                    .replacing("{zero}", with: "\"0\(current.dropFirst())")
                return "\(header): \(value.replacing("{other}", with: other))\r\n"
            }
            return "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\(lines.joined())\r\n\(body)"
        }
    }

    /// Creates a session at its second version, beside another one.
    private nonisolated(nonsending) static func team(on server: TestServer) async throws -> (SessionClient, Tags) {
        let client = server.client()
        try await client.start()
        let old = try await client.get("/route").header("ETag")
        let other = try await client.fork(at: 1)
        for client in [client, other] { try await client.emit("teams.didSelect", ["team": "ferrari"]) }
        let current = try await client.get("/route").header("ETag")
        let strange = try await other.get("/route").header("ETag")
        let tags = Tags(current: try #require(current), old: try #require(old), other: try #require(strange))
        return (client, tags)
    }

    private nonisolated(nonsending) func withTeam(
        _ body: nonisolated(nonsending) (TestServer, SessionClient, Tags) async throws -> Void
    ) async throws {
        try await withRacing { server in
            let (client, tags) = try await Self.team(on: server)
            try await body(server, client, tags)
        }
    }
}
