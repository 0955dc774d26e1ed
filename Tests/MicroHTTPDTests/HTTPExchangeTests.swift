import MicroHTTPD
import Synchronization
import Testing

struct HTTPExchangeTests {
    private final class Records: Sendable {
        private let all = Mutex<[HTTPExchange]>([])

        func record(_ exchange: HTTPExchange) { all.withLock { $0.append(exchange) } }

        /// The records, once there are that many.
        func first(_ count: Int) async -> [HTTPExchange] {
            while all.withLock({ $0.count }) < count { await Task.yield() }
            return all.withLock { $0 }
        }
    }

    private struct Handler: HTTPHandler {
        let over = Records()

        func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
            if request.path == "/classified" {
                request.classify(as: 7)
                request.whenOver { over.record($0) }
            }
            return .now(HTTPResponse(status: request.path == "/" ? 404 : 200, body: "four"))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func aRecordKeepsNothingFromThePreviousRequest() async throws {
        let records = Records()
        let handler = Handler()
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(port: 0, workers: 1), handler: handler,
            onExchange: { records.record($0) })
        try server.start()
        let client = try RawClient(port: server.port)
        try client.send(.post("/classified", body: "body"))
        _ = try client.answer()
        try client.send(.get("/"))
        _ = try client.answer()
        try client.send("GET /a\u{1} HTTP/1.1\r\nHost: test\r\n\r\n")
        _ = try client.answer()
        let found = await records.first(3)
        #expect(found.map(\.method) == [.post, .get, .get])
        #expect(found.map(\.kind) == [7, nil, nil])
        #expect(found.map(\.status) == [200, 404, 400])
        #expect(found.prefix(2).map(\.size) == [4, 4])
        #expect(found.allSatisfy { $0.nanoseconds > 0 && !$0.isStream && $0.client == .loopback })
        let over = await handler.over.first(1)
        #expect(over.map(\.kind) == [7])
        #expect(over.map(\.status) == [200])
    }

    @Test(.timeLimit(.minutes(1)))
    func anAbortedRequestHasNoStatus() async throws {
        let records = Records()
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(port: 0, workers: 1), handler: Handler(),
            onExchange: { records.record($0) })
        try server.start()
        do {
            let client = try RawClient(port: server.port)
            try client.send(.get("/classified"))
            _ = try client.answer()
            try client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\n\r\nab")
        }
        let found = await records.first(2)
        #expect(found.map(\.status) == [200, nil])
        #expect(found.map(\.method) == [.get, nil])
        #expect(found.map(\.kind) == [7, nil])
        #expect(found.last?.size == nil)
    }
}
