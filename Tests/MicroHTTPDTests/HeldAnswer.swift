import MicroHTTPD
import Synchronization

/// The answer to a request that waits until a test answers it, from any thread. The first answer counts.
final class HeldAnswer: Sendable {
    private struct State {
        /// The answer, or a stand-in if the request is no longer waiting.
        var response: HTTPResponse?
        var waiter: CheckedContinuation<HTTPResponse, Never>?
        var onExpiry: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Whether the request was answered, or no longer waits.
    var isOver: Bool { state.withLock { $0.response != nil } }

    /// Returns `false` if the request was answered before or no longer waits.
    @discardableResult
    func answer(with response: HTTPResponse) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<HTTPResponse, Never>?) in
            guard state.response == nil else { return (false, nil) }
            let waiter = state.waiter
            state = State(response: response)
            return (true, waiter)
        }
        waiter?.resume(returning: response)
        return isFirst
    }

    /// Sets a closure that is called if the request ends without an answer.
    func whenExpired(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.onExpiry = action }
    }

    /// Waits for the answer.
    fileprivate func response() async -> HTTPResponse {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let response = state.withLock { state in
                    if state.response == nil { state.waiter = waiter }
                    return state.response
                }
                if let response { waiter.resume(returning: response) }
            }
        } onCancel: {
            let onExpiry = state.withLock(\.onExpiry)
            if answer(with: HTTPResponse(status: 500)) { onExpiry?() }
        }
    }
}

/// The ways in which a request can wait for its answer.
enum Way: String, CaseIterable, Sendable {
    /// For work, which a stopping server awaits.
    case later
    case parked

    /// A path for which a `WaitingHandler` answers in this way.
    func path(_ rest: some CustomStringConvertible = "") -> String { "/\(rawValue)/\(rest)" }

    /// An answer that a test gives.
    ///
    /// - Parameter begin: Called at once with the answer.
    func answer(
        atMost time: Duration = .seconds(30),
        otherwise: @escaping @Sendable () -> HTTPResponse = { HTTPResponse(status: 202, body: "nothing new") },
        begin: @escaping @Sendable (HeldAnswer) -> Void
    ) -> HTTPAnswer {
        .async(
            atMost: time, isWork: self == .later, otherwise: otherwise,
            respond: {
                let answer = HeldAnswer()
                begin(answer)
                return await answer.response()
            })
    }
}
