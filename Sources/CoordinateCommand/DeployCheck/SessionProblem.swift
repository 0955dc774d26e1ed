internal import CoordinateSessions

/// The reason why a session would not wake with a new app.
struct SessionProblem: Codable, Sendable {
    /// The kind of the reason: that of an ``AppChange``, or `crash`, `failed` or `damaged`.
    let cause: String
    /// The name of the first event that differs; `nil` for the start of the tree, or if it is unknown.
    let event: String?
    /// The version to which that event leads; 0 for the start of the tree, `nil` if it is unknown.
    let version: Int?
    /// The recorded outcome and today's; `nil` if unknown.
    var recorded: AppChange.Outcome?
    var now: AppChange.Outcome?
    /// The reason, as the second half of a sentence or as a sentence.
    let reason: String

    static let crash = "crash"
    static let damaged = "damaged"
}

extension SessionProblem {
    /// - Parameter entry: The entry that was replayed; `nil` for the start of the tree.
    init(_ error: SessionError, at entry: JournalEntry?) {
        switch error {
        case .appChanged(let change):
            self.init(
                cause: change.cause.rawValue, event: change.recorded.event, version: change.version,
                recorded: change.recorded, now: change.now, reason: change.reason)
        case .crashed(let crash):
            self.init(cause: Self.crash, event: crash.event, version: crash.version, reason: "\(crash).")
        case .damaged(let version):
            self.init(cause: Self.damaged, event: nil, version: version, reason: error.description)
        default:
            var reason = error.description
            if case .appFailed(let failure) = error { reason = "the app failed: \(failure)" }
            let recorded = entry.map {
                AppChange.Outcome(event: $0.event, isHandled: $0.isHandled, handledBy: $0.handledBy, path: $0.path)
            }
            self.init(
                cause: "failed", event: entry?.event, version: entry?.version ?? 0, recorded: recorded, reason: reason)
        }
    }
}
