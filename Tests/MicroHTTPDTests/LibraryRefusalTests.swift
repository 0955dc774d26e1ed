import MicroHTTPD
import Testing

/// Requests that libmicrohttpd itself refuses, with an answer or by closing the connection.
struct LibraryRefusalTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let request: String

        init(_ name: String, _ request: String) {
            testDescription = name
            self.request = request
        }
    }

    private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    static let rows: [Row] = lengths + targets + headers + heads

    private static let lengths = [
        "x", "-1", "+1", "1, 1", "", "1x", "0x10", "1 1", "9223372036854775807", "9223372036854775808",
        "18446744073709551615", "18446744073709551616", "99999999999999999999999",
    ].map { Row("a length of \($0.debugDescription)", .get("/", "Content-Length: \($0)")) }

    private static let targets =
        [129, 260, 1_000, 3_000, 8_000].map { Row("\($0) items", .get("/?" + many("&", $0))) }
        + [
            Row("a long path", .get("/" + many("x", 8_192))),
            Row("a long query", .get("/?" + many("x", 12_000))),
            Row("a target without an end", .get("/" + many("x", 20_000))),
        ]

    private static let headers =
        [700, 2_000].map { Row("\($0) cookies", .get("/", "Cookie: " + many("a=b; ", $0))) }
        + [
            Row("a long cookie", .get("/", "Cookie: a=" + many("b", 16_500))),
            Row("a longer cookie", .get("/", "Cookie: a=" + many("b", 24_000))),
            Row("a header that is too large", .get("/", "A: " + many("x", 16_500))),
            Row("a header without an end", .get("/", "A: " + many("x", 50_000))),
            Row("too many fields", .get("/", many("A:\r\n", 700) + "B:")),
            Row("far too many fields", .get("/", many("A:\r\n", 2_000) + "B:")),
        ]

    private static let heads =
        ["hello", "GET / HTTP/1.1\r\nno colon", "GET / HTTP/11", "GET / http/1.1", "GET / HTTP/1.x", "GET /"].map {
            Row($0.debugDescription, $0 + "\r\n\r\n")
        } + ["0.9", "2.0", "3.1"].map { Row("HTTP/\($0)", "GET / HTTP/\($0)\r\nHost: a\r\n\r\n") }

    /// The second part is sent after the first was read, or together with it.
    @Test(arguments: rows)
    func refusedRequestsGetA4xxOrAClosedConnectionAndAreNotExecuted(row: Row) throws {
        let test = try TestServer.make(workers: 1)
        let bytes = Array(row.request.utf8)
        for end in [bytes.count, 1, 16, bytes.count / 2, bytes.count - 1] {
            let client = try test.client()
            try client.send(Array(bytes.prefix(end)))
            if end < bytes.count { try test.waitUntilItHasRead() }
            // The request may be refused already.
            try? client.send(Array(bytes.dropFirst(end)))
            let answer = try client.everything()
            #expect(
                answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 505 "),
                "\(end): \(answer.debugDescription)")
            #expect(answer.split(separator: "HTTP/1.1 ").count <= 1, "\(end): \(answer.debugDescription)")
        }
        #expect(test.paths.isEmpty)
    }

    @Test(arguments: [
        String.get("/?" + many("a=b&", 127) + "c=d", "Connection: close"),
        .get("/" + many("x", 8_191), "Connection: close"),
        .get("/", "Cookie: a=" + many("b", 16_200), "Connection: close"),
        .get("/", "Cookie: " + many("name=\(many("b", 90)); ", 160), "Connection: close"),
        .get("/", "A: " + many("b", 16_200), "Connection: close"),
    ])
    func requestsAtTheLimitsAreAnswered(request: String) throws {
        let test = try TestServer.make(workers: 1)
        #expect(try test.answer(request).body == "hello")
    }

    @Test(arguments: [
        (String.get("/", "Content-Length: +3"), "malformedContentLength"),
        (.get("/", "Content-Length: 99999999999999999999"), "bodyTooLarge(limit: 65536)"),
        (.get("/", "Cookie: a=" + many("b", 24_000)), "headerTooLarge"),
        (.get("/?" + many("&", 3_000)), "targetTooLong"),
    ])
    func theHandlerAnswersWhatTheLibraryWouldAnswerTwice(request: String, reason: String) throws {
        let test = try TestServer.make(workers: 1)
        let other = try test.client()
        try other.send("GET / HTTP/1.1\r\nHost: te")
        let answer = try test.answer(request)
        #expect(400..<500 ~= answer.status && answer.body == reason)
        try other.send("st\r\n\r\n")
        #expect(try other.answer().status == 200)
        #expect(test.paths == ["/"])
    }

    @Test func aServerStopsWhileItRefuses() throws {
        for _ in 0..<20 {
            let test = try TestServer.make()
            for request: String in [
                .get("/", "Content-Length: x"), "GET / HTTP/2.0\r\n\r\n",
                .get("/", "Cookie: " + String(repeating: ";", count: 900)),
            ] {
                for _ in 0..<4 { try test.client().send(request) }
            }
            test.server.stop(deadline: .zero)
        }
    }

    @Test func earlierRequestsAreAnsweredFirst() throws {
        let test = try TestServer.make()
        let client = try test.client()
        try client.send(.get("/first") + .get("/", "Content-Length: x"))
        #expect(try client.answer().status == 200)
        let refusal = try client.everything()
        #expect(refusal.hasPrefix("HTTP/1.1 400 "))
        #expect(test.handler.paths == ["/first"])
    }

    @Test func aBodyIsReadAfterTheLargestHeader() throws {
        let test = try TestServer.make { HTTPResponse(status: 200, body: "\($0.body.count)") }
        for size in stride(from: 13_300, through: 16_300, by: 250) {
            let client = try test.client()
            let body = String(repeating: "x", count: 60_000)
            try client.send(
                .post("/", body: body, "A: " + String(repeating: "x", count: size), "Connection: close"))
            let answer = try client.everything()
            #expect(answer.hasSuffix("\r\n\r\n60000"), "\(size): \(answer)")
        }
    }
}

extension TestServer {
    /// Returns when the only worker has read what was sent before.
    fileprivate func waitUntilItHasRead() throws {
        _ = try answer(.get(Self.turn))
    }

    private static let turn = "/turn"

    /// The paths of the answered requests, except for those used to wait.
    fileprivate var paths: [String] { handler.paths.filter { $0 != Self.turn } }
}
