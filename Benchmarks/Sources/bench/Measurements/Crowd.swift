import Foundation
import Loopback

/// A server with a number of live sessions, forks of one that has three events.
struct Crowd {
    /// The most sessions that requests are spread over: more than there is time for.
    private static let mostAsked = 200_000

    let count: Int
    /// The resident memory of a session whose route was not asked for yet.
    let bytes: Double
    /// That of one whose route was read, and is kept encoded.
    let bytesRead: Double
    /// Files of requests for wrk.
    let reads: URL
    let writes: URL
    private let server: ServerProcess

    init(of wanted: Int, on server: ServerProcess, wrk: Wrk) throws {
        self.server = server
        let client = try LoopbackClient(port: server.port)
        let original = try RacingSession(on: client)
        // What is made once, on the first request of each kind, is no part of a session.
        _ = try wrk.forks(of: original, on: server, client: client, until: 100)
        let sessionsBefore = try client.sessions(.live)
        let memoryBefore = try server.residentMemory()
        let sessions = try wrk.forks(of: original, on: server, client: client, until: sessionsBefore + wanted)
        count = try client.sessions(.live)
        let perSession = Double(try server.residentMemory() - memoryBefore) / Double(count - sessionsBefore)
        bytes = perSession
        let step = max(1, sessions.count / Self.mostAsked)
        let asked = stride(from: 0, to: sessions.count, by: step).map { sessions[$0] }
        // Those that are read are not written to, so that their routes stay encoded, however many they are.
        let readers = Array(asked[..<(asked.count / 2)])
        let memoryUnread = try server.residentMemory()
        let requests = try Workload.route.requests(to: readers, over: client)
        for request in requests { try client.send(request) }
        bytesRead = perSession + Double(try server.residentMemory() - memoryUnread) / Double(readers.count)
        reads = try wrk.prepare(requests, as: "reads-\(wanted)")
        let writers = Array(asked[(asked.count / 2)...])
        writes = try wrk.prepare(try Workload.minimal.requests(to: writers, over: client), as: "writes-\(wanted)")
    }

    /// The microseconds of processor time a request, and the requests a second.
    func cost(of file: URL, wrk: Wrk, seconds: Int) throws -> (Double, Double) {
        let before = try server.processorTime()
        let run = try wrk.run(file, against: server, seconds: seconds)
        return ((try server.processorTime() - before) / Double(run.requests) * 1e6, run.perSecond)
    }
}

extension Wrk {
    /// Forks a session until the server has as many as are wanted; by wrk where they are many, and then a few more.
    ///
    /// A fork has no tree before it is first used. So each gets an event that no coordinator is there for: it is refused
    /// once there is a tree, and leaves nothing else behind, neither an entry nor an encoded route.
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
        let event = #"{"event": "splash.didFinish", "at": "nobody"}"#
        for fork in forks {
            let status = try client.ask(HTTPText.post("/events", event, headers: [fork.session])).status
            guard status == 422 else { throw BenchmarkError("An event at nobody was answered by \(status).") }
        }
        return forks
    }
}

extension LoopbackClient {
    /// What sessions are counted.
    enum SessionKind: String {
        case live = "coordinate_sessions"
        case passive = "coordinate_sessions_passive"
    }

    /// How many sessions the server has.
    func sessions(_ kind: SessionKind) throws -> Int { Int(try metric(kind.rawValue)) }

    func metric(_ name: String) throws -> Double {
        guard let number = try metrics()[name] else { throw BenchmarkError("The server does not tell \(name).") }
        return number
    }

    /// The numbers that the server tells of itself, by name.
    func metrics() throws -> [String: Double] {
        let lines = try send(HTTPText.get("/metrics")).body.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Dictionary(
            lines.compactMap { line in
                let words = line.split(separator: " ")
                return words.last.flatMap { Double($0) }.map { (String(words[0]), $0) }
            }, uniquingKeysWith: { $1 })
    }
}
