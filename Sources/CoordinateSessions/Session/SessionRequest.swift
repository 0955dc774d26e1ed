/// A request to a session, as far as its machine needs to know it.
protocol SessionRequest: Sendable {
    var kind: SessionRequestKind { get }
    /// Whether it is the event of a timer.
    var isTimer: Bool { get }
    /// The mark that identifies its entry through all attempts.
    var mark: UInt64? { get }
    /// The least version that it must see.
    var leastVersion: Int { get }
    /// A hash of the request's content; `nil` if it cannot be computed.
    var fingerprint: Int? { get }
    /// The time at which it arrived, by the monotonic clock, in seconds.
    var time: Int { get }
    /// Whether any client waits for it.
    var isAwaited: Bool { get }
}

extension SessionRequest {
    var isTimer: Bool { false }
    var fingerprint: Int? { nil }
    var time: Int { 0 }
}

enum SessionRequestKind: Sendable {
    /// Accept an event if the condition holds: only once, however often the request is repeated.
    case event(VersionCondition, Retry?)
    /// End the session if the condition holds.
    case end(VersionCondition)
    /// Show the committed state.
    case look
}
