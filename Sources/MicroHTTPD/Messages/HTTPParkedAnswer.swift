/// The answer to a parked request: given once, by the first that has it.
///
/// It can be kept in a list, with others like it, under a lock of the owner's. If it is released without an answer,
/// its `otherwise` closure creates the response.
///
/// ```swift
/// return .parked(atMost: .seconds(30), otherwise: { notModified }, begin: { answer in
///     let id = ObjectIdentifier(answer)
///     waiters[id] = answer
///     answer.whenExpired { waiters[id] = nil }
/// })
/// // … when there is something to say:
/// for answer in waiters.values { answer.answer(with: response) }
/// waiters = [:]
/// ```
///
/// Long work is done elsewhere, on a thread of the owner's, and answered in the same way:
///
/// ```swift
/// return .later(atMost: .seconds(30), otherwise: { tooBusy }, begin: { answer in
///     lane.async { answer.answer(with: work()) }
/// })
/// ```
///
/// None of its methods waits for anything or calls the owner back, so they may be called with a lock held.
public final class HTTPParkedAnswer: Sendable {
    /// The longest time that a request may wait.
    public static let longestWait = Duration.seconds(60)

    private let pending: PendingAnswer

    init(to pending: PendingAnswer) {
        self.pending = pending
    }

    deinit {
        pending.release()
    }

    /// Whether the request was answered, or its connection is closed.
    public var isOver: Bool { !pending.isWaiting }

    /// Answers the request, and returns true; false if it was answered before, or the client is gone.
    @discardableResult
    public func answer(with response: HTTPResponse) -> Bool {
        pending.answer(with: response)
    }

    /// Sets a closure that is called, once, when this ends otherwise than by `answer(with:)`: its time ran out, the
    /// client left, or the server did not wait any longer. If that has happened already, the closure is called now.
    ///
    /// It is called on the worker that serves the request, with nothing locked. A second closure replaces the first.
    public func whenExpired(_ action: @escaping @Sendable () -> Void) {
        pending.whenExpired(action)
    }
}
