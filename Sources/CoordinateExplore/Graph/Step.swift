public import Coordinate

/// An event on the way to a state, as a session's journal has it.
public struct Step: Hashable, Sendable {
    /// Who an event comes from.
    public enum Origin: String, Sendable {
        /// A user, or whoever opens a link.
        case client
        /// Work that the app asked for: it is done, or has failed.
        case work
        /// A timer that the app set.
        case timer
    }

    /// The full name: `teams.didSelect`.
    public let event: String
    /// An object with the event's fields, but for those that are secret.
    public let payload: PlainValue
    /// The id of the coordinator it is emitted at.
    public let at: String
    public let origin: Origin
    /// The id of the work or the timer that it comes from; nil for a client's.
    public let pending: String?

    /// Makes an event of a journal.
    public init(event: String, payload: PlainValue, at: String, origin: Origin = .client, pending: String? = nil) {
        self.event = event
        self.payload = payload
        self.at = at
        self.origin = origin
        self.pending = pending
    }
}
