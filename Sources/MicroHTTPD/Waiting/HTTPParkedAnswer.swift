/// The answer to a request that waits for it: given once, by whoever has it first.
///
/// It can be kept in a list, with others like it, under a lock of the owner's. Let go of without an answer, it is
/// answered by the closure that stands in.
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
/// What takes long is done elsewhere, on a thread of the owner's, and answered in the same way:
///
/// ```swift
/// return .later(atMost: .seconds(30), otherwise: { tooBusy }, begin: { answer in
///     lane.async { answer.answer(with: work()) }
/// })
/// ```
///
/// None of its methods waits for anything or calls the owner back, so that they may be called with a lock held.
public final class HTTPParkedAnswer: Sendable {
    /// The longest that a request may wait.
    public static let longestWait = Duration.seconds(60)

    private let request: ParkedRequest

    init(to request: ParkedRequest) {
        self.request = request
    }

    deinit {
        // Not from here, where the owner may have locked something.
        request.expireSoon()
    }

    /// True once it has been answered, or can no longer be.
    public var isOver: Bool { !request.isWaiting }

    /// Answers, and returns true; false if that was done before, or there is nobody to answer to any more.
    @discardableResult
    public func answer(with response: HTTPResponse) -> Bool {
        request.answer(with: response)
    }

    /// Has something done, once, when this is over otherwise than by `answer(with:)`: its time ran out, the client
    /// left, or the server did not wait any longer. If that has happened, it is done now.
    ///
    /// It is done on a thread of its own with nothing locked. A second action takes the place of the first.
    public func whenExpired(_ action: @escaping @Sendable () -> Void) {
        request.whenExpired(action)
    }
}
