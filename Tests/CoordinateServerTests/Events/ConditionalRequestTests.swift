import CoordinateTesting
import RawClient
import Testing

@testable import CoordinateServer

/// `If-None-Match` and `If-Match`: conditions that a client sets for a request.
@Suite(.racing) struct ConditionalRequestTests {
    /// Header values, with `{tag}` for the current route's tag, `{old}` for the previous one, `{other}` for the tag of
    /// the same version of another session, and `{zero}` and `{plus}` for the current one with a sign before the version;
    /// and whether they match by the weak and by the strong comparison.
    private static let values: [(value: String, matchesWeakly: Bool, matchesStrongly: Bool)] = [
        ("{tag}", true, true), ("W/{tag}", true, false), ("*", true, true), ("{old},{tag}", true, true),
        ("{old} , W/{tag}", true, false), (",, {old},, {tag},", true, true), ("\"a,b\", {tag}", true, true),
        ("*x", false, false), ("{old}, *", false, false), ("{old}", false, false), ("{other}", false, false),
        ("W/{other}", false, false), ("2", false, false), ("\"{tag}", false, false), ("{zero}", false, false),
        ("{plus}", false, false), ("w/{tag}", false, false), ("", false, false), ("\"a\" b {tag}", false, false),
        ("\"\u{301}\", {tag}", true, true),
    ]

    private struct Team {
        let client: SessionClient
        let tag: String
        let old: String
        let other: String

        func filled(_ value: String) -> String {
            value.replacing("{tag}", with: tag).replacing("{old}", with: old).replacing("{other}", with: other)
                .replacing("{zero}", with: "\"0\(tag.dropFirst())").replacing("{plus}", with: "\"+\(tag.dropFirst())")
        }
    }

    /// Creates a session at its second version, beside another one.
    private func team() async throws -> Team {
        let client = server.client()
        try await client.start()
        let old = try #require(try await client.get("/route").header("ETag"))
        let other = try await client.fork(at: 1)
        for client in [client, other] { try await client.emit("teams.didSelect", ["team": "ferrari"]) }
        return Team(
            client: client, tag: try #require(try await client.get("/route").header("ETag")), old: old,
            other: try #require(try await other.get("/route").header("ETag")))
    }

    @Test(arguments: ["GET", "HEAD"]) func aKnownRouteIsNotSentAgain(method: String) async throws {
        let team = try await team()
        for (value, matches, _) in Self.values {
            let answer = try await team.client.request(
                method, "/route", headers: ["If-None-Match": team.filled(value)])
            #expect(answer.status == (matches ? 304 : 200), "\(value)")
            #expect(answer.body.isEmpty == (matches || method == "HEAD"))
            #expect(answer.header("ETag") == team.tag)
            #expect(answer.header("Cache-Control") == "private, no-cache")
        }
    }

    @Test(arguments: ["POST", "PUT", "DELETE"])
    func aChangeCanRequireOrExcludeAVersion(method: String) async throws {
        var team = try await team()
        for (value, matchesWeakly, matchesStrongly) in Self.values {
            for (header, isAllowed) in [("If-Match", matchesStrongly), ("If-None-Match", !matchesWeakly)] {
                let before = try await team.client.get("/route")
                let (path, body): (String, JSON?) =
                    switch method {
                    case "POST": ("/events", ["event": "navigation.back"])
                    case "PUT": ("/route", ["path": "/main/drivers"])
                    default: ("", nil)
                    }
                let answer = try await team.client.request(
                    method, team.client.base + path,
                    headers: ["Content-Type": "application/json", header: team.filled(value)], body: body?.encoded)
                let after = try await team.client.get("/route")
                if isAllowed {
                    #expect(answer.status == (method == "DELETE" ? 204 : 200), "\(value)")
                    #expect(after.status == (method == "DELETE" ? 404 : 200))
                    team = try await self.team()
                } else {
                    #expect(answer.isProblem("version-conflict", 412), "\(value)")
                    #expect(try answer.json["version"] == 2)
                    #expect(after.body == before.body)
                }
            }
        }
    }

    @Test(.racing(over: .socket)) func severalHeadersAreOneList() async throws {
        let team = try await team()
        let known = ["Host: localhost", "If-None-Match: \(team.old)", "If-None-Match: \(team.tag)"]
        #expect(try server.answer(to: "GET \(team.client.base)/route", known).status == 304)
    }

    @Test(arguments: [
        (#"{"event": "unknown.event"}"#, 422), (#"{"event": "navigation.back", "at": "Unknown"}"#, 422), ("{}", 400),
        ("{", 400),
    ])
    func aFulfilledConditionDoesNotMakeABadRequestValid(body: String, status: Int) async throws {
        let team = try await team()
        for (tag, status) in [(team.tag, status), (team.old, status == 400 ? 400 : 412)] {
            let headers = ["Content-Type": "application/json", "If-Match": tag]
            let answer = try await team.client.request("POST", "/events", headers: headers, body: Array(body.utf8))
            #expect(answer.status == status)
        }
        #expect(try await team.client.session().version == 2)
    }

    @Test func noTagMatchesANewSession() async throws {
        let team = try await team()
        let newcomer = server.client()
        let event: JSON = ["event": "splash.didFinish"]
        let refused = try await newcomer.post("/events", json: event, headers: ["If-Match": team.tag])
        #expect(refused.isProblem("version-conflict", 412))
        #expect(refused.header("Set-Cookie") == nil)
        #expect(try await client.gauges() == [2, 0])
        let answer = try await newcomer.get("/route", headers: ["If-None-Match": "*"])
        #expect(answer.status == 200)
        #expect(newcomer.sessionID != nil)
    }
}
