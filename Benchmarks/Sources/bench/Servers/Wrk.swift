import Foundation
import Loopback

/// Load from wrk on one thread of the same machine. Its own time does not count.
struct Wrk {
    private let program: Program
    private let scripts: URL
    /// The folder for files of requests.
    private let folder: URL

    /// The result of one run.
    struct Run {
        let requests: Int
        let perSecond: Double
        /// The microseconds of the server's processor time per request.
        let cost: Double
    }

    init(scripts: URL, folder: URL) throws {
        guard let program = Program(named: "wrk") else {
            throw BenchmarkError(
                "wrk is not installed. Install it, for example with apt-get install wrk, and run make bench again.")
        }
        self.program = program
        self.scripts = scripts
        self.folder = folder
    }

    /// Writes requests to a file for many runs.
    func prepare(_ requests: [String], as name: String) throws -> URL {
        let file = folder.appending(path: name)
        try requests.joined(separator: "\u{1}").write(to: file, atomically: false, encoding: .utf8)
        return file
    }

    /// Repeats the requests in a file.
    func run(_ file: URL, against server: ServerProcess, seconds: Int, connections: Int = 16) throws -> Run {
        let before = try server.processorTime()
        let words = try send("requests.lua", [file.path()], to: server, seconds: seconds, connections: connections)
        let time = try server.processorTime() - before
        // "  123456 requests in 2.00s, 12.34MB read", "Requests/sec:  61728.00"
        guard let requests = words.firstIndex(of: "requests").flatMap({ Int(words[$0 - 1]) }), requests > 0,
            let perSecond = words.firstIndex(of: "Requests/sec:").flatMap({ Double(words[$0 + 1]) })
        else { throw BenchmarkError("\(server.name) did not answer.") }
        return Run(requests: requests, perSecond: perSecond, cost: time / Double(requests) * 1e6)
    }

    /// Repeats the requests in a file at a fixed rate per second.
    ///
    /// - Returns: The 50th, 99th and 99.9th percentiles in milliseconds.
    func percentiles(
        of file: URL, against server: ServerProcess, rate: Double, seconds: Int, connections: Int
    ) throws -> [Double] {
        let arguments = [file.path(), rate.text(2)]
        let words = try send("paced.lua", arguments, to: server, seconds: seconds, connections: connections)
        guard let start = words.firstIndex(of: "percentiles:") else {
            throw BenchmarkError("\(server.name) did not answer.")
        }
        return words[(start + 1)...].prefix(3).compactMap { Double($0) }.map { $0 / 1_000 }
    }

    /// Runs a script, and returns the words that it writes.
    private func send(
        _ script: String, _ arguments: [String], to server: ServerProcess, seconds: Int, connections: Int
    ) throws -> [Substring] {
        let script = scripts.appending(path: script).path()
        let text = try program.run(
            ["-t1", "-c\(connections)", "-d\(seconds)s", "-s", script, server.url, "--"] + arguments)
        guard !text.contains("Non-2xx"), !text.contains("Socket errors") else {
            throw BenchmarkError("\(server.name) did not answer every request:\n\(text)")
        }
        return text.split(whereSeparator: \.isWhitespace)
    }

    /// Repeats one request until `isDone` returns true. Returns the `Location` of every answer.
    func locations(
        of request: String, from server: ServerProcess, until isDone: @escaping () throws -> Bool
    ) throws -> [String] {
        let file = try prepare([request], as: "fork")
        let places = folder.appending(path: "places")
        let script = scripts.appending(path: "forks.lua").path()
        _ = try program.run(
            ["-t1", "-c16", "-d3600s", "-s", script, server.url, "--", file.path(), places.path()], until: isDone)
        return try String(contentsOf: places, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
