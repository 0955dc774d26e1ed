import Foundation
import Loopback

/// A server with a number of live sessions, which are forks of one session with three events.
struct Crowd {
    /// The most sessions that requests are spread over. A round cannot reach more.
    private static let mostAsked = 200_000

    let count: Int
    /// The resident memory per session before its route is read.
    let bytes: Double
    /// The resident memory per session after its route was read and its encoding is kept.
    let bytesRead: Double
    /// Files of requests for wrk.
    let reads: URL
    let writes: URL
    private let server: ServerProcess

    init(of wanted: Int, on server: ServerProcess, wrk: Wrk) throws {
        self.server = server
        let client = try LoopbackClient(port: server.port)
        let original = try RacingSession(on: client)
        // Data that the first request of each kind creates does not belong to a session.
        _ = try wrk.forks(of: original, on: server, client: client, until: 100)
        let sessionsBefore = try client.sessions(.live)
        let memoryBefore = try server.residentMemory()
        let sessions = try wrk.forks(of: original, on: server, client: client, until: sessionsBefore + wanted)
        count = try client.sessions(.live)
        let perSession = Double(try server.residentMemory() - memoryBefore) / Double(count - sessionsBefore)
        bytes = perSession
        let step = max(1, sessions.count / Self.mostAsked)
        let asked = stride(from: 0, to: sessions.count, by: step).map { sessions[$0] }
        // Sessions that are read get no writes, so that their routes stay encoded.
        let readers = Array(asked[..<(asked.count / 2)])
        let memoryUnread = try server.residentMemory()
        let requests = try Workload.route.requests(to: readers, over: client)
        for request in requests { try client.send(request) }
        bytesRead = perSession + Double(try server.residentMemory() - memoryUnread) / Double(readers.count)
        reads = try wrk.prepare(requests, as: "reads-\(wanted)")
        let writers = Array(asked[(asked.count / 2)...])
        writes = try wrk.prepare(try Workload.minimal.requests(to: writers, over: client), as: "writes-\(wanted)")
    }

    /// The microseconds of processor time per request, and the requests per second.
    func cost(of file: URL, wrk: Wrk, seconds: Int) throws -> (Double, Double) {
        let run = try wrk.run(file, against: server, seconds: seconds)
        return (run.cost, run.perSecond)
    }
}

extension Wrk {
    /// Forks a session until the server has the wanted number: most of them with wrk, the last ones one by one.
    ///
    /// A fork has no tree before its first use. So each fork gets an event for an unknown coordinator. The server
    /// creates the tree, refuses the event, and stores nothing else, neither an entry nor an encoded route.
    func forks(
        of original: RacingSession, on server: ServerProcess, client: LoopbackClient, until wanted: Int
    ) throws -> [RacingSession] {
        let fork = HTTPText.post("/sessions/\(original.id)/forks", #"{"version": 3}"#)
        let missing = try wanted - client.sessions(.live) - client.sessions(.passive)
        let locations =
            if missing > 10_000 {
                try locations(of: fork, from: server) {
                    try client.sessions(.live) + client.sessions(.passive) >= wanted
                }
            } else {
                try (0..<max(0, missing)).compactMap { _ in try client.send(fork).header("Location") }
            }
        let forks = locations.compactMap { $0.split(separator: "/").last.map { RacingSession(id: String($0)) } }
        let event = #"{"event": "splash.didFinish", "at": "unknown"}"#
        for fork in forks {
            let status = try client.ask(HTTPText.post("/events", event, headers: [fork.session])).status
            guard status == 422 else {
                throw BenchmarkError("An event for an unknown coordinator was answered with \(status).")
            }
        }
        return forks
    }
}

extension LoopbackClient {
    /// The kinds of counted sessions.
    enum SessionKind: String {
        case live = "coordinate_sessions"
        case passive = "coordinate_sessions_passive"
    }

    /// Returns the number of sessions of a kind.
    func sessions(_ kind: SessionKind) throws -> Int { Int(try metric(kind.rawValue)) }

    func metric(_ name: String) throws -> Double {
        guard let number = try metrics()[name] else { throw BenchmarkError("The server's metrics have no \(name).") }
        return number
    }

    /// Returns the server's metrics by name.
    func metrics() throws -> [String: Double] {
        let lines = try send(HTTPText.get("/metrics")).body.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Dictionary(
            lines.compactMap { line in
                let words = line.split(separator: " ")
                return words.last.flatMap { Double($0) }.map { (String(words[0]), $0) }
            }, uniquingKeysWith: { $1 })
    }
}
