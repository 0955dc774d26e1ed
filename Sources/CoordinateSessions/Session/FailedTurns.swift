/// The requests of a session whose turns failed halfway, and what it takes to make its tree again after each of them.
///
/// What an app's own code did cannot be undone, so after such a turn the tree is made again of all that was recorded. That
/// is bounded in two ways. A request that met a limit of the tree is told so again at once, as long as the version is the
/// same: to run it again would only break the tree again. As an app may go by the time, that is so for half a minute. And
/// what is replayed because of failures comes out of an allowance, which grows with the time: where it is used up, no event
/// is taken until it has grown. A session of 1,000 events may fail 180 times at once, and then 18 times a second; one of
/// 100,000 twice, and then every five seconds. Reading is not affected.
struct FailedTurns: Sendable {
    /// How many refusals are remembered.
    private static let size = 8
    /// For how long, in seconds.
    private static let memory = 30
    /// The events that may be replayed in a second because of failures: a tenth of what one core can.
    static let rate = 20_000
    /// The events that may be replayed at once.
    static let capacity = 10 * rate
    /// The events that making a tree without any counts as.
    private static let minimum = 100

    private struct Refusal: Sendable {
        let fingerprint: Int
        let error: SessionError
        let time: Int
    }

    private var refusals: [Refusal] = []
    /// The events that were replayed and the allowance has not grown by since.
    private var debt = 0
    private var time = 0

    /// Notes a turn that failed.
    ///
    /// - Parameter version: The version that the tree has to be made of again.
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

    /// Whether nothing is known that a request could be refused for.
    var isEmpty: Bool { debt == 0 }

    /// What a request would be told that was refused already at this version; nil where that is not known.
    func refusal(of request: some SessionRequest) -> SessionError? {
        guard !refusals.isEmpty, let fingerprint = request.fingerprint else { return nil }
        return refusals.last { $0.fingerprint == fingerprint && request.time - $0.time < Self.memory }?.error
    }

    /// Whether too much was replayed lately to risk more of it.
    func isOverdrawn(at time: Int) -> Bool {
        debt > 0 && debt(at: time) > Self.capacity
    }

    private func debt(at time: Int) -> Int {
        max(0, debt - max(0, time - self.time) * Self.rate)
    }
}

extension SessionError {
    /// Whether the turn met a limit of the tree's, which it will meet again.
    fileprivate var isOfLimit: Bool {
        switch self {
        case .treeIsFull, .tooMuchWork: true
        default: false
        }
    }
}
