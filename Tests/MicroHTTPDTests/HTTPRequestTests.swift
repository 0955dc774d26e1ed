import MicroHTTPD
import Testing

struct HTTPRequestTests {
    @Test(arguments: [
        ("GET", HTTPRequest.Method.get), ("POST", .post), ("PUT", .put), ("PATCH", .patch), ("DELETE", .delete),
        ("OPTIONS", .options), ("BREW", .init(rawValue: "BREW")!), ("get", .init(rawValue: "get")!),
    ])
    func methodsAreKnown(word: String, method: HTTPRequest.Method) throws {
        let test = try TestServer.make { request in
            HTTPResponse(status: request.method == method ? 200 : 500, body: request.method.rawValue)
        }
        let answer = try test.answer("\(word) / HTTP/1.1\r\nHost: test\r\n\r\n")
        #expect(answer.status == 200)
        #expect(answer.body == word)
    }

    @Test(arguments: [
        ("/", "/ nil"), ("/a/b", "/a/b nil"), ("/a?", "/a "), ("/a?b=c", "/a b=c"), ("/a?b?c", "/a b?c"),
        ("/a%2Fb%20c", "/a%2Fb%20c nil"), ("/a+b?c+d=%2B&e", "/a+b c+d=%2B&e"), ("/ä?ö", "/ä ö"), ("*", "* nil"),
        ("//a", "//a nil"), ("/a?b=c&&d=&=e", "/a b=c&&d=&=e"), ("http://test", "/ nil"), ("http://test/a?b", "/a b"),
        ("HTTP://test:80?b", "/ b"), ("/http://a", "/http://a nil"),
    ])
    func pathAndQueryAreAsSent(target: String, expected: String) throws {
        let test = try TestServer.make { HTTPResponse(status: 200, body: "\($0.path) \($0.query ?? "nil")") }
        #expect(try test.answer(.get(target)).body == expected)
    }

    @Test(arguments: [
        ("a=1", "1"), ("b=2&a=1", "1"), ("a=1&a=2", "1"), ("a=caf%C3%A9+au%20lait", "café au lait"), ("%61=x", "x"),
        ("a=%2B", "+"), ("a=b=c", "b=c"), ("a=", ""), ("a", ""), ("b", "nil"), ("", "nil"), ("A=1", "nil"),
        ("a=%FF", "\u{FFFD}"),
    ])
    func queryValuesAreDecoded(query: String, expected: String) throws {
        let test = try TestServer.make { HTTPResponse(status: 200, body: $0.queryValue("a") ?? "nil") }
        #expect(try test.answer(.get("/?\(query)")).body == expected)
    }

    @Test func headersAreFoundInAnyCaseAndTrimmed() throws {
        let test = try TestServer.make { request in
            let values = [request.header("x-one"), request.header("X-Two")]
            return HTTPResponse(status: 200, body: values.map { $0 ?? "nil" }.joined(separator: "|"))
        }
        #expect(try test.answer(.get("/", "X-ONE:  a b \t")).body == "a b|nil")
        #expect(try test.answer(.get("/", "x-two: ü", "x-one:")).body == "|ü")
    }

    @Test func aHeaderIsFoundAmongNamesOfTheSameLength() throws {
        let long = String(repeating: "x", count: 63) + "-Other"
        let test = try TestServer.make { request in
            let names: [HTTPField.Name] = ["X-One", "X-Two", "Origin", "Accept", HTTPField.Name(long)!]
            return HTTPResponse(
                status: 200, body: names.map { request.header($0) ?? "nil" }.joined(separator: "|"))
        }
        let client = try test.client()
        for _ in 0..<2 {
            try client.send(.get("/", "X-Two: 2", "Accept: a", "\(long.lowercased()): l"))
            #expect(try client.answer().body == "nil|2|nil|a|l")
            try client.send(.get("/"))
            #expect(try client.answer().body == "nil|nil|nil|nil|nil")
            try client.send(.get("/", "X-One: 1", "Origin: o", "Five5: v"))
            #expect(try client.answer().body == "1|nil|o|nil|nil")
        }
    }

