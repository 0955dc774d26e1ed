internal import Logging
internal import Synchronization

/// A counter that logs the number of wrong keys once a minute. It does not log the keys.
final class RefusedKeys: Sendable {
    private struct State {
        var count = 0
        var lastLine: ContinuousClock.Instant?
    }

    private let logger: Logger
    private let state = Mutex(State())

    init(_ logger: Logger) {
        self.logger = logger
    }

    func record() {
        let count: Int? = state.withLock { state in
            state.count += 1
            if let last = state.lastLine, last.duration(to: .now) < .seconds(60) { return nil }
            state.lastLine = .now
            defer { state.count = 0 }
            return state.count
        }
        guard let count else { return }
        logger.warning("\(count == 1 ? "1 request was" : "\(count) requests were") refused for a wrong API key.")
    }
}
