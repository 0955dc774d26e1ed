import Racing
import Synchronization

/// A source that counts its requests, and that can be told to wait.
final class CountedResults: ResultsSource {
    private struct State {
        var drivers: [String] = []
        var isHeld = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The drivers whose results were requested.
    var drivers: [String] { state.withLock { $0.drivers } }

    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isHeld = false
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func lastResults(ofDriver id: String) async throws -> [RaceResult] {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                state.drivers.append(id)
                if state.isHeld { state.waiting.append(continuation) }
                return state.isHeld
            }
            if !isHeld { continuation.resume() }
        }
        return [
            RaceResult(race: "Spanish Grand Prix", position: 3), RaceResult(race: "Monaco Grand Prix", position: nil),
        ]
    }
}
