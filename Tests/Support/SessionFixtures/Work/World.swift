internal import Coordinate
internal import Synchronization
internal import Testing

/// The world outside of the sessions of ``WorkApp``: it notes each attempt that was begun, and a test decides its
/// outcome.
///
/// ```swift
/// let world = World()
/// try await withApp(WorkApp(world)) { server in
///     let client = server.client()
///     try await client.emit("work.ask", ["name": "pay"])
///     let call = await world.call(0)
///     #expect(call.attempt == 1)
///     world.finish("pay", with: "receipt")
/// }
/// ```
///
/// A call is held until the test finishes it, or its task is canceled. If another call with the same key was finished
/// before, the call is a repetition: it gets the same result at once, and nothing is done again. Servers may share a
/// world.
package final class World: Sendable {
    /// An attempt that was begun.
    package struct Call: Equatable, Sendable {
        /// Its position in ``World/calls``.
        package let number: Int
        /// The work's name.
        package let name: String
        package let key: String
        package let attempt: Int
        /// The secret that it got; `nil` if there was none.
        package let secret: String?
        /// The trace that it belongs to; `nil` if it belongs to none.
        package let traceparent: String?
    }

    /// A call, and its outcome.
    private struct Attempt {
        let call: Call
        /// `nil` while it is held.
        var answer: Result<String, any Error>?
        var isCancelled = false
        /// `nil` before its task waits, and after it was finished.
        var continuation: CheckedContinuation<String, any Error>?
    }

    private struct State: Sendable {
        var attempts: [Attempt] = []
        var results: [String: String] = [:]
        /// The planned results of the next calls, by name.
        var plans: [String: [Result<String, any Error>]] = [:]

        /// Returns the result of a call that is not held.
        mutating func plannedAnswer(to call: Call) -> Result<String, any Error>? {
            if let result = results[call.key] { return .success(result) }
            guard let plan = plans[call.name], !plan.isEmpty else { return nil }
            plans[call.name] = Array(plan.dropFirst())
            if case .success(let value) = plan[0] { results[call.key] = value }
            return plan[0]
        }
    }

    private let state = Mutex(State())

    package init() {}

    // MARK: Calls

    /// The attempts that were begun, in order.
    package var calls: [Call] { calls { _ in true } }

    /// The references of the sessions whose work was begun.
    package var sessions: Set<Substring> { Set(calls.map { $0.key.prefix { $0 != "/" } }) }

    /// The calls that are neither finished nor canceled.
    package var held: [Call] { calls { $0.answer == nil } }

    /// The calls whose task was canceled before they were finished.
    package var cancelled: [Call] { calls(where: \.isCancelled) }

    private func calls(where isMeant: @Sendable (Attempt) -> Bool) -> [Call] {
        state.withLock { $0.attempts.filter(isMeant).map(\.call) }
    }

    /// The results of the finished calls, by their keys: one for each.
    package var results: [String: String] { state.withLock { $0.results } }

    /// Returns a call as soon as it begins.
    package func call(_ number: Int) async -> Call {
        try? await waitUntil { calls.count > number }
        return calls[number]
    }

    /// Returns once a call is canceled.
    package func cancellation(of number: Int) async {
        try? await waitUntil { cancelled.contains { $0.number == number } }
    }

    // MARK: Outcomes

    /// Finishes the oldest call of a name that is held.
    ///
    /// - Returns: The call; `nil` if none is held.
    @discardableResult
    package func finish(_ name: String, with value: String = "done") -> Call? {
        answer(with: .success(value)) { $0.call.name == name }
    }

    /// Lets the oldest held call of a name fail.
    ///
    /// - Returns: The call; `nil` if none is held.
    @discardableResult
    package func fail(_ name: String, with error: any Error = WorkFailure("The world says no.")) -> Call? {
        answer(with: .failure(error)) { $0.call.name == name }
    }

    /// Plans the results of the next calls of a name, one after the other. They are not held.
    package func plan(_ name: String, _ answers: Result<String, any Error>...) {
        state.withLock { $0.plans[name, default: []] += answers }
    }

    // MARK: The app's side

    /// Begins an attempt.
    func run(_ name: String, _ context: WorkContext, secret: String? = nil) async throws -> String {
        let number = begin(name, context, secret)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { hold(number, $0) }
        } onCancel: {
            cancel(number)
        }
    }

    private func begin(_ name: String, _ context: WorkContext, _ secret: String?) -> Int {
        state.withLock { state in
            let call = Call(
                number: state.attempts.count, name: name, key: context.key, attempt: context.attempt, secret: secret,
                traceparent: context.traceparent)
            state.attempts.append(Attempt(call: call, answer: state.plannedAnswer(to: call)))
            return call.number
        }
    }

    private func hold(_ number: Int, _ continuation: CheckedContinuation<String, any Error>) {
        let answer = state.withLock { state in
            if state.attempts[number].answer == nil { state.attempts[number].continuation = continuation }
            return state.attempts[number].answer
        }
        if let answer { continuation.resume(with: answer) }
    }

    private func cancel(_ number: Int) {
        answer(with: .failure(CancellationError()), isCancelled: true) { $0.call.number == number }
    }

    /// Finishes the oldest of the held calls that match.
    @discardableResult
    private func answer(
        with result: Result<String, any Error>, isCancelled: Bool = false, _ isMeant: @Sendable (Attempt) -> Bool
    ) -> Call? {
        let (call, continuation) = state.withLock { state -> (Call?, CheckedContinuation<String, any Error>?) in
            guard let index = state.attempts.firstIndex(where: { $0.answer == nil && isMeant($0) }) else {
                return (nil, nil)
            }
            let call = state.attempts[index].call
            if case .success(let value) = result { state.results[call.key] = value }
            state.attempts[index].answer = result
            state.attempts[index].isCancelled = isCancelled
            defer { state.attempts[index].continuation = nil }
            return (call, state.attempts[index].continuation)
        }
        continuation?.resume(with: result)
        return call
    }
}
