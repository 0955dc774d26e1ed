internal import Synchronization

/// The waiting of a request that comes from no socket.
final class LocalExchange: Sendable {
    private enum Phase {
        case running, suspended, resumed
        case awaited(CheckedContinuation<Void, Never>)
    }

    private let phase = Mutex(Phase.running)

    /// True where the request has to wait, or has waited.
    var isSuspended: Bool { phase.withLock { if case .running = $0 { false } else { true } } }

    func suspend() {
        phase.withLock { $0 = .suspended }
    }

    func resume() {
        let waiting: CheckedContinuation<Void, Never>? = phase.withLock { phase in
            defer { phase = .resumed }
            return if case .awaited(let waiting) = phase { waiting } else { nil }
        }
        waiting?.resume()
    }

    /// Returns when the request is resumed.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isResumed = phase.withLock { phase in
                if case .resumed = phase { return true }
                phase = .awaited(continuation)
                return false
            }
            if isResumed { continuation.resume() }
        }
    }
}
