import Foundation
import Loopback

/// A server with many sessions in an SQLite file, none of which it knows at the start.
struct StoredCrowd {
    /// The numbers of sessions that requests are spread over: as many as in a small file, and as many as a round can
    /// reach.
    private static let asked = [1_000, 20_000]

    /// The results of one file, and of requests to some of its sessions.
    struct Row {
        let sessions: Int
        let asked: Int
        let fileSize: Int
        /// The seconds until it listens, and the resident bytes at that time.
        let startTime: Spread
        let memory: Int
        /// The milliseconds of a request that wakes a session, from one client.
        let waking: Double
        /// Requests per second, one value per round.
        let get: Spread
        let post: Spread
    }

    let stage: Stage
    let room: StoreRoom

    /// Measures files with several numbers of sessions. All servers run at the same time.
    func measure(_ counts: [Int]) throws -> [Row] {
        let wrk = try stage.wrk()
        let sites = try counts.map { count in try Site(of: count, stage: stage, room: room, wrk: wrk) }
        let places = sites.flatMap { site in site.loads.map { (site, $0) } }
        var rounds = places.map { _ in (get: [Double](), post: [Double]()) }
        // The first round only warms up.
        for round in 0...stage.rounds {
            for (index, (site, load)) in places.enumerated() {
                let rates = try [load.reads, load.writes].map { file in
                    try wrk.run(
                        file, against: site.server, seconds: stage.seconds, connections: JournalRates.clients
                    ).perSecond
                }
                guard round > 0 else { continue }
                rounds[index].get.append(rates[0])
                rounds[index].post.append(rates[1])
            }
        }
        return places.enumerated().map { index, place in
            let (site, load) = place
            return Row(
                sessions: site.count, asked: load.asked, fileSize: site.fileSize, startTime: site.startTime,
                memory: site.memory, waking: site.waking, get: Spread(rounds[index].get),
                post: Spread(rounds[index].post))
        }
    }

    /// Requests to some sessions, as files for wrk.
    private struct Load {
        let asked: Int
        let reads: URL
        let writes: URL
    }

    /// A server with its file. All requested sessions are awake.
    private struct Site {
        let server: ServerProcess
        let count: Int
        let fileSize: Int
        let startTime: Spread
        let memory: Int
        let waking: Double
        let loads: [Load]

        init(of count: Int, stage: Stage, room: StoreRoom, wrk: Wrk) throws {
            let address = try room.makeAddress(of: .sqlite)
            let path = String(address.dropFirst("sqlite:".count))
            let ids = try Self.fill(path, count, stage)
            var servers: [ServerProcess] = []
            for _ in 0..<3 {
                servers.last?.stop()
                // Drops the file from the system's cache, as after a restart of the machine.
                _ = try Program(named: "dd")?.run(
                    ["of=\(path)", "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none"])
                servers.append(try stage.coordinate(journal: address))
            }
            server = servers[servers.count - 1]
            startTime = Spread(servers.map(\.startTime))
            memory = try server.residentMemory()
            self.count = ids.count
            fileSize = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            Console.say("  \(ids.count.grouped) sessions: \(startTime.median.text(2)) s to start")

            // Spread over the file, in no order.
            let step = max(1, ids.count / (StoredCrowd.asked.max() ?? 1))
            let sessions = stride(from: 0, to: ids.count, by: step).map { RacingSession(id: ids[$0]) }.shuffled()
            let client = try LoopbackClient(port: server.port)
            let start = ContinuousClock.now
            for session in sessions { try client.send(HTTPText.get("/route", headers: [session.session])) }
            waking = start.duration(to: .now) / .milliseconds(1) / Double(sessions.count)
            loads = try StoredCrowd.asked.filter { $0 <= sessions.count }.map { asked in
                let (readers, writers) = (sessions[..<(asked / 2)], sessions[(asked / 2)..<asked])
                return Load(
                    asked: asked,
                    reads: try wrk.prepare(
                        Workload.route.requests(to: Array(readers), over: client), as: "reads-\(asked)-of-\(count)"),
                    writes: try wrk.prepare(
                        Workload.minimal.requests(to: Array(writers), over: client), as: "writes-\(asked)-of-\(count)"))
            }
        }

        /// Creates one session at a team's details with a server, and fills the file with copies of it.
        private static func fill(_ path: String, _ count: Int, _ stage: Stage) throws -> [String] {
            let server = try stage.coordinate(journal: "sqlite:\(path)")
            let session = HTTPText.post("/sessions", #"{"path": "/main/teams/team/ferrari"}"#)
            try LoopbackClient(port: server.port).send(session)
            server.stop()
            let program = Program(at: stage.peers.appending(path: "store-bare"))
            return try program.run(["fill", path, "\(count)"]).split(separator: "\n").map(String.init)
        }
    }
}
