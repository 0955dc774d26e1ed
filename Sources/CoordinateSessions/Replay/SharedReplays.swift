internal import Synchronization

/// The results for earlier versions that are being computed. Requests for the same version share the work.
final class SharedReplays<Value: Sendable>: Sendable {
    struct Key: Hashable {
        let session: SessionID
        let version: Int
        /// Whether the result includes the route.
        var wantsRoute = true
    }

    private let underWay = Mutex<[Key: SharedResult<Value>]>([:])

    /// The result of work that is already under way for the key; otherwise of the work that the body does.
    ///
    /// - Parameter executor: Where the work is done.
    func share(
        with key: Key, on executor: any TaskExecutor,
        _ body: @escaping @Sendable () async throws(SessionError) -> Value
    ) async throws(SessionError) -> Value {
        let (replay, isNew) = underWay.withLock { underWay in
            if let replay = underWay[key], replay.join() { return (replay, false) }
            let replay = SharedResult<Value>()
            underWay[key] = replay
            return (replay, true)
        }
        if isNew {
            replay.begin(on: executor) { () throws(SessionError) in
                defer { self.underWay.withLock { if $0[key] === replay { $0[key] = nil } } }
                return try await body()
            }
        }
        return try await replay.value()
    }
}

/// A result that several tasks wait for. The work is cancelled once all of them are.
private final class SharedResult<Value: Sendable>: Sendable {
    private typealias Outcome = Result<Value, SessionError>

    private struct State {
        var result: Outcome?
        var task: Task<Void, Never>?
        var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]
        var lastWaiter = 0
        /// The tasks that want the result.
        var interest = 1
    }

    private let state = Mutex(State())

    /// Adds a task that wants the result; `false` if all others have left.
    func join() -> Bool {
        state.withLock { state in
            guard state.interest > 0 else { return false }
            state.interest += 1
            return true
        }
    }

    func begin(on executor: any TaskExecutor, _ body: @escaping @Sendable () async throws(SessionError) -> Value) {
        let task = Task(executorPreference: executor) {
            let result: Outcome
            do throws(SessionError) { result = .success(try await body()) } catch { result = .failure(error) }
            let waiters = self.state.withLock { state in
                defer { state.waiters = [:] }
                state.result = result
                return state.waiters
            }
            for waiter in waiters.values { waiter.resume(returning: result) }
        }
        let isAbandoned = state.withLock { state in
            state.task = task
            return state.interest == 0
        }
        if isAbandoned { task.cancel() }
    }

    /// Waits for the result; ``SessionError/abandoned`` if the task is cancelled before.
    func value() async throws(SessionError) -> Value {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let result: Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let result: Outcome? = state.withLock { state in
                    if let result = state.result { return result }
                    if Task.isCancelled { return .failure(.abandoned) }
                    state.waiters[number] = waiter
                    return nil
                }
                if let result { waiter.resume(returning: result) }
            }
        } onCancel: {
            let (waiter, task) = state.withLock { state in
                state.interest -= 1
                return (state.waiters.removeValue(forKey: number), state.interest == 0 ? state.task : nil)
            }
            task?.cancel()
            waiter?.resume(returning: .failure(.abandoned))
        }
        return try result.get()
    }
}

/// The attempts that are repeated at the next sweep, about a second later.
package final class RetryList: Sendable {
    private let tries = Mutex<[@Sendable () -> Void]>([])

    func append(_ body: @escaping @Sendable () -> Void) {
        tries.withLock { $0.append(body) }
    }

    /// Repeats all attempts, in the order in which they arrived.
    func retryAll() {
        let tries = tries.withLock { tries in
            defer { tries = [] }
            return tries
        }
        for body in tries { body() }
    }
}
