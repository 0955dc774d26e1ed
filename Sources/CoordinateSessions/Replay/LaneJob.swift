internal import Synchronization

/// Work of a task that lanes do in slices, in turn with that of others.
final class LaneJob: FairScheduler.Job {
    /// A function that does part of the work.
    typealias Step = @Sendable (WorkSlice) throws(SessionError) -> FairScheduler.SliceResult
    private typealias Waiter = CheckedContinuation<Result<FairScheduler.SliceResult, SessionError>, Never>

    private struct State {
        var hasEntered = false
        var step: Step?
        var waiter: Waiter?
        /// The reason why it was stopped; `nil` if it was not.
        var stopped: FairScheduler.StopReason?
        var isTaskCancelled = false
        /// Whether a lane does a slice of the work.
        var isAdvancing = false
    }

    let client: ClientKey
    private let scheduler: FairScheduler
    private let isAwaitedByOthers: @Sendable () -> Bool
    private let state = Mutex(State())

    /// - Parameter isAwaited: Whether another request waits for it, so that it continues when the task is cancelled.
    init(for client: ClientKey, on scheduler: FairScheduler, isAwaited: @escaping @Sendable () -> Bool) {
        self.client = client
        self.scheduler = scheduler
        isAwaitedByOthers = isAwaited
    }

    /// Has lanes do slices of the work until it pauses or is done.
    func run(_ step: @escaping Step) async throws(SessionError) -> FairScheduler.SliceResult {
        let result: Result<FairScheduler.SliceResult, SessionError> = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (isNew, stopped) = state.withLock { state in
                    defer { state.hasEntered = true }
                    if state.stopped == nil { (state.step, state.waiter) = (step, waiter) }
                    return (!state.hasEntered, state.stopped)
                }
                if let stopped { return waiter.resume(returning: .failure(SessionError(stopped))) }
                if scheduler.isCancelled { return cancel(.draining) }
                guard isNew else { return scheduler.resume(self) }
                if !scheduler.enter(self) { cancel(.tooBusy) }
            }
        } onCancel: {
            state.withLock { $0.isTaskCancelled = true }
        }
        return try result.get()
    }

    /// Leaves the lanes.
    func leave() {
        if state.withLock(\.hasEntered) { scheduler.leave(self) }
    }

    var isAwaited: Bool { !state.withLock(\.isTaskCancelled) || isAwaitedByOthers() }

    func advance(within slice: WorkSlice) -> FairScheduler.SliceResult {
        let step = state.withLock { state in
            state.isAdvancing = state.step != nil
            return state.step
        }
        guard let step else { return .done }
        var result: Result<FairScheduler.SliceResult, SessionError>
        do throws(SessionError) { result = .success(try step(slice)) } catch { result = .failure(error) }
        let stopped = state.withLock { state in
            state.isAdvancing = false
            return state.stopped
        }
        if case .success(.more) = result {
            guard let stopped else { return .more }
            result = .failure(SessionError(stopped))
        }
        finish(with: result)
        return .paused
    }

    func cancel(_ reason: FairScheduler.StopReason) {
        let isAdvancing = state.withLock { state in
            state.stopped = reason
            return state.isAdvancing
        }
        scheduler.leave(self)
        // The task must not continue while a lane still does its work.
        if !isAdvancing { finish(with: .failure(SessionError(reason))) }
    }

    private func finish(with result: Result<FairScheduler.SliceResult, SessionError>) {
        let waiter = state.withLock { state in
            defer { (state.step, state.waiter) = (nil, nil) }
            return state.waiter
        }
        waiter?.resume(returning: result)
    }
}
