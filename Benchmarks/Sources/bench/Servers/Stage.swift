import Foundation
import Loopback

/// The servers to measure, and the durations.
struct Stage {
    /// The root of Coordinate's repository.
    let repository: URL
    /// The program `coordinate-server`, and the folder `config` of its commit.
    var server: URL
    var config: URL
    /// The folder of this program, and of those that it starts.
    let peers: URL
    /// The folder for temporary files.
    let temporary: URL
    let isQuick: Bool

    var rounds: Int { isQuick ? 2 : 5 }
    /// The rounds of measurements without a goal, and of percentiles.
    var fewRounds: Int { isQuick ? 1 : 3 }
    var seconds: Int { isQuick ? 1 : 2 }

    func wrk() throws -> Wrk {
        try Wrk(scripts: repository.appending(path: "Benchmarks/wrk"), folder: temporary)
    }

    /// Starts Coordinate's server with its default settings, except for limits that a benchmark would reach.
    func coordinate(journal: String = "memory", passivateAfter seconds: Int = 86_400) throws -> ServerProcess {
        try ServerProcess(
            "Coordinate", program: server,
            arguments: [
                "serve", "--port", "0", "--config", config.appending(path: "server.json").path(),
                "--app-data", config.appending(path: "racing.json").path(), "--public", "",
                "--journal", journal,
            ],
            environment: [
                "COORDINATE_MAX_EVENTS": "100000000", "COORDINATE_MAX_SESSIONS": "10000000",
                "COORDINATE_MAX_MEMORY": "\(1 << 40)", "COORDINATE_SESSION_IDLE": "86400",
                "COORDINATE_PASSIVATE_AFTER": "\(seconds)",
            ])
    }

    /// Creates a file of minimal events for new sessions of a server.
    func events(to count: Int, on server: ServerProcess) throws -> URL {
        let client = try LoopbackClient(port: server.port)
        let sessions = try (0..<count).map { _ in try RacingSession(on: client) }
        return try wrk().prepare(
            Workload.minimal.requests(to: sessions, over: client), as: "events-\(server.port)")
    }

    /// Starts bare libmicrohttpd, which sends one answer to every request.
    func bare(sending answer: Answer, for workload: Workload) throws -> ServerProcess {
        let file = temporary.appending(path: "\(workload.rawValue).answer")
        try answer.bytes.write(to: file)
        let server = try ServerProcess(
            "libmicrohttpd", program: peers.appending(path: "bare"), arguments: [file.path()])
        let sent = try LoopbackClient(port: server.port).send(HTTPText.get("/"))
        guard sent.bytes.count == answer.bytes.count else {
            throw BenchmarkError("The bare server sends \(sent.bytes.count) bytes for \(answer.bytes.count).")
        }
        return server
    }

    /// Starts a program with Hummingbird that does the same work as Coordinate.
    ///
    /// - Parameter file: The SQLite file for its events. `nil` for memory.
    func hummingbirdApp(file: URL? = nil) throws -> ServerProcess {
        let season = repository.appending(path: "config/racing.json").path()
        return try ServerProcess(
            "Hummingbird app", program: peers.appending(path: "hummingbird-app"),
            arguments: [season] + (file.map { [$0.path()] } ?? []))
    }

    /// Starts Hummingbird with bodies of the same sizes.
    func hummingbird(sending answers: [Workload: Answer]) throws -> ServerProcess {
        let sizes = [Workload.route, .minimal, .full].map { "\(answers[$0]?.bodySize ?? 0)" }
        return try ServerProcess(
            "Hummingbird", program: peers.appending(path: "hummingbird-peer"), arguments: sizes)
    }
}
