import Dispatch
import MicroHTTPD
import Synchronization

/// A server that answers with a closure, except for `/hello`, and keeps the streams that it created.
final class StreamServer: HTTPHandler {
    typealias Answer = @Sendable (StreamServer, borrowing HTTPRequest) -> HTTPAnswer

    private let given = Mutex<[HTTPStream]>([])
    private let streamsThatEnded = Mutex(0)
    private let capacity: HTTPStream.Capacity
    private let heartbeat: HTTPStream.Heartbeat?
    private let answer: Answer
    /// Signalled for each stream that is created.
    let begun = DispatchSemaphore(value: 0)
    /// Signalled for each stream that ends.
    let ended = DispatchSemaphore(value: 0)

    private init(capacity: HTTPStream.Capacity, heartbeat: HTTPStream.Heartbeat?, answer: @escaping Answer) {
        self.capacity = capacity
        self.heartbeat = heartbeat
        self.answer = answer
    }

    static func make(
        workers: Int = 2,
        connectionLimit: Int = 100,
        idleTimeout: Duration = .seconds(30),
        requestDeadline: Duration = .seconds(10),
        capacity: HTTPStream.Capacity = HTTPStream.Capacity(),
        heartbeat: HTTPStream.Heartbeat? = nil,
        answer: @escaping Answer = { server, _ in .now(server.stream()) }
    ) throws -> (handler: StreamServer, server: HTTPServer) {
        let handler = StreamServer(capacity: capacity, heartbeat: heartbeat, answer: answer)
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(
                port: 0, workers: workers, connectionLimit: connectionLimit, idleTimeout: idleTimeout,
                requestDeadline: requestDeadline),
            handler: handler)
        try server.start()
        return (handler, server)
    }

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

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        if request.path == "/hello" { return .now(HTTPResponse(status: 200, body: "hello")) }
        return answer(self, request)
    }

    /// Connects, requests a stream and reads its header.
    func client(of server: HTTPServer) throws -> (client: RawClient, stream: HTTPStream) {
        let client = try RawClient(port: server.port)
        try client.send(.get("/"))
        _ = try client.answer(toHead: true)
        begun.wait()
        return (client, streams[streams.count - 1])
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
