internal import Dispatch
internal import Synchronization

/// The answer that a parked request waits for. Any thread gives it; the worker that serves the request fetches it.
final class PendingAnswer: Sendable {
    private enum Phase {
        /// The request is being answered in the call that began it.
        case begun
        case waiting
        case answered(HTTPResponse)
        /// The answer was fetched, or the request has expired.
        case over
    }

    private struct State {
        var phase = Phase.begun
        var hasWaited = false
        /// The task that responds, while the request waits.
        var task: Task<Void, Never>?
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
    }

    deinit {
        if state.withLock(\.hasWaited) { quota?.use(-size) }
    }

    /// The waiting connection; 0 for a request without a socket.
    var connection: ConnectionID {
        if case .worker(_, let id) = waiter { id } else { 0 }
    }

    // MARK: From any thread

    /// Answers the request, unless it was answered before.
    func answer(with response: HTTPResponse) -> Bool {
        let (isFirst, isAwaited) = state.withLock { state -> (Bool, Bool) in
            switch state.phase {
            case .answered, .over: return (false, false)
            case .begun:
                state.phase = .answered(response)
                return (true, false)
            case .waiting:
                state.phase = .answered(response)
                state.task = nil
                return (true, true)
            }
        }
        guard isAwaited else { return isFirst }
        switch waiter {
        case .worker(let worker, let id): worker.post(.ready(id))
        case .local(let exchange): exchange.fetch(self)
        }
        return true
    }

    // MARK: The worker's thread

    /// Fetches an answer that was given in the call that began the request; else the request waits from now on.
    ///
    /// - Parameter task: The task that responds. It is cancelled when the request expires.
    func takeOrWait(for task: Task<Void, Never>? = nil) -> HTTPResponse? {
        let response: HTTPResponse? = state.withLock { state in
            if case .answered(let response) = state.phase {
                state.phase = .over
                return response
            }
            (state.phase, state.hasWaited, state.task) = (.waiting, true, task)
            return nil
        }
        if response == nil { quota?.use(size) }
        return response
    }

    /// Fetches the answer, once; `nil` if there is none yet.
    func take() -> HTTPResponse? {
        state.withLock { state in
            guard case .answered(let response) = state.phase else { return nil }
            state.phase = .over
            return response
        }
    }

    /// Ends the waiting and cancels the task, unless there is an answer.
    ///
    /// - Returns: Whether there was none.
    func expire() -> Bool {
        let (isOver, task) = state.withLock { state -> (Bool, Task<Void, Never>?) in
            guard case .waiting = state.phase else { return (false, nil) }
            state.phase = .over
            defer { state.task = nil }
            return (true, state.task)
        }
        task?.cancel()
        return isOver
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

/// The exchange of a request without a socket.
final class LocalExchange: Sendable {
    private enum Phase {
        case running, suspended
        case awaited(CheckedContinuation<HTTPResponse, Never>)
        case done(HTTPResponse)
    }

    /// The executor of the function that responds; `nil` for the caller's.
    let executor: (any TaskExecutor)?
    private let phase = Mutex(Phase.running)

    init(on executor: (any TaskExecutor)? = nil) {
        self.executor = executor
    }

    /// Whether the request is waiting or has waited.
    var isSuspended: Bool { phase.withLock { if case .running = $0 { false } else { true } } }

    /// Parks the request until its answer is ready.
    func park(_ answer: PendingAnswer, atMost time: Duration) {
        // Another thread may have answered already.
        phase.withLock { if case .running = $0 { $0 = .suspended } }
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(time / .nanoseconds(1)))) {
            self.expire(answer)
        }
    }

    func fetch(_ answer: PendingAnswer) {
        if let response = answer.take() { finish(response) }
    }

    func expire(_ answer: PendingAnswer) {
        if answer.expire() { finish(answer.otherwise()) }
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
