import MicroHTTPD
import Synchronization
import Testing

/// Bodies that are passed to a receiver part by part.
struct StreamedBodyTests {
    private func serve(limit: Int = 2_000_000) throws -> (handler: StreamingHandler, server: HTTPServer, RawClient) {
        let handler = StreamingHandler(limit: limit)
        let configuration = HTTPServerConfiguration(host: "127.0.0.1", port: 0, workers: 2, maximumBodySize: 1_000)
        let server = HTTPServer(configuration: configuration, handler: handler)
        try server.start()
        return (handler, server, try RawClient(port: server.port))
    }

    @Test(arguments: [1, 65_536, 65_537, 1_000_000])
    func theBodyArrivesWholeAndInOrder(size: Int) throws {
        let (handler, server, client) = try serve()
        let body = String.numbered(size: size)
        try client.send(.post("/", body: body))
        #expect(try client.answer().body == body)
        #expect(handler.log.parts.allSatisfy { $0 > 0 })
        #expect(handler.log.size == size)
        if size > 100_000 { #expect(handler.log.parts.count > 1) }
        withExtendedLifetime(server) {}
    }

    @Test func eachPartIsDeliveredAsItArrives() throws {
        let (handler, server, client) = try serve()
        try client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 9\r\n\r\n")
        for (number, part) in ["one", "two", "six"].enumerated() {
            try client.send(part)
            try handler.ask(server) { handler.log.size == 3 * (number + 1) }
            #expect(handler.log.size == 3 * (number + 1))
        }
        #expect(try client.answer().body == "onetwosix")
    }

    @Test func theConnectionIsKeptForTheNextRequest() throws {
        let (handler, server, client) = try serve()
        for round in 0..<20 {
            let body = String.numbered(size: 1 + round * 5_000)
            try client.send(.post("/", body: body))
            #expect(try client.answer().body == body)
            try client.send(.post("/collected", body: "short"))
            #expect(try client.answer().body == "collected short")
            try client.send(.get("/arrived"))
            #expect(try client.answer().status == 200)
        }
        try client.send((0..<10).map { .post("/", body: "body \($0)") }.joined())
        for number in 0..<10 { #expect(try client.answer().body == "body \(number)") }
        try handler.waitUntilFreed(on: server)
    }

    @Test func aRequestWithoutABodyHasNoReceiver() throws {
        let (handler, server, client) = try serve()
        for request in [String.post("/", body: ""), .get("/")] {
            try client.send(request)
            #expect(try client.answer().body == "no receiver")
        }
        #expect(handler.log.born == 0)
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [[], ["Expect: 100-continue"]])
    func aBodyOverTheLimitIsRefusedBeforeItIsRead(headers: [String]) throws {
        let (handler, server, client) = try serve(limit: 5_000)
        let lines = headers.map { $0 + "\r\n" }.joined()
        try client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5001\r\n\(lines)\r\n")
        let answer = try client.everything()
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
        #expect(answer.contains("\r\nConnection: close\r\n"))
        #expect(answer.hasSuffix("bodyTooLarge(limit: 5000)"))
        #expect(handler.log.parts.isEmpty)
        try handler.waitUntilFreed(on: server)
    }

    @Test(arguments: [
        (isChunked: false, limit: 5_000, excess: 0, status: 200), (true, 5_000, 0, 200), (true, 5_000, 1, 413),
        (true, 5_000, 195_000, 413), (true, 16 << 20, 1, 413),
    ])
    func aBodyInChunksHasTheSameLimit(isChunked: Bool, limit: Int, excess: Int, status: Int) throws {
        let (handler, server, client) = try serve(limit: limit)
        let body = "x" + String(repeating: "y", count: limit + excess - 1)
        try client.send(isChunked ? .chunked(["x", String(body.dropFirst())]) : .post("/", body: body))
        let answer = try client.answer()
        #expect(answer.status == status)
        #expect(handler.log.size <= limit)
        try handler.waitUntilFreed(on: server)
    }

    @Test(arguments: [0, 4, 100_000])
    func aClientThatLeavesFreesTheReceiver(size: Int) throws {
        let (handler, server, _) = try serve()
        do {
            let client = try RawClient(port: server.port)
            let body = String.numbered(size: size)
            try client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 200000\r\n\r\n\(body)")
            // The client leaves when everything is read, because libmicrohttpd can miss an end that arrives together
            // with data, and then notices it only at the request's deadline.
            try handler.ask(server) { handler.log.born > 0 && handler.log.size >= size }
            #expect(handler.log.living == 1)
            #expect(handler.log.size == size)
            withExtendedLifetime(client) {}
        }
        try handler.waitUntilFreed(on: server)
        #expect(handler.log.answered == 0)
    }

    @Test func aServerThatStopsFreesTheReceiver() throws {
        let (handler, server, client) = try serve()
        try client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.answer().status == 100)
        #expect(handler.log.living == 1)
        server.stop(deadline: .zero)
        #expect(handler.log.living == 0)
        #expect(try client.everything().isEmpty)
    }

    @Test func concurrentBodiesAreNotMixed() throws {
        let (_, server, _) = try serve()
        let clients = try (0..<10).map { _ in try RawClient(port: server.port) }
        for client in clients { try client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5000\r\n\r\n") }
        for _ in 0..<50 {
            for (number, client) in clients.enumerated() { try client.send(String(repeating: "\(number)", count: 100)) }
        }
        for (number, client) in clients.enumerated() {
            #expect(try client.answer().body == String(repeating: "\(number)", count: 5_000))
        }
    }
}

/// A handler that streams the bodies of requests to `/` and sends them back.
private final class StreamingHandler: HTTPHandler {
    private let current = Mutex(Log())
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// The log of all receivers.
    var log: Log { current.withLock { $0 } }

    /// Sends requests until a condition holds, for a minute at most. The requests give the server work, so nothing has
    /// to sleep.
    func ask(_ server: HTTPServer, until condition: () -> Bool) throws {
        let client = try RawClient(port: server.port)
        let end = ContinuousClock.now + .seconds(60)
        while !condition(), ContinuousClock.now < end {
            try client.send(.get("/arrived"))
            _ = try client.answer()
        }
    }

    func waitUntilFreed(on server: HTTPServer) throws {
        try ask(server) { log.living == 0 }
        #expect(log.living == 0)
    }

    func bodyPlan(for request: borrowing HTTPRequest) -> HTTPBodyPlan {
        request.path == "/" ? .stream(to: Receiver(self), limit: limit) : .collect()
    }

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        switch request.path {
        case "/arrived":
            return .now(HTTPResponse(status: 200, body: "\(log.size)"))
        case "/collected":
            return .now(HTTPResponse(status: 200, body: "collected " + String(decoding: request.body, as: UTF8.self)))
        default:
            guard let receiver = request.receiver as? Receiver, request.body.isEmpty else {
                return .now(HTTPResponse(status: 200, body: "no receiver"))
            }
            current.withLock { $0.answered += 1 }
            return .now(HTTPResponse(status: 200, body: receiver.bytes))
        }
    }

    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        HTTPResponse(status: refusal.status, body: "\(refusal.reason)", closesConnection: true)
    }

    struct Log {
        /// The sizes of all parts.
        var parts: [Int] = []
        var born = 0
        var living = 0
        var answered = 0

        var size: Int { parts.reduce(0, +) }
    }

    final class Receiver: HTTPBodyReceiver {
        private let handler: StreamingHandler
        private(set) var bytes: [UInt8] = []

        init(_ handler: StreamingHandler) {
            self.handler = handler
            handler.current.withLock {
                $0.born += 1
                $0.living += 1
            }
        }

        deinit { handler.current.withLock { $0.living -= 1 } }

        func receive(_ part: [UInt8]) {
            bytes += part
            handler.current.withLock { $0.parts.append(part.count) }
        }
    }
}
