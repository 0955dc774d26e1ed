import Dispatch
import MicroHTTPD
import Synchronization

/// A handler that lets every request wait, in the way named by its path, except for `/hello`.
final class WaitingHandler: HTTPHandler {
    private let waiting = Mutex<[ObjectIdentifier: (path: String, answer: HeldAnswer)]>([:])
    private let wait: Duration
    /// Signalled for each request that waits.
    let begun = DispatchSemaphore(value: 0)
    /// Signalled for each request that ended without an answer from here.
    let expired = DispatchSemaphore(value: 0)

    private init(wait: Duration) {
        self.wait = wait
    }

    static func make(
        workers: Int = 1, wait: Duration = .seconds(30)
    ) throws -> (handler: WaitingHandler, server: HTTPServer) {
        let handler = WaitingHandler(wait: wait)
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(port: 0, workers: workers, connectionLimit: 1_000), handler: handler)
        try server.start()
        return (handler, server)
    }

    var count: Int { waiting.withLock { $0.count } }

    var answers: [HeldAnswer] { waiting.withLock { $0.values.map(\.answer) } }

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        let path = request.path
        guard let way = Way(rawValue: String(path.dropFirst().prefix { $0 != "/" })) else {
            return .now(HTTPResponse(status: 200, body: "hello"))
        }
        return way.answer(atMost: wait) { self.keep($0, to: path) }
    }

    private func keep(_ answer: HeldAnswer, to path: String) {
        let id = ObjectIdentifier(answer)
        waiting.withLock { $0[id] = (path, answer) }
        answer.whenExpired {
            _ = self.waiting.withLock { $0.removeValue(forKey: id) }
            self.expired.signal()
        }
        begun.signal()
    }

    /// Answers each waiting request with its path.
    func answerAll() {
        let all = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting.values
        }
        for (path, answer) in all { answer.answer(with: HTTPResponse(status: 201, body: path)) }
    }

    /// Connects and sends a request that has to wait.
    func client(of server: HTTPServer, _ target: String) throws -> RawClient {
        let client = try RawClient(port: server.port)
        try client.send(.get(target))
        guard begun.isSignalled() else { throw RawClient.Failure(description: "no request for \(target) came") }
        return client
    }
}
