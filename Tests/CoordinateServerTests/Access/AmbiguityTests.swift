import CoordinateTesting
import RawClient
import Testing

@testable import CoordinateServer

/// Requests that could be read in two ways.
struct AmbiguityTests {
    /// Swift would sort the marks before each comparison.
    @Test(.racing(over: .socket)) func textsThatAreSlowToCompareAreRefused() async throws {
        let marks = String(repeating: "\u{334}\u{300}", count: 200)
        let escaped = marks.utf8.map { "%" + String($0, radix: 16) }.joined()
        let bodies: [JSON] = [
            ["event": .string("a" + marks)], ["event": "splash.didFinish", "payload": [marks: 1]],
            ["event": "navigation.open", "payload": ["path": .string("/a" + escaped)]],
        ]
        for body in bodies { #expect(try await client.post("/events", json: body).status == 400) }
        for path in ["/route?a\(escaped)=1", "/app/a\(escaped)", "/a\(escaped)"] {
            #expect(try await client.get(path).status == 400)
        }
        #expect(try await client.request(WebRequest([("event", "a" + marks)])).status == 400)
        let few = String(repeating: "\u{334}\u{300}", count: 100)
        #expect(try await client.post("/events", json: ["event": .string("a" + few)]).status == 422)
    }

    @Test(.racing(over: .socket)) func aRequestMustNotNameTwoSessions() async throws {
        let ids = [try await client.newSession(), try await client.newSession()]
        for headers in [
            ["Session: \(ids[0])", "Cookie: session=\(ids[1])"],
            ["Session: AAAAAAAAAAAAAAAAAAAAAA", "Cookie: session=\(ids[1])"],
            ["Cookie: session=\(ids[0]); session=\(ids[1])"],
            ["Cookie: session=\(ids[0]); a=b; session=x; session=\(ids[1])"],
            ["Session: \(ids[0])", "Session: \(ids[1])"], ["Session: \(ids[0])", "session: \(ids[0])"],
            ["Cookie: session=\(ids[0])", "Cookie: session=\(ids[1])"],
        ] {
            for line in ["GET /route", "POST /events", "PUT /route"] {
                let answer = try server.answer(
                    to: line, ["Host: localhost", "Content-Type: application/json"] + headers,
                    body: line.hasPrefix("GET") ? "" : #"{"event": "splash.didFinish", "path": "/main/teams"}"#)
                #expect(answer.status == 400, "\(line) \(headers)")
                #expect(answer.body.contains("/problems/malformed-request"))
            }
            // An id in the path wins, and others are ignored.
            if headers.count(where: { $0.hasPrefix("Cookie") }) < 2 {
                let answer = try server.answer(to: "GET /sessions/\(ids[0])/route", ["Host: localhost"] + headers)
                #expect(answer.status == 200, "\(headers)")
                #expect(answer.body.contains(ids[0]))
            }
        }
        #expect(try await client.versions(of: ids) == [0, 0])
        for headers in [
            ["Session: \(ids[0])", "Cookie: session=\(ids[0])"], ["Session: \(ids[0])", "Cookie: session=x"],
            ["Cookie: session=\(ids[0]); session=\(ids[0])"],
        ] {
            #expect(try server.answer(to: "GET /route", ["Host: localhost"] + headers).body.contains(ids[0]))
        }
    }

    @Test(
        .racing(over: .socket),
        arguments: [
            ("Authorization", "Bearer key"), ("Content-Type", "application/json"), ("Cookie", "a=b"),
            ("Idempotency-Key", "one"), ("Last-Event-ID", "1"), ("Origin", "http://localhost"),
            ("Session", "AAAAAAAAAAAAAAAAAAAAAA"),
        ])
    func aSingleHeaderMustNotBeSentTwice(name: String, value: String) async throws {
        for second in [value, "other"] {
            let answer = try server.answer(
                to: "GET /catalog", "Host: localhost", "\(name): \(value)", "X: y",
                "\(name.uppercased()): \(second)")
            #expect(answer.status == 400)
            #expect(answer.body.contains(name.lowercased()))
            #expect(answer.headers["connection"] == nil)
        }
        #expect(try server.answer(to: "GET /catalog", "Host: localhost", "\(name): \(value)").status == 200)
    }

    @Test(.racing(over: .socket)) func aListHeaderMayBeSentTwice() async throws {
        for name in ["Accept", "If-None-Match", "If-Match", "Prefer", "X-Forwarded-For", "Via"] {
            let headers = ["Host: localhost", "\(name): a", "\(name): b"]
            #expect(try server.answer(to: "GET /catalog", headers).status == 200, "\(name)")
        }
    }

    @Test(.racing) func aQueryItemMustNotBeSentTwice() async throws {
        for path in ["/sessions?limit=1&x=y&limit=2", "/route?version=1&version=1", "/events?x&x", "/catalog?x&x"] {
            for accept in ["*/*", "text/event-stream"] {
                let answer = try await client.get(path, headers: ["Accept": accept])
                #expect(answer.isProblem("malformed-request", 400), "\(path)")
                #expect(try answer.problem.detail.contains("once in the query"))
            }
        }
    }
}
