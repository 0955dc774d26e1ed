/// The requests of a session whose turns failed halfway, and the cost of making its tree again after each of them.
///
/// The app's own changes cannot be undone, so after such a turn the tree is made again from all entries. That is
/// limited in two ways. A request that reached a limit of the tree gets the same error again at once, as long as the
/// version is the same: running it again would only break the tree again. As an app may depend on the time, that holds
/// for half a minute. And replays because of failures use up an allowance, which grows with the time: where it is used
/// up, no event is taken until it has grown. A session of 1,000 events may fail 180 times at once, and then 18 times a
/// second; one of 100,000 twice, and then every five seconds. Reading is not affected.
struct FailedTurns: Sendable {
    /// The number of refusals that are remembered.
    private static let size = 8
    /// The time for which they are remembered, in seconds.
    private static let memory = 30
    /// The number of events that may be replayed in a second because of failures: a tenth of what one core can.
    static let rate = 20_000
    /// The number of events that may be replayed at once.
    static let capacity = 10 * rate
    /// The number of events that a tree without events counts as.
    private static let minimum = 100

    private struct Refusal: Sendable {
        let fingerprint: Int
        let error: SessionError
        let time: Int
    }

    private var refusals: [Refusal] = []
    /// The number of replayed events by which the allowance has not grown since.
    private var debt = 0
    private var time = 0

    /// Notes a turn that failed.
    ///
    /// - Parameter version: The version up to which the tree has to be made again.
    mutating func note(_ error: SessionError, of request: some SessionRequest, at version: Int) {
        debt = debt(at: request.time) + version + Self.minimum
        time = max(time, request.time)
        guard error.isOfLimit, let fingerprint = request.fingerprint else { return }
        if refusals.count == Self.size { refusals.removeFirst() }
        refusals.append(Refusal(fingerprint: fingerprint, error: error, time: request.time))
    }

    /// Forgets the refusals: the session is at another version.
    mutating func noteProgress() {
        if !refusals.isEmpty { refusals = [] }
    }

    /// True where there is no reason to refuse a request.
    var isEmpty: Bool { debt == 0 }

    /// The error of a request that was refused already at this version; nil where none is known.
    func refusal(of request: some SessionRequest) -> SessionError? {
        guard !refusals.isEmpty, let fingerprint = request.fingerprint else { return nil }
        return refusals.last { $0.fingerprint == fingerprint && request.time - $0.time < Self.memory }?.error
    }

    /// True where too much was replayed of late to risk more of it.
    func isOverdrawn(at time: Int) -> Bool {
        debt > 0 && debt(at: time) > Self.capacity
    }

    private func debt(at time: Int) -> Int {
        max(0, debt - max(0, time - self.time) * Self.rate)
    }
}

extension SessionError {
    /// True where the turn reached a limit of the tree, which it will reach again.
    fileprivate var isOfLimit: Bool {
        switch self {
        case .treeIsFull, .tooMuchWork: true
        default: false
        }
    }
}
