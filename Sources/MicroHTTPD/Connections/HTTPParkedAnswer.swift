/// The answer to a parked request. It is given once; the first answer counts.
///
/// It can be kept with others in a list, under a lock of the owner's. If it is released without an answer, its
/// `otherwise` closure creates the response.
///
/// ```swift
/// return .parked(atMost: .seconds(30), otherwise: { notModified }, begin: { answer in
///     let id = ObjectIdentifier(answer)
///     waiters[id] = answer
///     answer.whenExpired { waiters[id] = nil }
/// })
/// // … when something has happened:
/// for answer in waiters.values { answer.answer(with: response) }
/// waiters = [:]
/// ```
///
/// Long work runs elsewhere, on a thread of the owner's, and is answered in the same way:
///
/// ```swift
/// return .later(atMost: .seconds(30), otherwise: { tooBusy }, begin: { answer in
///     lane.async { answer.answer(with: work()) }
/// })
/// ```
///
/// None of its methods waits or calls the owner back, so they may be called with a lock held.
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

    /// Answers the request. Returns `false` if it was answered before or the client is gone.
    @discardableResult
    public func answer(with response: HTTPResponse) -> Bool {
        pending.answer(with: response)
    }

    /// Sets a closure that is called once if the waiting ends without `answer(with:)`: its time ran out, the client
    /// left, or the server stopped waiting. If that has already happened, the closure is called now.
    ///
    /// It is called on the request's worker without locks. A second closure replaces the first.
    public func whenExpired(_ action: @escaping @Sendable () -> Void) {
        pending.whenExpired(action)
    }
}
