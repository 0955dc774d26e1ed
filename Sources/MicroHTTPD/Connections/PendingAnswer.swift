internal import Dispatch
internal import Synchronization

/// The answer that a parked request waits for. Any thread gives it; the worker that serves the request fetches it.
final class PendingAnswer: Sendable {
    private enum Phase {
        case waiting
        case answered(HTTPResponse)
        /// The answer was fetched, or the request has expired.
        case over
    }

    private struct State {
        var phase = Phase.waiting
        var hasExpired = false
        var onExpiry: (@Sendable () -> Void)?
        /// The time at which the client closed its sending side.
        var leftAt: ContinuousClock.Instant?
    }

    /// The time for which a client that has closed its sending side is still expected to read an answer. A client that
    /// has finished sending looks the same as one that is gone.
    static let faith = Duration.seconds(5)

    /// The receiver of the answer: a worker, or the caller of a request without a socket.
    enum Waiter: Sendable {
        case worker(HTTPWorker, ConnectionID)
        case local(LocalExchange)
    }

    private let waiter: Waiter
    /// Whether a stopping server still waits for the answer.
    let isWorkedOn: Bool
    let otherwise: @Sendable () -> HTTPResponse
    private let quota: MemoryQuota?
    /// The memory charged while the request waits, in bytes: its own, and an estimate for the values decoded from the
    /// body, of which each byte may be one.
    private let size: Int
    private let state = Mutex(State())

    init(
        to waiter: Waiter, bodySize: Int, isWorkedOn: Bool, otherwise: @escaping @Sendable () -> HTTPResponse,
        quota: MemoryQuota?
    ) {
        self.waiter = waiter
        self.isWorkedOn = isWorkedOn
        self.otherwise = otherwise
        self.quota = quota
        size = 2_048 + 16 * bodySize
        quota?.use(size)
    }

    deinit {
        quota?.use(-size)
    }

    /// The waiting connection; 0 for a request without a socket.
    var connection: ConnectionID {
        if case .worker(_, let id) = waiter { id } else { 0 }
    }

    // MARK: From any thread

    var isWaiting: Bool {
        state.withLock { if case .waiting = $0.phase { true } else { false } }
    }

    /// Answers the request, unless it was answered before.
    func answer(with response: HTTPResponse) -> Bool {
        let isFirst = state.withLock { state in
            guard case .waiting = state.phase else { return false }
            state.phase = .answered(response)
            state.onExpiry = nil
            return true
        }
        guard isFirst else { return false }
        switch waiter {
        case .worker(let worker, let id): worker.post(.ready(id))
        case .local(let exchange): exchange.fetch(self)
        }
        return true
    }

    /// Answers with the `otherwise` closure, unless there is an answer already.
    func release() {
        guard isWaiting else { return }
        switch waiter {
        case .worker(let worker, let id): worker.post(.released(id, self))
        case .local(let exchange): DispatchQueue.global().async { exchange.expire(self) }
        }
    }

    /// Sets a closure that is called when the request expires, or soon if it has expired already.
    func whenExpired(_ action: @escaping @Sendable () -> Void) {
        let hasExpired = state.withLock { state in
            if case .waiting = state.phase { state.onExpiry = action }
            return state.hasExpired
        }
        guard hasExpired else { return }
        switch waiter {
        case .worker(let worker, _): worker.enqueue(action)
        case .local: DispatchQueue.global().async(execute: action)
        }
    }

    // MARK: The worker's thread

    /// Fetches the answer, once; `nil` if there is none yet.
    func take() -> HTTPResponse? {
        state.withLock { state in
            guard case .answered(let response) = state.phase else { return nil }
            state.phase = .over
            return response
        }
    }

    /// Ends the waiting, unless there is an answer.
    ///
    /// - Returns: The closure to call; `nil` if there is an answer.
    func expire() -> (() -> Void)?? {
        state.withLock { state -> (() -> Void)?? in
            guard case .waiting = state.phase else { return nil }
            state.phase = .over
            state.hasExpired = true
            defer { state.onExpiry = nil }
            return .some(state.onExpiry)
        }
    }

    /// Whether a client that has closed its sending side is still expected to read an answer.
    func isStillAwaited(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            let leftAt = state.leftAt ?? now
            state.leftAt = leftAt
            return isWorkedOn && leftAt.duration(to: now) < Self.faith
        }
    }
}

extension PendingAnswer: Equatable {
    static func == (one: PendingAnswer, other: PendingAnswer) -> Bool { one === other }
}

/// The exchange of a request without a socket.
final class LocalExchange: Sendable {
    private enum Phase {
        case running, suspended
        case awaited(CheckedContinuation<HTTPResponse, Never>)
        case done(HTTPResponse)
    }

    private let phase = Mutex(Phase.running)

    /// Whether the request is waiting or has waited.
    var isSuspended: Bool { phase.withLock { if case .running = $0 { false } else { true } } }

    /// Parks the request until its answer is ready.
    func park(_ answer: PendingAnswer, atMost time: Duration) {
        phase.withLock { $0 = .suspended }
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(time / .nanoseconds(1)))) {
            self.expire(answer)
        }
    }

    func fetch(_ answer: PendingAnswer) {
        if let response = answer.take() { finish(response) }
    }

    func expire(_ answer: PendingAnswer) {
        guard let actions = answer.expire() else { return }
        finish(answer.otherwise())
        actions?()
    }

    private func finish(_ response: HTTPResponse) {
        let waiting: CheckedContinuation<HTTPResponse, Never>? = phase.withLock { phase in
            defer { phase = .done(response) }
            return if case .awaited(let waiting) = phase { waiting } else { nil }
        }
        waiting?.resume(returning: response)
    }

    /// The response, when it is ready.
    func response() async -> HTTPResponse {
        await withCheckedContinuation { continuation in
            let response: HTTPResponse? = phase.withLock { phase in
                if case .done(let response) = phase { return response }
                phase = .awaited(continuation)
                return nil
            }
            if let response { continuation.resume(returning: response) }
        }
    }
}
