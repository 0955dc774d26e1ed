internal import DequeModule
internal import Synchronization

/// The line of those who want a turn in a session: one at a time, in the order in which they came.
final class TurnQueue: Sendable {
    /// The most that wait.
    static let limit = 256

    private struct Waiter: Sendable {
        let number: Int
        let continuation: CheckedContinuation<SessionError?, Never>
    }

    private struct State {
        var isTaken = false
        var waiting: Deque<Waiter> = []
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Whether the turn is free, and no task waits.
    var isFree: Bool { state.withLock { !$0.isTaken } }

    var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    /// Takes the turn if it is free.
    func takeAtOnce() -> Bool {
        state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    /// Waits for the turn.
    ///
    /// - Parameter isBounded: Whether to refuse it if too many wait.
    /// - Throws: ``SessionError/tooBusy``; ``SessionError/abandoned`` if the task is cancelled while it waits; or the
    ///   error of ``refuseWaiting(_:)``.
    nonisolated(nonsending) func take(isBounded: Bool = true) async throws(SessionError) {
        if takeAtOnce() { return }
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let refusal = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(number: number, continuation: continuation)
                if let result = add(waiter, isBounded: isBounded) { continuation.resume(returning: result) }
            }
        } onCancel: {
            remove(number)?.resume(returning: .abandoned)
        }
        if let refusal { throw refusal }
    }

    /// - Returns: The result if it need not wait: the error, or `nil` if it has the turn.
    private func add(_ waiter: Waiter, isBounded: Bool) -> SessionError?? {
        state.withLock { state -> SessionError?? in
            if !state.isTaken {
                state.isTaken = true
                return .some(nil)
            }
            if isBounded, state.waiting.count >= Self.limit { return .tooBusy }
            // A cancellation before this was too early for its handler to find the waiter.
            if Task.isCancelled { return .abandoned }
            state.waiting.append(waiter)
            return nil
        }
    }

    private func remove(_ number: Int) -> CheckedContinuation<SessionError?, Never>? {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiting.remove(at: index).continuation
        }
    }

    /// Gives the turn to the next one, if any request waits.
    func pass() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            state.isTaken = next != nil
            return next
        }
        next?.continuation.resume(returning: nil)
    }

    /// Refuses all that wait.
    func refuseWaiting(_ error: SessionError) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.continuation.resume(returning: error) }
    }
}
