import MicroHTTPD
import Testing

/// `HTTPResponse.notModified`: the header of an answer without its body.
struct NotModifiedTests {
    private func server() throws -> TestServer {
        let full = HTTPResponse(status: 200, headers: [("ETag", "\"1\""), ("Vary", "A")], body: "the whole answer")
        return try TestServer.make { request in
            request.header("If-None-Match") == "\"1\"" ? full.notModified : full
        }
    }

    @Test(arguments: ["GET", "HEAD"])
    func theHeaderIsTheWholeAnswers(method: String) throws {
        let test = try server()
        let client = try test.client()
        try client.send("\(method) / HTTP/1.1\r\nHost: test\r\nIf-None-Match: \"1\"\r\n\r\n")
        let answer = try client.answer(toHead: true)
        #expect(answer.status == 304)
        #expect(answer.headers["content-length"] == "16")
        #expect(answer.headers["etag"] == "\"1\"")
        #expect(answer.headers["vary"] == "A")
    }

    @Test func thereIsNoBodyAndTheConnectionGoesOn() throws {
        let test = try server()
        let client = try test.client()
        for _ in 0..<20 {
            try client.send(.get("/", "If-None-Match: \"1\"") + .get("/") + .get("/", "If-None-Match: \"1\""))
            #expect(try client.answer(toHead: true).status == 304)
            let full = try client.answer()
            #expect(full.status == 200)
            #expect(full.body == "the whole answer")
            #expect(try client.answer(toHead: true).status == 304)
        }
        try client.send(.get("/", "If-None-Match: \"1\"", "Connection: close"))
        #expect(try client.everything().hasSuffix("\r\n\r\n"))
    }

    @Test func itOutlivesTheAnswerItWasMadeOf() throws {
        let short = HTTPResponse(status: 200, headers: [("A", "b")], body: "body").notModified
        #expect(short.status == 304)
        let test = try TestServer.make { _ in short }
        for _ in 0..<3 {
            let client = try test.client()
            try client.send(.get("/"))
            let answer = try client.answer(toHead: true)
            #expect(answer.status == 304)
            #expect(answer.headers["a"] == "b")
        }
    }

    @Test func whileDrainingItEndsTheConnection() throws {
        let test = try server()
        test.server.drain()
        let client = try test.client()
        try client.send(.get("/", "If-None-Match: \"1\"") + .get("/again"))
        let answer = try client.everything()
        #expect(answer.hasPrefix("HTTP/1.1 304 "))
        #expect(answer.contains("\r\nConnection: close\r\n"))
        #expect(answer.contains("\r\nETag: \"1\"\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
        #expect(answer.split(separator: "HTTP/1.1 ").count == 1)
        #expect(test.handler.paths == ["/"])
    }
}
