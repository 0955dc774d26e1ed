internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation

/// A run over sessions, which are replayed in a process per core, since an app can crash one.
struct TrialRun {
    /// The arguments of this program with which it is a worker.
    let arguments: [String]

    /// The number of sessions of which a process knows at a time.
    static var batchSize: Int { 32 }
    /// The number of finished batches that wait for an earlier one, in which a turn may not end.
    private static var maximumWaiting: Int { 16 }

    private typealias Batch = (number: Int, lane: TrialLane, results: [(trial: Trial, result: TrialResult)])

    /// Replays sessions.
    ///
    /// - Parameters:
    ///   - next: Returns the next sessions, at most ``batchSize``; `nil` if there are no more.
    ///   - record: Receives the results in the order of the sessions, and returns whether to continue.
    /// - Returns: Whether all sessions were replayed.
    nonisolated(nonsending) func replay(
        _ next: nonisolated(nonsending) () async throws -> [Trial]?,
        _ record: ([(trial: Trial, result: TrialResult)]) throws -> Bool
    ) async throws -> Bool {
        let count = max(1, ProcessInfo.processInfo.activeProcessorCount)
        let lanes = (0..<count).map { _ in TrialLane(arguments: arguments) }
        var idle = lanes
        var waiting: [Int: Batch] = [:]
        var (begun, recorded) = (0, 0)
        var isComplete = true
        try await withThrowingTaskGroup(of: Batch.self) { group in
            func finish(_ batch: Batch) throws {
                idle.append(batch.lane)
                waiting[batch.number] = batch
                while let results = waiting.removeValue(forKey: recorded)?.results {
                    recorded += 1
                    if try !record(results) { isComplete = false }
                }
            }
            while let trials = try await next() {
                while idle.isEmpty || waiting.count >= Self.maximumWaiting, let batch = try await group.next() {
                    try finish(batch)
                }
                guard isComplete else { break }
                let (lane, number) = (idle.removeLast(), begun)
                group.addTask { (number, lane, try await lane.results(of: trials)) }
                begun += 1
            }
            while let batch = try await group.next() { try finish(batch) }
        }
        for lane in lanes { await lane.finish() }
        return isComplete
    }
}
