import MicroHTTPD
@_exported import RawClient
import Synchronization

/// A handler that answers with a closure and notes the path of each request.
final class TestHandler: HTTPHandler {
    typealias Respond = @Sendable (borrowing HTTPRequest) -> HTTPResponse

    private let answered = Mutex<[String]>([])
    private let limit: Int?
    private let respond: Respond

    init(limit: Int? = nil, respond: @escaping Respond) {
        self.limit = limit
        self.respond = respond
    }

    /// The paths of the answered requests, oldest first.
    var paths: [String] { answered.withLock { $0 } }

    func bodyPlan(for request: borrowing HTTPRequest) -> HTTPBodyPlan { .collect(limit: limit) }

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        let path = request.path
        answered.withLock { $0.append(path) }
        return .now(respond(request))
    }

    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        HTTPResponse(status: refusal.status, body: "\(refusal.reason)")
    }
}

/// A server on a free port, with ways to talk to it.
struct TestServer {
    let server: HTTPServer
    let handler: TestHandler

    static func make(
        host: String = "127.0.0.1",
        workers: Int = 2,
        requestDeadline: Duration = .seconds(10),
        maximumBodySize: Int = 64 * 1024,
        limit: Int? = nil,
        memory: HTTPMemory = HTTPMemory(),
        respond: @escaping TestHandler.Respond = { _ in HTTPResponse(status: 200, body: "hello") },
        onLog: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> TestServer {
        let handler = TestHandler(limit: limit, respond: respond)
        let configuration = HTTPServerConfiguration(
            host: host, port: 0, workers: workers, connectionLimit: 100, requestDeadline: requestDeadline,
            maximumBodySize: maximumBodySize)
        let server = HTTPServer(configuration: configuration, handler: handler, memory: memory, onLog: onLog)
        try server.start()
        return TestServer(server: server, handler: handler)
    }

    func client() throws -> RawClient {
        try RawClient(port: server.port)
    }

    /// Sends one request on a new connection, and returns the answer.
    func answer(_ request: String) throws -> RawClient.Answer {
        let client = try client()
        try client.send(request)
        return try client.answer()
    }

    /// Sends bytes on a new connection, and returns everything until the server closes it.
    func everything(after request: String) throws -> String {
        let client = try client()
        try client.send(request)
        return try client.everything()
    }
}

extension String {
    /// A whole request without a body.
    static func get(_ target: String, _ headers: String...) -> String {
        (["GET \(target) HTTP/1.1", "Host: test"] + headers).map { $0 + "\r\n" }.joined() + "\r\n"
    }

    static func post(_ target: String, body: String, _ headers: String...) -> String {
        (["POST \(target) HTTP/1.1", "Host: test", "Content-Length: \(body.utf8.count)"] + headers)
            .map { $0 + "\r\n" }.joined() + "\r\n" + body
    }

    /// A whole `POST` with a body in chunks.
    static func chunked(_ chunks: [String], _ headers: String...) -> String {
        let body = (chunks + [""]).map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined()
        return (["POST / HTTP/1.1", "Host: test", "Transfer-Encoding: chunked"] + headers).map { $0 + "\r\n" }.joined()
            + "\r\n" + body
    }

    /// A text in which every position is different.
    static func numbered(size: Int) -> String {
        String((0...(size / 7)).map { "\(1_000_000 + $0)" }.joined().prefix(size))
    }
}
