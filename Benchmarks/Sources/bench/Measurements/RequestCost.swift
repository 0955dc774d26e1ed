import Foundation
import Loopback

/// The processor time of a request: Coordinate, bare libmicrohttpd and Hummingbird in turn, round after round.
struct RequestCost {
    /// What one server took for one kind of request: microseconds a request, a value a round.
    struct Row {
        let workload: Workload
        let answerSize: Int
        let coordinate: [Double]
        let bare: [Double]
        let hummingbird: [Double]

        /// Coordinate's time over that of bare libmicrohttpd in the same round.
        var ratio: Spread { Spread(zip(coordinate, bare).map { $0 / $1 }) }
        /// Hummingbird's.
        var peerRatio: Spread { Spread(zip(hummingbird, bare).map { $0 / $1 }) }
    }

    let stage: Stage

    func measure() throws -> [Row] {
        let wrk = try stage.wrk()
        let coordinate = try stage.coordinate()
        let client = try LoopbackClient(port: coordinate.port)
        // What is read and what is written are sessions of their own, so that entity tags stay what they are.
        let readers = try (0..<64).map { _ in try RacingSession(on: client) }
        let writers = try (0..<64).map { _ in try RacingSession(on: client) }

        var answers: [Workload: Answer] = [:]
        let workloads = Workload.allCases
        let files = try workloads.map { workload in
            let requests = try workload.requests(to: workload.isEvent ? writers : readers, over: client)
            let file = try wrk.prepare(requests, as: "\(workload.rawValue).requests")
            // The numbers in an answer have as many digits as they will have while it is measured.
            if workload.isEvent { _ = try wrk.run(file, against: coordinate, seconds: 1) }
            answers[workload] = try client.send(requests[0])
            return file
        }
        let bare = try workloads.map { workload in
            guard let answer = answers[workload] else { throw BenchmarkError("There is no answer to send.") }
            return try stage.bare(sending: answer, for: workload)
        }
        let hummingbird = try stage.hummingbird(sending: answers)

        var rounds = workloads.map { _ in (coordinate: [Double](), bare: [Double](), hummingbird: [Double]()) }
        // The first round warms up and does not count.
        for round in 0...stage.rounds {
            for (index, workload) in workloads.enumerated() {
                let seconds = round == 0 ? 1 : stage.seconds
                let costs = try [coordinate, bare[index], hummingbird].map { server in
                    try cost(of: files[index], to: server, seconds: seconds, wrk: wrk)
                }
                guard round > 0 else { continue }
                rounds[index].coordinate.append(costs[0])
                rounds[index].bare.append(costs[1])
                rounds[index].hummingbird.append(costs[2])
                let texts = costs.map { $0.text(2) }.joined(separator: ", ")
                Console.say("  round \(round), \(workload.title): \(texts) µs")
            }
        }
        return workloads.enumerated().map { index, workload in
            Row(
                workload: workload, answerSize: answers[workload]?.bytes.count ?? 0,
                coordinate: rounds[index].coordinate, bare: rounds[index].bare,
                hummingbird: rounds[index].hummingbird)
        }
    }

    /// The microseconds of processor time that the server takes for a request.
    private func cost(
        of file: URL, to server: ServerProcess, seconds: Int, wrk: Wrk
    ) throws -> Double {
        let before = try server.processorTime()
        let requests = try wrk.run(file, against: server, seconds: seconds).requests
        return (try server.processorTime() - before) / Double(requests) * 1e6
    }
}
