/// The requests of a session whose turns failed halfway, and the cost of rebuilding its tree after each of them.
///
/// The app's own changes cannot be undone, so after such a turn the tree is rebuilt from all entries. Two rules limit
/// the cost. First, a request that reached a limit of the tree gets the same error again at once while the version is
/// the same, since running it again would only break the tree again. An app may depend on the time, so this rule holds
/// for half a minute. Second, replays because of failures use up an allowance, which grows with time. Once it is used
/// up, no event is accepted until it has grown. A session of 1,000 events may fail 180 times at once, and then 18 times
/// a second; one of 100,000 twice, and then every five seconds. Reading is not affected.
struct FailedTurns: Sendable {
    /// The number of refusals that are remembered.
    private static let size = 8
    /// The time for which they are remembered, in seconds.
    private static let memory = 30
    /// The number of events that may be replayed per second because of failures: a tenth of the capacity of one core.
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
    /// The number of replayed events that are still to be deducted from the allowance.
    private var debt = 0
    private var time = 0

    /// Records a turn that failed.
    ///
    /// - Parameters:
    ///   - version: The version up to which the tree must be rebuilt.
    ///   - time: The present time, by the monotonic clock, in seconds.
    mutating func record(_ error: SessionError, of request: EventInjection, at version: Int, time: Int) {
        debt = debt(at: time) + version + Self.minimum
        self.time = max(self.time, time)
        guard error.isOfLimit, let fingerprint = request.fingerprint else { return }
        if refusals.count == Self.size { refusals.removeFirst() }
        refusals.append(Refusal(fingerprint: fingerprint, error: error, time: time))
    }

    /// Removes the refusals, since the session is at another version.
    mutating func removeRefusals() {
        if !refusals.isEmpty { refusals = [] }
    }

    /// Whether there is no reason to refuse a request.
    var isEmpty: Bool { debt == 0 }

    /// The error with which a request was already refused at this version; `nil` if none is known.
    func refusal(of request: EventInjection, at time: Int) -> SessionError? {
        guard !refusals.isEmpty, let fingerprint = request.fingerprint else { return nil }
        return refusals.last { $0.fingerprint == fingerprint && time - $0.time < Self.memory }?.error
    }

    /// Whether the allowance for replays is used up.
    func isOverdrawn(at time: Int) -> Bool {
        debt > 0 && debt(at: time) > Self.capacity
    }

    private func debt(at time: Int) -> Int {
        max(0, debt - max(0, time - self.time) * Self.rate)
    }
}

extension SessionError {
    /// Whether the turn reached a limit of the tree, which it would reach again.
    fileprivate var isOfLimit: Bool {
        switch self {
        case .treeIsFull, .tooMuchWork: true
        default: false
        }
    }
}
