import Dispatch
import MicroHTTPD
import Synchronization
import Testing

/// Answers that take long, on a server with one worker: it does not wait for them.
struct LaterAnswerTests {
    /// Answers `/slow` when it is let, and all else at once.
    private final class Handler: HTTPHandler {
        let gate = DispatchSemaphore(value: 0)
        let hasBegun = Atomic(false)

        func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
            let path = request.path
            guard path.hasPrefix("/slow") else { return .now(HTTPResponse(status: 200, body: "quick")) }
            return .later {
                self.hasBegun.store(true, ordering: .relaxed)
                self.gate.wait()
                return HTTPResponse(status: 201, body: path)
            }
        }

        func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
            HTTPResponse(status: refusal.status, body: "\(refusal.reason)")
        }
    }

    private let handler = Handler()
    private let server: HTTPServer

    init() throws {
        server = HTTPServer(configuration: HTTPServerConfiguration(port: 0, workers: 1), handler: handler)
        try server.start()
    }

    private func client() throws -> RawClient {
        try RawClient(port: server.port)
    }

    @Test func theWorkerGoesOnWithOthers() throws {
        let slow = try client()
        try slow.send(.get("/slow"))
        let quick = try client()
        for _ in 0..<3 {
            try quick.send(.get("/quick"))
            #expect(try quick.answer().body == "quick")
        }
        handler.gate.signal()
        let answer = try slow.answer()
        #expect(answer.status == 201)
        #expect(answer.body == "/slow")
        // The connection goes on as any other.
        try slow.send(.get("/quick"))
        #expect(try slow.answer().body == "quick")
    }

    @Test func theyAreAllAnsweredInTheEnd() throws {
        let clients = try (0..<5).map { _ in try client() }
        for (number, client) in clients.enumerated() { try client.send(.get("/slow/\(number)")) }
        for _ in clients { handler.gate.signal() }
        let bodies = try clients.map { try $0.answer().body }
        #expect(bodies == (0..<5).map { "/slow/\($0)" })
    }

    @Test func requestsInOnePipelineAreAnsweredInOrder() throws {
        let client = try client()
        try client.send(.get("/slow"))
        try client.send(.get("/quick"))
        handler.gate.signal()
        #expect(try client.answer().body == "/slow")
        #expect(try client.answer().body == "quick")
    }

    @Test func tooManyAreRefused() throws {
        let waiting = try (0..<32).map { _ in try client() }
        for client in waiting { try client.send(.get("/slow")) }
        // All of these have been read when later requests have been answered.
        let quick = try client()
        for _ in 0..<3 {
            try quick.send(.get("/quick"))
            #expect(try quick.answer().body == "quick")
        }
        try quick.send(.get("/slow"))
        let refused = try quick.answer()
        #expect(refused.status == 503)
        #expect(refused.body == "tooBusy")
        for _ in waiting { handler.gate.signal() }
        for client in waiting { #expect(try client.answer().status == 201) }
    }

    @Test func stoppingWaitsForThem() async throws {
        let slow = try client()
        try slow.send(.get("/slow"))
        while !handler.hasBegun.load(ordering: .relaxed) { await Task.yield() }
        async let stopped: Void = withCheckedContinuation { continuation in
            DispatchQueue.global().async { [server] in
                server.stop(deadline: .zero)
                continuation.resume()
            }
        }
        while !server.isDraining { await Task.yield() }
        handler.gate.signal()
        await stopped
    }
}
