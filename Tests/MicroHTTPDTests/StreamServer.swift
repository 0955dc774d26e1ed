import Dispatch
import MicroHTTPD
import Synchronization

/// A server that answers with a closure, and keeps the streams that it created and the answers that it owes.
///
/// A request for `/hello` is answered at once, and one whose path begins with the name of a ``Way`` waits in that way.
final class StreamServer: HTTPHandler {
    typealias Answer = @Sendable (StreamServer, borrowing HTTPRequest) -> HTTPAnswer

    private let given = Mutex<[HTTPStream]>([])
    private let streamsThatEnded = Mutex(0)
    private let waiting = Mutex<[ObjectIdentifier: (path: String, answer: HeldAnswer)]>([:])
    private let capacity: HTTPStream.Capacity
    private let heartbeat: HTTPStream.Heartbeat?
    private let wait: Duration
    private let answer: Answer
    /// Signalled for each stream that is created, and for each request that waits.
    let begun = DispatchSemaphore(value: 0)
    /// Signalled for each stream that ends.
    let ended = DispatchSemaphore(value: 0)
    /// Signalled for each waiting request that ended without an answer from a test.
    let expired = DispatchSemaphore(value: 0)

    private init(
        capacity: HTTPStream.Capacity, heartbeat: HTTPStream.Heartbeat?, wait: Duration, answer: @escaping Answer
    ) {
        self.capacity = capacity
        self.heartbeat = heartbeat
        self.wait = wait
        self.answer = answer
    }

    /// - Parameter wait: The time for which requests wait.
    static func make(
        workers: Int = 2,
        connectionLimit: Int = 1_000,
        idleTimeout: Duration = .seconds(30),
        requestDeadline: Duration = .seconds(10),
        capacity: HTTPStream.Capacity = HTTPStream.Capacity(),
        heartbeat: HTTPStream.Heartbeat? = nil,
        wait: Duration = .seconds(30),
        answer: @escaping Answer = { server, _ in .now(server.stream()) }
    ) throws -> (handler: StreamServer, server: HTTPServer) {
        let handler = StreamServer(capacity: capacity, heartbeat: heartbeat, wait: wait, answer: answer)
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(
                port: 0, workers: workers, connectionLimit: connectionLimit, idleTimeout: idleTimeout,
                requestDeadline: requestDeadline),
            handler: handler)
        try server.start()
        return (handler, server)
    }

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        let path = request.path
        if path == "/hello" { return .now(HTTPResponse(status: 200, body: "hello")) }
        guard let way = Way(rawValue: String(path.dropFirst().prefix { $0 != "/" })) else {
            return answer(self, request)
        }
        return way.answer(atMost: wait) { self.keep($0, to: path) }
    }

    // MARK: Streams

    /// The streams created so far, in the order of their requests.
    var streams: [HTTPStream] { given.withLock { $0 } }

    /// The number of ended streams.
    var endCount: Int { streamsThatEnded.withLock { $0 } }

    /// A new stream as an answer.
    func stream(_ first: [HTTPBody] = []) -> HTTPResponse {
        let stream = HTTPStream(capacity: capacity, heartbeat: heartbeat) { [self] in
            streamsThatEnded.withLock { $0 += 1 }
            ended.signal()
        }
        for piece in first { stream.send(piece) }
        given.withLock { $0.append(stream) }
        begun.signal()
        return HTTPResponse(status: 200, headers: [.contentType: "text/event-stream"], stream: stream)
    }

    /// Connects, requests a stream and reads its header.
    func client(of server: HTTPServer) throws -> (client: RawClient, stream: HTTPStream) {
        let client = try RawClient(port: server.port)
        try client.send(.get("/"))
        _ = try client.answer(toHead: true)
        begun.wait()
        return (client, streams[streams.count - 1])
    }

    // MARK: Waiting requests

    /// The number of requests that wait.
    var waitingCount: Int { waiting.withLock { $0.count } }

    /// The answers to the requests that wait.
    var answers: [HeldAnswer] { waiting.withLock { $0.values.map(\.answer) } }

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

extension DispatchSemaphore {
    /// Whether it is signalled that many times, within a generous time limit.
    func isSignalled(times: Int = 1) -> Bool {
        (0..<times).allSatisfy { _ in wait(timeout: .now() + 30) == .success }
    }

    /// Whether it has been signalled already.
    func isSignalledByNow() -> Bool { wait(timeout: .now()) == .success }
}

extension RawClient {
    func hello() throws -> String {
        try send(.get("/hello"))
        return try answer().body
    }
}
