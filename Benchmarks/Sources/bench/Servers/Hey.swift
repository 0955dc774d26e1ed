import Foundation

/// Load at a fixed rate, with the time of every answer: hey on the same machine.
struct Hey {
    private static let connections = 16
    private let program: Program

    /// Nil where hey is not installed.
    init?() {
        guard let program = Program(named: "hey") else { return nil }
        self.program = program
    }

    /// One request, over and over.
    struct Load {
        var path = "/route"
        /// Nil for GET.
        var body: String?
        var headers: [String] = []
        /// Requests a second; nil for as many as go.
        var rate: Double?
    }

    /// Sends requests, and returns how long each took, in milliseconds, in ascending order.
    func latencies(of load: Load, against server: ServerProcess, seconds: Int) throws -> [Double] {
        let text = try program.run(arguments(of: load, server, seconds, connections: Self.connections))
        return try Self.latencies(in: text, of: server).sorted()
    }

    /// Sends several requests at once, each on a connection of its own and by a hey of its own; the same otherwise.
    ///
    /// - Parameter folder: For files that nobody needs afterwards.
    func latencies(
        of loads: [Load], against server: ServerProcess, seconds: Int, folder: URL
    ) throws -> [Double] {
        let files = loads.indices.map { folder.appending(path: "hey-\($0)") }
        let processes = try zip(loads, files).map { load, file in
            // The first second, in which they start, does not count.
            try program.start(arguments(of: load, server, seconds + 1, connections: 1), writingTo: file)
        }
        for process in processes { process.waitUntilExit() }
        return try files.flatMap { file in
            try Self.latencies(in: String(contentsOf: file, encoding: .utf8), of: server, after: 1)
        }.sorted()
    }

    private func arguments(of load: Load, _ server: ServerProcess, _ seconds: Int, connections: Int) -> [String] {
        var arguments = ["-z", "\(seconds)s", "-c", "\(connections)", "-o", "csv"]
        if let rate = load.rate { arguments += ["-q", (rate / Double(connections)).text(2)] }
        if let body = load.body { arguments += ["-m", "POST", "-T", "application/json", "-d", body] }
        for header in load.headers { arguments += ["-H", header] }
        return arguments + [server.url + load.path]
    }

    /// - Parameter start: Seconds after which a request has to be sent to count.
    private static func latencies(
        in text: String, of server: ServerProcess, after start: Double = 0
    ) throws -> [Double] {
        // "response-time,…,status-code,offset", the first and the last in seconds
        let latencies = try text.split(separator: "\n").dropFirst().compactMap { line -> Double? in
            let fields = line.split(separator: ",")
            guard let time = Double(fields[0]), let status = Int(fields[6]), status < 400,
                let offset = fields.last.flatMap({ Double($0) })
            else { throw BenchmarkError("\(server.name) did not answer every request: \(line)") }
            return offset < start ? nil : time * 1_000
        }
        guard !latencies.isEmpty else { throw BenchmarkError("\(server.name) did not answer.") }
        return latencies
    }
}
