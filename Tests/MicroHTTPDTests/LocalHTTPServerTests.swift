import Dispatch
import MicroHTTPD
import Testing

/// A request without a socket gets the same answer as over a socket.
struct LocalHTTPServerTests {
    private func server(
        limit: Int? = nil, respond: @escaping TestHandler.Respond = { HTTPResponse(status: 200, body: $0.body) }
    ) -> LocalHTTPServer {
        LocalHTTPServer(
            configuration: HTTPServerConfiguration(maximumBodySize: 8),
            handler: TestHandler(limit: limit, respond: respond))
    }

    @Test func theHandlerSeesTheWholeRequest() async throws {
        let server = server { request in
            HTTPResponse(
                status: 201, headers: [.location: request.path],
                body: """
                    \(request.method) \(request.query ?? "nil") \(request.queryValue("a") ?? "nil") \
                    \(request.header("x-one") ?? "nil") \(request.headers(named: .accept)) \
                    \(request.cookie("session") ?? "nil") \(request.authority ?? "nil") \(request.peer) \
                    \(String(decoding: request.body, as: UTF8.self))
                    """)
        }
        let request = try HTTPRequest(
            .post, "/a%20b?a=b%20c",
            headers: ["X-One": " 1 ", .accept: "a", .accept: "b", .cookie: "session=c", .hostField: "h:1"],
            body: Array("body".utf8))
        let response = try #require(await server.response(to: request))
        #expect(response.status == 201)
        #expect(response.headers[.location] == "/a%20b")
        #expect(
            String(decoding: response.body.bytes, as: UTF8.self)
                == #"POST a=b%20c b c 1 ["a", "b"] c h:1 127.0.0.1 body"#)
    }

    @Test(arguments: ["a", "/a b", "/%", "/%00", "/a#b", "/" + String(repeating: "a", count: 9_000)])
    func aTargetIsRefusedAsOverASocket(target: String) throws {
        #expect(throws: HTTPRefusal.self) { _ = try HTTPRequest(.get, target) }
    }

    @Test func aBodyThatIsTooLargeIsRefused() async throws {
        let server = server(limit: 4)
        let response = try #require(await server.response(to: HTTPRequest(.post, "/", body: Array("12345".utf8))))
        #expect(response.status == 413)
        #expect(try await server.response(to: HTTPRequest(.post, "/", body: Array("1234".utf8)))?.status == 200)
    }

    @Test func aLaterAnswerIsAwaited() async throws {
        let server = LocalHTTPServer(handler: Slow())
        let response = try #require(await server.response(to: HTTPRequest(.get, "/")))
        #expect(response.body.bytes == Array("later".utf8))
        #expect(LocalHTTPServer(handler: Slow(isHeld: true)).responseAtOnce(to: try HTTPRequest(.get, "/")) == nil)
    }

    @Test func anImmediateAnswerNeedsNoWaiting() throws {
        let server = server()
        #expect(server.responseAtOnce(to: try HTTPRequest(.get, "/"))?.status == 200)
    }
}

/// Answers on another thread.
private struct Slow: HTTPHandler {
    /// Whether it does not answer in time.
    var isHeld = false

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        Way.later.answer { [isHeld] answer in
            guard !isHeld else { return }
            DispatchQueue.global().async { answer.answer(with: HTTPResponse(status: 200, body: "later")) }
        }
    }
}
