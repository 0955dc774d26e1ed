internal import Coordinate

/// One accepted event.
struct JournalEntry: Sendable {
    /// How many events the session has accepted with it.
    let version: Int
    let time: Timestamp
    let event: String
    let payload: PlainValue
    /// The id of the coordinator it was emitted at.
    let at: String
    /// Nil where nobody handled it.
    let handledBy: String?
    /// The path after the event.
    let path: String
}
