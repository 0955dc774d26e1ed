public import Coordinate

/// An event that a session has accepted, and that is in the journal.
///
/// It does not contain the session's id, which would let its readers control the session.
public struct CommittedEvent: Sendable {
    /// The time of the turn.
    public let time: Timestamp
    /// The session's reference.
    public let reference: String
    /// The session's key; `nil` if it has none.
    public let key: String?
    /// The session's attributes, as far as this server knows them.
    public let attributes: [String: String]
    /// The session's version after the event.
    public let version: Int
    /// The event's name: `teams.didSelectTeam`.
    public let event: String
    /// The payload, an object, without the event's secrets.
    public let payload: PlainValue
    /// The id of the coordinator that handled it; `nil` if none did.
    public let handledBy: String?
    /// The path after the event.
    public let path: String
    /// The name of the visible screen after the event.
    public let screen: String
    /// The source of the event.
    public let origin: JournalEntry.Origin
    /// How long the app's turn took; `nil` if the journal confirmed the event only after this server had lost the turn.
    public let turnTime: Duration?

    /// - Parameters:
    ///   - turn: The visible screen after the event, and how long its turn took, in nanoseconds.
    init(_ entry: JournalEntry, _ turn: (screen: String, time: UInt64?), of session: SessionNames) {
        time = entry.time
        (reference, key, attributes) = (session.reference, session.key, session.attributes)
        version = entry.version
        event = entry.event
        payload = entry.payload
        handledBy = entry.handledBy
        path = entry.path
        screen = turn.screen
        origin = entry.origin
        turnTime = turn.time.map { .nanoseconds($0) }
    }
}

/// The names of a session for the host and the outside. They grant nothing.
struct SessionNames: Sendable {
    let reference: String
    let key: String?
    let attributes: [String: String]

    init(_ record: SessionRecord) {
        (reference, key, attributes) = (record.reference, record.key, record.attributes)
    }
}
