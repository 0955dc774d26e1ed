import MicroHTTPD
import Testing

/// Requests that libmicrohttpd's parser accepts and this module refuses.
struct RefusalTests {
    struct Row: CustomTestStringConvertible {
        let reason: HTTPRefusal.Reason
        let request: String
        var status = 400

        var testDescription: String { "\(reason): \(request.debugDescription)" }

        init(_ reason: HTTPRefusal.Reason, _ request: String, status: Int = 400) {
            self.reason = reason
            self.request = request
            self.status = status
        }
    }

    static let rows = [
        Row(.transferEncoding, .post("/", body: "", "Transfer-Encoding: chunked") + "0\r\n\r\n", status: 411),
        Row(.transferEncoding, .get("/", "Transfer-Encoding: chunked", "Content-Length: 5"), status: 411),
        Row(.transferEncoding, .get("/", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"), status: 411),
        Row(.transferEncoding, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", status: 411),
        Row(.transferEncoding, .get("/", "transfer-encoding: gzip, chunked"), status: 411),
        Row(.transferEncoding, .get("/", "Transfer-Encoding: identity"), status: 411),
        Row(.transferEncoding, .get("/", "Transfer-Encoding:"), status: 411),
        Row(.transferEncoding, .get("/", "Transfer-Encoding: gzip", "Transfer-Encoding: chunked"), status: 411),
        Row(.conflictingContentLength, .post("/", body: "four", "Content-Length: 5")),
        Row(.conflictingContentLength, .post("/", body: "four", "Content-Length: 4")),
        Row(.malformedHeaderName, .get("/", "Transfer-Encoding : chunked")),
        Row(.malformedHeaderName, .post("/", body: "", "Content-Length : 5")),
        Row(.malformedHeaderName, .get("/", "Two Words: 1")),
        Row(.malformedHeaderName, .get("/", "Naïve: 1")),
        Row(.missingHost, "GET / HTTP/1.1\r\n\r\n"),
        Row(.missingHost, "GET / HTTP/1.1\r\nHos: test\r\n\r\n"),
        Row(.duplicateHost, .get("/", "Host: test")),
        Row(.duplicateHost, .get("/", "hOST: other")),
        Row(.malformedHost, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        Row(.malformedHost, "GET / HTTP/1.1\r\nHost: user@test\r\n\r\n"),
        Row(.controlBytes, .get("/", "A: \u{01}")),
        Row(.controlBytes, .get("/", "A: b\rc")),
        Row(.controlBytes, .get("/", "A: \u{7F}")),
        Row(.malformedMethod, "GE(T) / HTTP/1.1\r\nHost: test\r\n\r\n"),
        Row(.malformedMethod, "\tGET / HTTP/1.1\r\nHost: test\r\n\r\n"),
        Row(.malformedTarget, .get("/a%00b")),
        Row(.malformedTarget, .get("/a?b=%00")),
        Row(.malformedTarget, .get("/a%")),
        Row(.malformedTarget, .get("/a?b=%zz")),
        Row(.malformedTarget, .get("/a\u{01}")),
        Row(.malformedTarget, .get("/a?\u{7F}")),
        Row(.malformedTarget, .get("/a#b")),
        Row(.malformedTarget, .get("/a b")),
        Row(.malformedTarget, .get("/a?b c")),
        Row(.malformedTarget, .get("a")),
        Row(.malformedTarget, .get("?a=b")),
        Row(.malformedTarget, .get("ftp://test/")),
        Row(.malformedTarget, .get("http:///a")),
        Row(.malformedTarget, .get("*?a")),
        Row(.expectation, .get("/", "Expect: something"), status: 417),
        Row(.expectation, .get("/", "Expect: 100-continue", "Expect: more"), status: 417),
        Row(.bodyTooLarge(limit: 64), .post("/", body: String(repeating: "x", count: 65)), status: 413),
    ]

    @Test(arguments: rows)
    func ambiguousRequestsAreRefusedAndEndTheConnection(row: Row) throws {
        let test = try TestServer.make(maximumBodySize: 64)
        let answer = try test.everything(after: row.request + .get("/smuggled"))
        #expect(answer.hasPrefix("HTTP/1.1 \(row.status) "))
        #expect(answer.hasSuffix("\r\n\r\n\(row.reason)"))
        #expect(answer.contains("\r\nConnection: close\r\n"))
        #expect(answer.split(separator: "HTTP/1.1 ").count == 1)
        #expect(test.handler.paths.isEmpty)
    }

    /// A NUL ends a C string, and 0.9.75 joins a line that begins with a space to the one before.
    @Test(arguments: [
        String.get("/", "A: b\0c"), .get("/", "A: b\0"), .get("/", "A: b\0", "C: d"), .get("/", "\0Content-Length: 5"),
        .get("/", "A: b\n\0Content-Length: 5"), .get("/", "A: b", " continued: c"), .get("/", "A: b", "\tcontinued"),
        .get("/a\0b"), .get("/a?b\0c"), "G\0T / HTTP/1.1\r\nHost: test\r\n\r\n",
        "GET\0X / HTTP/1.1\r\nHost: test\r\n\r\n", "GET  / HTTP/1.1\r\nHost: test\r\n\r\n",
    ])
    func bytesThatTheParserHidesAreRefused(request: String) throws {
        let test = try TestServer.make()
        let answer = try test.everything(after: request + .get("/smuggled"))
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400 "))
        #expect(answer.split(separator: "HTTP/1.1 ").count <= 1)
        #expect(test.handler.paths.isEmpty)
    }

    /// The library decides how lines are separated: 0.9.75 reads these as one request, 1.0 refuses them.
    static let lines: [String] = [
        .get("/", ": 1"),
        "GET / HTTP/1.1\nHost: test\n\n",
        "GET / HTTP/1.1\r\nHost: test\nA: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: test\r\n\n",
        "GET / HTTP/1.0\n\n",
    ]

    @Test(arguments: lines)
    func linesThatDoNotEndInCRLFAreReadAsOneRequestOrRefused(request: String) throws {
        let test = try TestServer.make()
        let answer = try test.everything(after: request + .get("/after", "Connection: close"))
        #expect(answer.matches(of: #/HTTP/1\.1 200 /#).count <= 2)
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 200 "))
        #expect(try test.answer(.get("/")).status == 200)
    }

    @Test func aRefusedRequestIsReadToItsEndIfTheEndIsKnown() throws {
        let test = try TestServer.make()
        let client = try test.client()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nHost: b\r\n\r\n01234")
        try client.send("56789" + .get("/smuggled"))
        let answer = try client.everything()
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.hasSuffix("duplicateHost"))
        #expect(answer.split(separator: "HTTP/1.1 ").count == 1)
        #expect(test.handler.paths.isEmpty)
    }

    @Test func aClientThatWaitsToSendItsBodyIsRefusedBeforeIt() throws {
        let test = try TestServer.make()
        let answer = try test.everything(
            after: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nExpect: 100-continue\r\nHost: b\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.hasSuffix("duplicateHost"))
    }

    @Test(arguments: [
        "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET / HTTP/1.1\r\nHost: [::1]:80 \r\n\r\n",
        "\r\n" + .get("/"), .get("/", "A:b"), .get("/", "A: \t b\t "), .get("/", "A: ü"),
        .get("/", "Content-Length: 0"), .get("/", "Cookie: a=b; c"), .get("/?a=b&c&=d&&+%20"),
    ])
    func unusualButCorrectRequestsAreAnswered(request: String) throws {
        let test = try TestServer.make()
        #expect(try test.answer(request).status == 200)
        #expect(test.handler.paths == ["/"])
    }
}
