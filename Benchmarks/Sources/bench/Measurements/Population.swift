import Foundation
import Loopback

/// A server with many sessions: the memory of each with and without its tree, and whether requests become slower.
struct Population {
    /// The results for a number of sessions.
    struct Row {
        let sessions: Int
        /// The bytes per session with its tree, and after its route was read.
        let live: Double
        let liveRead: Double
        /// The processor time of a request in microseconds, and requests per second.
        let get: (cost: Spread, rate: Spread)
        let post: (cost: Spread, rate: Spread)
    }

    /// The results after the trees were dropped.
    struct Passive {
        let sessions: Int
        /// The bytes per session, from one population to several times that.
        let bytes: Double
        /// The resident bytes per session after the first population, including what malloc keeps for the next trees.
        let resident: Double
    }

    let stage: Stage

    /// Measures several numbers of sessions, each on its own server. All servers run at the same time.
    func measure(_ counts: [Int]) throws -> [Row] {
        let wrk = try stage.wrk()
        let crowds = try counts.map { count in try Crowd(of: count, on: stage.coordinate(), wrk: wrk) }
        var rounds = crowds.map { _ in (get: [(Double, Double)](), post: [(Double, Double)]()) }
        // The first round only warms up.
        for round in 0...stage.rounds {
            for (index, crowd) in crowds.enumerated() {
                let get = try crowd.cost(of: crowd.reads, wrk: wrk, seconds: stage.seconds)
                let post = try crowd.cost(of: crowd.writes, wrk: wrk, seconds: stage.seconds)
                guard round > 0 else { continue }
                rounds[index].get.append(get)
                rounds[index].post.append(post)
            }
        }
        func spreads(_ values: [(Double, Double)]) -> (Spread, Spread) {
            (Spread(values.map(\.0)), Spread(values.map(\.1)))
        }
        return crowds.enumerated().map { index, crowd in
            Console.say("  \(crowd.count) sessions: \(Int(crowd.bytes)) bytes each")
            return Row(
                sessions: crowd.count, live: crowd.bytes, liveRead: crowd.bytesRead, get: spreads(rounds[index].get),
                post: spreads(rounds[index].post))
        }
    }

    private static let populations = 4

    /// Creates sessions and waits until they are passive, several times. From the second time on, malloc reuses the
    /// memory of the first trees, so that the growth is the memory of the passive sessions.
    func measurePassive(_ count: Int) throws -> Passive {
        let wrk = try stage.wrk()
        let server = try stage.coordinate(passivateAfter: stage.isQuick ? 3 : 10)
        let client = try LoopbackClient(port: server.port)
        let empty = try server.residentMemory()
        var seen: [(sessions: Int, memory: Int)] = []
        for population in 1...Self.populations {
            let original = try RacingSession(on: client)
            _ = try wrk.forks(of: original, on: server, client: client, until: count * population)
            var total = 0
            repeat {
                sleep(1)
                total = try client.sessions(.passive)
            } while try client.sessions(.live) > 0
            seen.append((total, try server.residentMemory()))
            Console.say("  \(total) passive sessions: \(seen[population - 1].memory >> 20) MiB")
        }
        let last = Self.populations - 1
        return Passive(
            sessions: seen[0].sessions,
            bytes: Double(seen[last].memory - seen[0].memory) / Double(seen[last].sessions - seen[0].sessions),
            resident: Double(seen[0].memory - empty) / Double(seen[0].sessions))
    }
}
