import CoordinateExplore
import CoordinateMCP
import CoordinateServer
import CoordinateWeb
import Logging
import Loopback
import RacingFlow

/// Requests over one connection to a server in this process with one worker. Nearly all instructions are the server's
/// and libmicrohttpd's, not the client's.
struct RequestFlow {
    private let server: Server
    private let client: LoopbackClient
    private let requests: [[UInt8]]
    /// The beginning of each expected answer.
    private let start: [UInt8]

    init(_ workload: Workload, _ form: RequestForm, sessions count: Int) throws {
        var configuration = ServerConfiguration()
        configuration.page = .none
        configuration.endpoints = [.webPages(), .agents(), .map]
        configuration.port = 0
        configuration.workers = 1
        configuration.maximumSessions = count + 2
        server = try Server(
            app: RacingFlow.app, configuration: configuration,
            logger: Logger(label: "workload", factory: { _ in SwiftLogNoOpLogHandler() }))
        try server.start()
        guard let port = server.url.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchmarkError("There is no port in \(server.url).")
        }
        client = try LoopbackClient(port: port)
        let client = client
        // The first turns of a program are slow in valgrind. After a slow turn, a session's next turns run on a lane.
        _ = try RacingSession(on: client)
        let sessions = try (0..<count).map { _ in try RacingSession(on: client) }
        requests = try workload.requests(to: sessions, as: form, over: client).map { Array($0.utf8) }
        start = Array("HTTP/1.1 \(workload == .notModified ? "304" : "200")".utf8)
    }

    /// Sends a number of requests to the sessions in turn.
    func send(_ count: Int) throws {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        for number in 0..<count {
            let size = try client.exchange(requests[number % requests.count], &buffer)
            guard buffer.starts(with: start) else {
                throw BenchmarkError(String(decoding: buffer[..<size], as: UTF8.self))
            }
        }
    }
}