    @Test func bodiesOnOneConnectionAreKeptApart() throws {
        let test = try TestServer.make { HTTPResponse(status: 200, body: $0.body) }
        let client = try test.client()
        for body in ["one", String(repeating: "long ", count: 8_000), "", "two"] {
            try client.send(body.isEmpty ? .get("/") : .post("/", body: body))
            #expect(try client.answer().body == body)
        }
    }

    @Test func bytesThatAreNotUTF8AreReplaced() throws {
        let test = try TestServer.make { HTTPResponse(status: 200, body: $0.header("a") ?? "nil") }
        let client = try test.client()
        try client.send(Array("GET / HTTP/1.1\r\nHost: test\r\nA: x".utf8) + [0xFF] + Array("\r\n\r\n".utf8))
        #expect(try client.answer().body == "x\u{FFFD}")
    }

    @Test func everyValueOfAHeaderIsFound() throws {
        let test = try TestServer.make { request in
            HTTPResponse(status: 200, body: request.headers(named: "ACCEPT").joined(separator: "|"))
        }
        #expect(try test.answer(.get("/", "Accept: a", "Accept-Not: b", "accept: c ")).body == "a|c")
    }

    @Test(arguments: [
        ("session=abc", "abc"), ("a=b; session=abc", "abc"), ("session=\"abc\"", "abc"),
        ("Session=x; session=abc", "abc"), ("a=b;;session=abc", "abc"),
        ("session=abc; session=x", "abc"), ("xsession=x;session=abc;", "abc"), ("session=a=b", "a=b"),
        ("session=", ""), ("session", "nil"), ("a=b, session=x", "nil"), ("=session", "nil"),
    ])
    func cookiesAreFoundByTheirExactName(header: String, expected: String) throws {
        let test = try TestServer.make { HTTPResponse(status: 200, body: $0.cookie("session") ?? "nil") }
        #expect(try test.answer(.get("/", "Cookie: \(header)")).body == expected)
    }

    @Test(arguments: ["GET", "POST", "PUT", "DELETE", "PATCH"])
    func anyMethodMayHaveABody(method: String) throws {
        let test = try TestServer.make { HTTPResponse(status: 200, body: $0.body) }
        let client = try test.client()
        let body = String(repeating: "0123456789", count: 6_000)
        try client.send("\(method) / HTTP/1.1\r\nHost: test\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
        for start in stride(from: 0, to: body.utf8.count, by: 7_001) {
            try client.send(Array(body.utf8.dropFirst(start).prefix(7_001)))
        }
        #expect(try client.answer().body == body)
        try client.send(.get("/"))
        #expect(try client.answer().body.isEmpty)
    }

    /// The handler may set another limit than the server's.
    @Test(arguments: [(nil, 8), (9, 9), (7, 7)] as [(Int?, Int)])
    func aBodyOfExactlyTheLimitIsAccepted(limit: Int?, most: Int) throws {
        let test = try TestServer.make(maximumBodySize: 8, limit: limit)
        #expect(try test.answer(.post("/", body: .numbered(size: most))).status == 200)
        let answer = try test.answer(.post("/", body: .numbered(size: most + 1)))
        #expect(answer.status == 413)
        #expect(answer.body == "bodyTooLarge(limit: \(most))")
    }

    @Test(arguments: [("Content-Length: 4", "body"), ("Transfer-Encoding: chunked", "4\r\nbody\r\n0\r\n\r\n")])
    func aClientThatExpectsItGets100Continue(framing: String, body: String) throws {
        let test = try TestServer.make { HTTPResponse(status: 200, body: $0.body) }
        let client = try test.client()
        try client.send("POST / HTTP/1.1\r\nHost: test\r\nExpect: 100-Continue\r\n\(framing)\r\n\r\n")
        #expect(try client.answer().status == 100)
        try client.send(body)
        #expect(try client.answer().body == "body")
    }
}
