internal import CEventLoop
internal import Glibc
internal import Synchronization

/// A check that libmicrohttpd does what this module relies on. Before a server listens, it sends itself one good and
/// one bad request over a socket pair.
///
/// The library is linked dynamically, so the program may run with a version that was not tested.
enum SelfTest {
    private final class Handler: HTTPHandler {
        func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
            let body = "\(request.method) \(request.path) \(request.query ?? "") \(request.header(.prefer) ?? "")"
            return .now(HTTPResponse(status: .ok, body: body + " \(request.body.count)"))
        }

        func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
            HTTPResponse(status: refusal.status, body: "\(refusal.reason)")
        }
    }

    private static let cases = [
        (
            "POST /a%20b?c=d HTTP/1.1\r\nHost: localhost\r\nPrefer: e\r\nContent-Length: 2\r\nConnection: close\r\n\r\nfg",
            "HTTP/1.1 200 ", "POST /a%20b c=d e 2"
        ),
        (
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            "HTTP/1.1 400 ", "conflictingContentLength"
        ),
    ]

    /// The longest time that an answer may take.
    private static let patience = Duration.seconds(10)

    /// - Throws: ``HTTPServerError/library(version:reason:)`` if an answer is not as expected.
    static func run() throws(HTTPServerError) {
        let table = ConnectionTable()
        table.setLimits(ConnectionLimits(regular: 4), workers: 1)
        let worker = try HTTPWorker(number: 0, table: table, fallback: { _ in })
        let log = Mutex<[String]>([])
        let service = Service(
            configuration: HTTPServerConfiguration(), handler: Handler(), memory: HTTPMemory(),
            onLog: { line in log.withLock { $0.append(line) } },
            onExchange: nil)
        let loop = EventLoop(worker, of: service, table: table)
        try loop.start(limit: 8)
        defer { loop.stop() }
        for (request, head, body) in cases {
            let answer = try answer(to: request, by: loop, table, worker)
            guard answer.hasPrefix(head), answer.hasSuffix("\r\n\r\n" + body) else {
                throw .library(
                    version: HTTPServer.libraryVersion,
                    reason: """
                        it answered \(answer.prefix(80).debugDescription) to \(request.debugDescription), and logged \
                        \(log.withLock { $0.last?.debugDescription ?? "nothing" })
                        """)
            }
        }
    }

    private static func answer(
        to request: String, by loop: EventLoop, _ table: ConnectionTable, _ worker: HTTPWorker
    ) throws(HTTPServerError) -> String {
        var sockets: [Int32] = [0, 0]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0 else {
            throw .notEnoughFiles(granted: FileLimit.granted)
        }
        let client = sockets[0]
        defer { close(client) }
        _ = fcntl(sockets[1], F_SETFL, O_NONBLOCK)
        guard let entry = table.admit(sockets[1], from: .loopback, avoiding: []) else {
            close(sockets[1])
            return ""
        }
        worker.post(.connect(entry))
        _ = unsafe send(client, request, request.utf8.count, Int32(MSG_NOSIGNAL))
        var answer: [UInt8] = []
        let end = ContinuousClock.now + patience
        while ContinuousClock.now < end {
            loop.doRound()
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = unsafe recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count > 0 { answer += bytes.prefix(count) }
            // Both answers end their connections.
            if count == 0 || count < 0 && errno != EAGAIN { break }
            loop.waitForMore(atMost: 10_000_000)
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
