internal import ArgumentParser
internal import CoordinateServer
internal import CoordinateSessions

/// A process that replays sessions, and is started again if one of them ends it.
actor TrialLane {
    /// The arguments of this program with which it is a worker.
    private let arguments: [String]
    private var process: TrialProcess?

    init(arguments: [String]) {
        self.arguments = arguments
    }

    /// Replays sessions, and returns their results in the same order.
    func results(of trials: [Trial]) async throws -> [(trial: Trial, result: TrialResult)] {
        var results: [(Trial, TrialResult)] = []
        while results.count < trials.count {
            let process = try self.process ?? TrialProcess(arguments)
            self.process = process
            process.replay(trials[results.count...])
            for await result in process.results {
                results.append((trials[results.count], result))
                if results.count == trials.count { return results }
            }
            self.process = nil
            try Task.checkCancellation()
            _ = try process.crash()
            let trial = trials[results.count]
            results.append((trial, try await secondResult(of: trial)))
        }
        return results
    }

    /// Replays a session that has ended its process, in a process of its own. As on a server, two crashes in a row count.
    private func secondResult(of trial: Trial) async throws -> TrialResult {
        let process = try TrialProcess(arguments + ["--trace"], isQuiet: true)
        process.replay([trial])
        var turn: (event: String, version: Int)?
        for await result in process.results {
            guard case .turn(let event, let version) = result else {
                process.finish()
                return result
            }
            turn = (event, version)
        }
        try Task.checkCancellation()
        do {
            return .problem(
                SessionProblem(
                    cause: SessionProblem.crash, event: turn?.event, version: turn?.version,
                    reason: try process.crash()))
        } catch {
            throw ServerError.unavailable(
                "A process of the check has ended with the status \(error.rawValue). Run the check again.")
        }
    }

    func finish() {
        process?.finish()
    }
}
