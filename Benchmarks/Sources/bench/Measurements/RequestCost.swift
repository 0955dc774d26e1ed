import Foundation
import Loopback

/// The processor time of a request: Coordinate, bare libmicrohttpd and Hummingbird in turn, round after round.
struct RequestCost {
    /// A kind of request, how it names its session, and how many clients and sessions there are.
    struct Case: Hashable {
        let workload: Workload
        let form: RequestForm
        var connections = 16
        var sessions = 64

        /// Both forms for few and for many clients, and for all of them in one session.
        static let all = Workload.allCases.flatMap { workload in
            RequestForm.allCases.flatMap { form in
                [16, 64].map { Case(workload: workload, form: form, connections: $0) }
            } + [Case(workload: workload, form: .long, sessions: 1)]
        }

        /// Whether Hummingbird is measured as well. For Hummingbird, all forms are equal.
        var hasPeer: Bool { form == .short && connections == 16 }

        /// Whether its rounds count for the goal.
        var hasGoal: Bool { sessions > 1 }
    }

    /// The microseconds of processor time per request, one value per round.
    struct Costs {
        var coordinate: [Double] = []
        var bare: [Double] = []
        var hummingbird: [Double] = []

        /// Coordinate's time divided by bare libmicrohttpd's in the same round.
        var ratio: Spread { Spread(coordinate).ratio(to: Spread(bare)) }
        /// Hummingbird's time divided by bare libmicrohttpd's in the same round.
        var peerRatio: Spread { Spread(hummingbird).ratio(to: Spread(bare)) }
    }

    /// All results.
    struct Result {
        var costs: [Case: Costs]
        /// The sizes of whole answers, in bytes.
        let sizes: [Workload: Int]
        /// The instructions of Coordinate's server without the kernel's. `nil` if they were not counted.
        let instructions: [Case: Int]?
    }

    let stage: Stage

    func measure() throws -> Result {
        let wrk = try stage.wrk()
        guard let hey = Hey() else {
            throw BenchmarkError("hey is not installed. Install it, and run make bench again.")
        }
        let coordinate = try stage.coordinate()
        let client = try LoopbackClient(port: coordinate.port)
        // Reads and writes use different sessions, so that entity tags do not change.
        let readers = try (0..<64).map { _ in try RacingSession(on: client) }
        var answers: [Workload: Answer] = [:]
        var loads: [Case: Hey.Load] = [:]
        /// Creates the files of requests. The writers are new in each round, because a session's journal has a limit.
        func prepare() throws -> [Case: URL] {
            // The server closed the previous connection while it was idle.
            let client = try LoopbackClient(port: coordinate.port)
            let writers = try (0..<64).map { _ in try RacingSession(on: client) }
            var files: [Case: URL] = [:]
            for one in Case.all {
                let sessions = (one.workload.isEvent ? writers : readers).prefix(one.sessions)
                let requests = try one.workload.requests(to: Array(sessions), as: one.form, over: client)
                let file = try wrk.prepare(requests, as: "\(one.workload)-\(one.form)-\(one.sessions).requests")
                files[one] = file
                // wrk waits for the body of a 304, whose length is that of the route, but which has none.
                if one.workload == .notModified {
                    loads[one] = Hey.Load(repeating: requests[0], connections: one.connections)
                }
                guard answers[one.workload] == nil else { continue }
                // The numbers in an answer get as many digits as they will have during the measurement.
                if one.workload.isEvent { _ = try wrk.run(file, against: coordinate, seconds: 1) }
                answers[one.workload] = try client.send(requests[0])
            }
            return files
        }
        var files = try prepare()
        let bare = try answers.map { ($0, try stage.bare(sending: $1, for: $0)) }
        let servers = (bare: Dictionary(uniqueKeysWithValues: bare), peer: try stage.hummingbird(sending: answers))

        var costs: [Case: Costs] = [:]
        // The first round only warms up.
        for round in 0...stage.rounds {
            if round > 0 { files = try prepare() }
            for one in Case.all where one.hasGoal || round <= stage.fewRounds {
                guard let file = files[one], let bare = servers.bare[one.workload] else { continue }
                func cost(of server: ServerProcess) throws -> Double {
                    let seconds = round == 0 ? 1 : stage.seconds
                    guard let load = loads[one] else {
                        return try wrk.run(file, against: server, seconds: seconds, connections: one.connections).cost
                    }
                    return try server.cost {
                        try hey.latencies(of: load, against: server, seconds: seconds).count
                    }
                }
                let (own, least) = (try cost(of: coordinate), try cost(of: bare))
                let peer = one.hasPeer && round <= stage.fewRounds ? try cost(of: servers.peer) : nil
                guard round > 0 else { continue }
                costs[one, default: Costs()].coordinate.append(own)
                costs[one, default: Costs()].bare.append(least)
                if let peer { costs[one, default: Costs()].hummingbird.append(peer) }
                let texts = [own, least, peer].compactMap { $0?.text(2) }.joined(separator: ", ")
                Console.say(
                    "  round \(round), \(one.workload.title), \(one.form), \(one.connections) connections, "
                        + "\(one.sessions) sessions: \(texts) µs")
            }
        }
        return Result(
            costs: costs, sizes: answers.mapValues { $0.bytes.count },
            instructions: stage.isQuick ? nil : try Instructions(stage)?.count())
    }
}

/// The instructions of a request to Coordinate's server, including libmicrohttpd's, without the kernel's. They are the
/// same on every machine.
private struct Instructions {
    private let valgrind: Program
    private let workload: URL
    private let log: URL

    /// `nil` if valgrind is not installed.
    init?(_ stage: Stage) throws {
        guard let valgrind = Program(named: "valgrind"), let strip = Program(named: "strip") else { return nil }
        self.valgrind = valgrind
        // Without debug information, which valgrind 3.19 cannot read completely.
        workload = stage.temporary.appending(path: "workload")
        _ = try strip.run(["--strip-debug", "-o", workload.path(), stage.peers.appending(path: "workload").path()])
        log = stage.temporary.appending(path: "instructions")
    }

    func count() throws -> [RequestCost.Case: Int] {
        var counts: [RequestCost.Case: Int] = [:]
        for one in RequestCost.Case.all where one.connections == 16 && one.sessions == 64 {
            // Work that happens once, before the first request, is in both.
            counts[one] = (try instructions(of: 1_200, one) - instructions(of: 200, one)) / 1_000
        }
        return counts
    }

    private func instructions(of requests: Int, _ one: RequestCost.Case) throws -> Int {
        let kind = one.workload.rawValue
        _ = try valgrind.run([
            "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=\(log.path())", workload.path(),
            "\(requests)", kind, "\(one.form)",
        ])
        // "==1== Collected : 123456"
        let line = try String(contentsOf: log, encoding: .utf8).split(separator: "\n").first {
            $0.contains("Collected")
        }
        guard let count = line?.split(separator: " ").last.flatMap({ Int($0) }) else {
            throw BenchmarkError("valgrind reported no instructions for \(kind).")
        }
        return count
    }
}
