import Foundation

/// A server on a file of SQLite with many sessions, of which it knows nothing when it starts.
struct StoredCrowd {
    /// The most sessions that requests are spread over; more are not reached in the time of a round.
    private static let mostAsked = 20_000

    /// What was seen of one file.
    struct Row {
        let sessions: Int
        /// How many of them were asked for.
        let asked: Int
        let fileSize: Int
        /// Seconds until it listens, and bytes that are resident then.
        let startTime: Spread
        let memory: Int
        /// Milliseconds of a request that wakes a session, from one client.
        let waking: Double
        /// Requests a second, a value a round.
        let get: Spread
        let post: Spread
    }

    let stage: Stage
    let room: StoreRoom

    /// Measures files with several numbers of sessions, all of them served at once.
    func measure(_ counts: [Int]) throws -> [Row] {
        let wrk = try stage.wrk()
        let sites = try counts.map { count in try Site(of: count, stage: stage, room: room, wrk: wrk) }
        var rounds = sites.map { _ in (get: [Double](), post: [Double]()) }
        // The first round warms up and does not count.
        for round in 0...max(3, stage.rounds - 2) {
            for (index, site) in sites.enumerated() {
                let rates = try [site.reads, site.writes].map { file in
                    try wrk.run(
                        file, against: site.server, seconds: stage.seconds, connections: JournalRates.clients
                    ).perSecond
                }
                guard round > 0 else { continue }
                rounds[index].get.append(rates[0])
                rounds[index].post.append(rates[1])
            }
        }
        return sites.enumerated().map { index, site in
            Row(
                sessions: site.count, asked: site.asked, fileSize: site.fileSize, startTime: site.startTime,
                memory: site.memory, waking: site.waking, get: Spread(rounds[index].get),
                post: Spread(rounds[index].post))
        }
    }

    /// A server with its file, and all sessions awake that are asked for.
    private struct Site {
        let server: ServerProcess
        let count: Int
        let asked: Int
        let fileSize: Int
        let startTime: Spread
        let memory: Int
        let waking: Double
        /// Files of requests for wrk.
        let reads: URL
        let writes: URL

        init(of count: Int, stage: Stage, room: StoreRoom, wrk: Wrk) throws {
            let address = try room.makeAddress(of: .sqlite)
            let ids = try Self.fill(address, count, stage)
            let path = String(address.dropFirst("sqlite:".count))
            var servers: [ServerProcess] = []
            for _ in 0..<3 {
                servers.last?.stop()
                // What the system has of it in its cache would not be there after a start of the machine.
                _ = try Program(named: "dd")?.run(
                    ["of=\(path)", "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none"])
                servers.append(try stage.coordinate(journal: address))
            }
            server = servers[servers.count - 1]
            startTime = Spread(servers.map(\.startTime))
            memory = try server.residentMemory()
            self.count = ids.count
            fileSize = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0

            let step = max(1, ids.count / StoredCrowd.mostAsked)
            let sessions = stride(from: 0, to: ids.count, by: step).map { RacingSession(id: ids[$0]) }.shuffled()
            asked = sessions.count
            let client = try LoopbackClient(port: server.port)
            let start = ContinuousClock.now
            for session in sessions { try client.send(HTTPText.get("/route", headers: [session.session])) }
            waking = start.duration(to: .now) / .milliseconds(1) / Double(asked)
            reads = try wrk.prepare(
                Workload.route.requests(to: Array(sessions[..<(asked / 2)]), over: client), as: "stored-reads-\(count)")
            writes = try wrk.prepare(
                Workload.minimal.requests(to: Array(sessions[(asked / 2)...]), over: client),
                as: "stored-writes-\(count)")
            Console.say("  \(ids.count.grouped) sessions: \(startTime.median.text(2)) s to start")
        }

        /// Has a server make one session, at a team's details, and fills the file with copies of it.
        private static func fill(_ address: String, _ count: Int, _ stage: Stage) throws -> [String] {
            let server = try stage.coordinate(journal: address)
            let session = HTTPText.post("/sessions", #"{"path": "/main/teams/team/ferrari"}"#)
            try LoopbackClient(port: server.port).send(session)
            server.stop()
            let program = Program(at: stage.peers.appending(path: "store-bare"))
            return try program.run(["fill", address, "\(count)"]).split(separator: "\n").map(String.init)
        }
    }
}
