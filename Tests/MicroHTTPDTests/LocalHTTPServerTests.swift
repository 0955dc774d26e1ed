import Dispatch
import MicroHTTPD
import Testing

/// A request without a socket gets the same answer as over a socket.
struct LocalHTTPServerTests {
    @Test func theHandlerSeesTheWholeRequest() async throws {
        let handler = TestHandler { request in
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
        let response = try #require(await LocalHTTPServer(handler: handler).response(to: request))
        #expect(response.status == 201)
        #expect(response.headers[.location] == "/a%20b")
        #expect(
            String(decoding: response.body.bytes, as: UTF8.self)
                == #"POST a=b%20c b c 1 ["a", "b"] c h:1 127.0.0.1 body"#)
    }

    @Test func aLaterAnswerIsAwaited() async throws {
        let server = LocalHTTPServer(handler: Slow())
        let response = try #require(await server.response(to: HTTPRequest(.get, "/")))
        #expect(response.body.bytes == Array("later".utf8))
        #expect(LocalHTTPServer(handler: Slow(isHeld: true)).responseAtOnce(to: try HTTPRequest(.get, "/")) == nil)
    }

    @Test func anImmediateAnswerNeedsNoWaiting() throws {
        let server = LocalHTTPServer(
            configuration: HTTPServerConfiguration(maximumBodySize: 4),
            handler: TestHandler { _ in HTTPResponse(status: 200) })
        for (body, status) in [("", 200), ("1234", 200), ("12345", 413)] {
            let request = try HTTPRequest(.post, "/", body: Array(body.utf8))
            #expect(server.responseAtOnce(to: request)?.status.code == status)
        }
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
