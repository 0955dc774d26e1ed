import Dispatch
import MicroHTTPD
import Synchronization

/// A server whose every answer, but to `/hello`, is made by a closure; and the streams it gave out.
final class StreamServer: HTTPHandler {
    typealias Answer = @Sendable (StreamServer, borrowing HTTPRequest) -> HTTPAnswer

    private let given = Mutex<[HTTPStream]>([])
    private let streamsThatEnded = Mutex(0)
    private let capacity: HTTPStream.Capacity
    private let heartbeat: HTTPStream.Heartbeat?
    private let answer: Answer
    /// Signalled for each stream that is given out.
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

    /// The streams given out so far, in the order they were asked for.
    var streams: [HTTPStream] { given.withLock { $0 } }

    /// How many times any stream said that it ended.
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

    /// Connects, asks for a stream and reads its header.
    func client(of server: HTTPServer) throws -> (client: RawClient, stream: HTTPStream) {
        let client = try RawClient(port: server.port)
        try client.send(.get("/"))
        _ = try client.answer(toHead: true)
        begun.wait()
        return (client, streams[streams.count - 1])
    }
}

extension DispatchSemaphore {
    /// Whether it is signalled so many times, before a time that is too long for anything.
    func isSignalled(times: Int = 1) -> Bool {
        (0..<times).allSatisfy { _ in wait(timeout: .now() + 30) == .success }
    }

    /// Whether it has been signalled already.
    func isSignalledByNow() -> Bool { wait(timeout: .now()) == .success }
}
