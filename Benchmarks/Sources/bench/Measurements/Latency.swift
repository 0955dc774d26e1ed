import Foundation
import Loopback

/// How long a client waits, at half of the highest rate.
struct Latency {
    /// The 50th, 99th and 99.9th percentiles in milliseconds, one value per round.
    struct Row {
        let workload: Workload
        let server: String
        /// Requests per second.
        let rate: Double
        let percentiles: [Spread]
    }

    let stage: Stage

    func measure(with hey: Hey) throws -> [Row] {
        let coordinate = try stage.coordinate()
        let session = try RacingSession(on: LoopbackClient(port: coordinate.port))
        return try [Workload.route, .minimal, .full].flatMap { workload in
            // The server closes a connection that is idle for half a minute.
            let client = try LoopbackClient(port: coordinate.port)
            let load = workload.load(to: session)
            let answer = try client.send(try workload.requests(to: [session], over: client)[0])
            let bare = try stage.bare(sending: answer, for: workload)
            let servers = [coordinate, bare]
            let rates = try servers.map { server in
                Double(try hey.latencies(of: load, against: server, seconds: stage.seconds).count)
                    / Double(stage.seconds) / 2
            }
            var rounds = servers.map { _ in [[Double]]() }
            for _ in 0..<stage.fewRounds {
                for (index, server) in servers.enumerated() {
                    var fixed = load
                    fixed.rate = rates[index]
                    let latencies = try hey.latencies(of: fixed, against: server, seconds: stage.seconds * 2)
                    rounds[index].append(
                        [0.5, 0.99, 0.999].map { latencies[Int(Double(latencies.count - 1) * $0)] })
                }
            }
            return servers.enumerated().map { index, server in
                let spreads = (0..<3).map { place in Spread(rounds[index].map { $0[place] }) }
                Console.say("  \(workload.title), \(server.name): \(spreads.map { $0.median.text(3) }) ms")
                return Row(workload: workload, server: server.name, rate: rates[index], percentiles: spreads)
            }
        }
    }
}

extension Workload {
    /// The same request for hey. It does not change the session from the second time on.
    fileprivate func load(to session: RacingSession) -> Hey.Load {
        var load = Hey.Load(headers: [session.session])
        if isEvent {
            load.path = "/events"
            load.body = RacingSession.favorite(true)
        }
        if self == .minimal { load.headers.append("Prefer: return=minimal") }
        return load
    }
}
