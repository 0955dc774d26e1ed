import Foundation
import Loopback

/// A server with many sessions: what each weighs, with its tree and without, and whether requests become dearer.
struct Population {
    /// What was seen with a number of sessions.
    struct Row {
        let sessions: Int
        /// Bytes a session with its tree, and once its route was read.
        let live: Double
        let liveRead: Double
        /// Processor time of a request in microseconds, and requests a second.
        let get: (cost: Spread, rate: Spread)
        let post: (cost: Spread, rate: Spread)
    }

    /// What was seen when the trees were dropped.
    struct Passive {
        let sessions: Int
        /// Bytes a session, from one population to several times that.
        let bytes: Double
        /// Bytes a session that are resident after the first population, with what malloc keeps for the next trees.
        let resident: Double
    }

    let stage: Stage

    /// Measures with each of several numbers of sessions, each on a server of its own, all of them up at once.
    func measure(_ counts: [Int]) throws -> [Row] {
        let wrk = try stage.wrk()
        let crowds = try counts.map { count in try Crowd(of: count, on: stage.coordinate(), wrk: wrk) }
        var rounds = crowds.map { _ in (get: [(Double, Double)](), post: [(Double, Double)]()) }
        // The first round warms up and does not count.
        for round in 0...max(3, stage.rounds - 2) {
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

    /// Makes sessions and waits until they are passive, several times: from the second time on, the memory that malloc
    /// keeps of the first trees is used again, so that what is added is what passive sessions take.
    func measurePassive(_ count: Int) throws -> Passive {
        let wrk = try stage.wrk()
        let server = try stage.coordinate(passivateAfter: stage.isQuick ? 4 : 10)
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
