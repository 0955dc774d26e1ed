import Foundation
import Loopback

/// The servers of several commits, measured by turns in one run.
struct Comparison {
    /// A commit, and the stage with its server.
    struct Build {
        let name: String
        let stage: Stage
    }

    /// One measured value of each build.
    struct Row {
        let title: String
        /// The values in the order of the builds, one value per round.
        let values: [Spread]
    }

    /// What is measured of a server: the closure starts it, and returns what measures it in each round.
    private struct Measurement {
        let title: String
        let start: (Stage) throws -> () throws -> Double
    }

    /// The last one is the commit that is compared with the others.
    let builds: [Build]
    let rounds: Int

    func measure() throws -> [Row] {
        guard let stage = builds.last?.stage else { return [] }
        let room = try StoreRoom(stage: stage)
        let requests = Workload.allCases.map(request)
        let stores = room.stores.dropFirst().flatMap { [rate(of: $0, in: room), latency(of: $0, in: room)] }
        return try (requests + stores + [replay, explore, memory]).map { measurement in
            let runs = try builds.map { try measurement.start($0.stage) }
            var values = builds.map { _ in [Double]() }
            // The first round only warms up. The order changes, so that a busy moment meets all of them.
            for round in 0...rounds {
                for index in runs.indices {
                    let place = (index + round) % runs.count
                    let value = try runs[place]()
                    if round > 0 { values[place].append(value) }
                }
            }
            let row = Row(title: measurement.title, values: values.map(Spread.init))
            Console.say("  \(row.title): \(row.values.map { $0.text(digits: 2) }.joined(separator: ", "))")
            return row
        }
    }

    /// A table of all rows.
    func table(of rows: [Row]) -> Table {
        let earlier = builds.dropLast().map(\.name)
        var table = Table(columns: ["what"] + builds.map(\.name) + earlier.map { "/ \($0)" })
        for row in rows {
            let ratios = row.values.dropLast().map { row.values[row.values.count - 1].ratio(to: $0) }
            table.rows.append(
                [row.title] + row.values.map { $0.text(digits: 2) } + ratios.map { "**\($0.text(digits: 2))**" })
        }
        return table
    }

    // MARK: Rows

    private func request(_ workload: Workload) -> Measurement {
        Measurement(title: "\(workload.title), µs") { stage in
            let server = try stage.coordinate()
            return {
                let client = try LoopbackClient(port: server.port)
                let sessions = try (0..<64).map { _ in try RacingSession(on: client) }
                let requests = try workload.requests(to: sessions, over: client)
                if workload == .notModified {
                    guard let hey = Hey() else { throw BenchmarkError("hey is not installed.") }
                    let load = Hey.Load(repeating: requests[0], connections: JournalRates.clients)
                    return try server.cost {
                        try hey.latencies(of: load, against: server, seconds: stage.seconds).count
                    }
                }
                let file = try stage.wrk().prepare(requests, as: "compared-\(server.port)")
                return try stage.wrk().run(
                    file, against: server, seconds: stage.seconds, connections: JournalRates.clients
                ).cost
            }
        }
    }

    /// Starts a server with a journal, and creates a file of events for its sessions.
    private func site(of store: Store, in room: StoreRoom, _ stage: Stage) throws -> (ServerProcess, URL) {
        let server = try stage.coordinate(journal: room.makeAddress(of: store))
        return (server, try stage.events(to: 1_000, on: server))
    }

    private func rate(of store: Store, in room: StoreRoom) -> Measurement {
        Measurement(title: "\(store.title), events/s") { stage in
            let (server, file) = try site(of: store, in: room, stage)
            return {
                try stage.wrk().run(
                    file, against: server, seconds: stage.seconds, connections: JournalRates.clients
                ).perSecond
            }
        }
    }

    private func latency(of store: Store, in room: StoreRoom) -> Measurement {
        Measurement(title: "\(store.title), p99 at half load, ms") { stage in
            let (server, file) = try site(of: store, in: room, stage)
            let wrk = try stage.wrk()
            let rate = try wrk.run(
                file, against: server, seconds: stage.seconds, connections: JournalRates.clients
            ).perSecond
            return {
                try wrk.percentiles(
                    of: file, against: server, rate: rate / 2, seconds: stage.seconds * 2,
                    connections: JournalRates.clients)[1]
            }
        }
    }

    private var replay: Measurement {
        Measurement(title: "replayed events/s") { stage in
            let waking = try Waking(stage: stage).start()
            return { try waking.rate() }
        }
    }

    private var explore: Measurement {
        Measurement(title: "explored transitions/s") { stage in
            let file = stage.temporary.appending(path: "graph").path()
            return {
                // The time of the shell that waits for the walk.
                let before = Self.childrenTime
                _ = try Program(at: URL(filePath: "/bin/sh")).run([
                    "-c",
                    #""$0" explore --key path --config "$1/server.json" --app-data "$1/racing.json" >"$2" 2>/dev/null"#,
                    stage.server.path(), stage.config.path(), file,
                ])
                let seconds = Self.childrenTime - before
                let graph = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file)))
                guard let transitions = (graph as? [String: Any])?["transitions"] as? [Any] else {
                    throw BenchmarkError("The walk wrote no graph.")
                }
                return Double(transitions.count) / seconds
            }
        }
    }

    private var memory: Measurement {
        Measurement(title: "bytes per live session, its route read") { stage in
            { try Crowd(of: 5_000, on: stage.coordinate(), wrk: stage.wrk()).bytesRead }
        }
    }

    /// The processor time of the ended child processes, in seconds.
    private static var childrenTime: Double {
        var usage = rusage()
        getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
