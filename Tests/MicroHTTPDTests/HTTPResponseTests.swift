import Dispatch
import MicroHTTPD
import Synchronization
import Testing

struct HTTPResponseTests {
    @Test func statusHeadersAndBodyArrive() throws {
        let test = try TestServer.make { _ in
            HTTPResponse(status: 201, headers: [.location: "/a", .vary: "A", .vary: "B"], body: "made")
        }
        let answer = try test.everything(after: .get("/", "Connection: close"))
        #expect(answer.hasPrefix("HTTP/1.1 201 Created\r\n"))
        #expect(answer.contains("\r\nLocation: /a\r\n"))
        #expect(answer.contains("\r\nVary: A\r\n") && answer.contains("\r\nVary: B\r\n"))
        #expect(answer.contains("\r\nContent-Length: 4\r\n"))
        #expect(answer.hasSuffix("\r\n\r\nmade"))
    }

    @Test(arguments: ["Content-Length", "Transfer-Encoding", "connection"])
    func aHandlerMustNotSetFramingHeaders(name: String) async throws {
        let sent = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
            let name = try #require(HTTPField.Name(name))
            let test = try TestServer.make { _ in HTTPResponse(status: 200, headers: [name: "1"]) }
            _ = try test.answer(.get("/"))
        }
        #expect(String(decoding: sent.standardErrorContent, as: UTF8.self).contains("the server sets"))
    }

    @Test func addingHeadersToACopyKeepsTheOriginal() async throws {
        let shared = HTTPResponse(status: 200, headers: ["A": "b"], body: "shared")
        let test = try TestServer.make { request in
            if request.path == "/more" { request.addToAnswer(["C": "d"]) }
            return shared
        }
        let client = try test.client()
        try client.send(.get("/more") + .get("/"))
        #expect(try client.answer().headers["c"] == "d")
        #expect(try client.answer().headers["c"] == nil)
        #expect(shared.headers == ["A": "b"])
    }

    @Test func headHasTheSameHeadersAndNoBody() throws {
        let test = try TestServer.make()
        let client = try test.client()
        try client.send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n")
        #expect(try client.answer(toHead: true).headers["content-length"] == "5")
        try client.send(.get("/"))
        #expect(try client.answer().body == "hello")
    }

    @Test(arguments: [(HTTPResponse(status: 204), nil), (HTTPResponse(status: 304, body: "hello"), "5")])
    func anAnswerMayHaveNoBody(response: HTTPResponse, length: String?) throws {
        let test = try TestServer.make { _ in response }
        let client = try test.client()
        try client.send(.get("/") + .get("/"))
        for _ in 0..<2 {
            let answer = try client.answer()
            #expect(answer.status == response.status.code)
            #expect(answer.headers["content-length"] == length)
        }
    }

    /// RFC 9110, section 8.6: the length is that of the whole content, or is left out.
    @Test func aNotModifiedAnswerOfUnknownLengthHasNone() throws {
        let test = try TestServer.make { _ in HTTPResponse(status: 304) }
        let answer = try test.everything(after: .get("/"))
        #expect(answer.hasPrefix("HTTP/1.1 304 ") && answer.hasSuffix("\r\n\r\n"))
        #expect(!answer.contains("Content-Length") && !answer.contains("Transfer-Encoding"))
    }

    @Test func aConnectionIsKeptAndPipelinedRequestsAreAnsweredInOrder() throws {
        let test = try TestServer.make { request in
            HTTPResponse(status: 200, body: request.path + String(decoding: request.body, as: UTF8.self))
        }
        let client = try test.client()
        try client.send((0..<100).map { $0 % 2 == 0 ? .get("/\($0)?q") : .post("/\($0)", body: "-body") }.joined())
        for number in 0..<100 {
            #expect(try client.answer().body == (number % 2 == 0 ? "/\(number)" : "/\(number)-body"))
        }
    }

    @Test func aClosingResponseEndsTheConnection() throws {
        let test = try TestServer.make { _ in HTTPResponse(status: 200, body: "bye", closesConnection: true) }
        let answer = try test.everything(after: .get("/") + .get("/again"))
        #expect(answer.contains("\r\nConnection: close\r\n") && answer.hasSuffix("bye"))
        #expect(test.handler.paths == ["/"])
    }

    @Test func aLargeBodyArrivesWhole() throws {
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
        let test = try TestServer.make { _ in HTTPResponse(status: 200, body: body) }
        #expect(try test.answer(.get("/")).body.utf8.count == body.count)
    }

    @Test func oneResponseGoesToManyClientsAtOnce() throws {
        let shared = HTTPResponse(status: 200, body: "the same bytes")
        let test = try TestServer.make(workers: 4) { _ in shared }
        let right = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            guard let client = try? test.client() else { return }
            for _ in 0..<200 {
                try? client.send(.get("/"))
                if (try? client.answer().body) == "the same bytes" { right.add(1, ordering: .relaxed) }
            }
        }
        #expect(right.load(ordering: .relaxed) == 1_600)
    }

    @Test func aResponseOutlivesItsServer() throws {
        let shared = HTTPResponse(status: 200, body: "kept")
        for _ in 0..<3 {
            #expect(try TestServer.make { _ in shared }.answer(.get("/")).body == "kept")
        }
    }
}
