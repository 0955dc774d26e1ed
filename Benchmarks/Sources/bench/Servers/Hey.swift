import Foundation
import Loopback

/// Load at a fixed rate, with the time of every answer: hey on the same machine.
struct Hey {
    private let program: Program

    /// `nil` if hey is not installed.
    init?() {
        guard let program = Program(named: "hey") else { return nil }
        self.program = program
    }

    /// One request, repeated.
    struct Load {
        var path = "/route"
        /// The body. `nil` for GET.
        var body: String?
        var headers: [String] = []
        /// Requests per second. `nil` for no limit.
        var rate: Double?
        var connections = 16
    }

    /// Sends requests and returns how long each one took, in milliseconds, in ascending order.
    func latencies(of load: Load, against server: ServerProcess, seconds: Int) throws -> [Double] {
        var arguments = ["-z", "\(seconds)s", "-c", "\(load.connections)", "-o", "csv"]
        if let rate = load.rate { arguments += ["-q", (rate / Double(load.connections)).text(2)] }
        if let body = load.body { arguments += ["-m", "POST", "-T", "application/json", "-d", body] }
        for header in load.headers { arguments += ["-H", header] }
        let text = try program.run(arguments + [server.url + load.path])
        // "response-time,…,status-code,offset", the first in seconds
        let lines = text.split(separator: "\n").dropFirst()
        let latencies = try lines.map { line in
            let fields = line.split(separator: ",")
            guard let time = Double(fields[0]), let status = Int(fields[6]), status < 400 else {
                throw BenchmarkError("\(server.name) did not answer every request: \(line)")
            }
            return time * 1_000
        }
        guard !latencies.isEmpty else { throw BenchmarkError("\(server.name) did not answer.") }
        return latencies.sorted()
    }
}

extension Hey.Load {
    /// The load of one `GET`, from its text.
    init(repeating request: String, connections: Int) {
        let lines = request.components(separatedBy: "\r\n")
        path = lines[0].components(separatedBy: " ")[1]
        headers = lines.dropFirst().filter { !$0.isEmpty && !$0.hasPrefix("Host:") }
        self.connections = connections
    }
}
