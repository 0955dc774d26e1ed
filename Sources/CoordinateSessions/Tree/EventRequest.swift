package import Coordinate

/// A request to emit an event, in the form in which a client sends it.
package struct EventRequest: Sendable {
    package let name: String
    /// The payload: an object, which is empty if there are no fields.
    package let payload: PlainValue
    /// The id of the coordinator that emits it; `nil` for the visible leaf.
    package let at: String?
    package let origin: JournalEntry.Origin
    /// The id of the work or the timer whose outcome it is. The coordinator that requested the work emits it. With the
    /// origin `client`, a client posts the outcome, in a session whose work is withheld.
    package let pending: String?
    /// Whether the event was recorded, and is being replayed.
    let isRecorded: Bool
    /// The event itself, if this process created it: its recorded payload lacks its secrets.
    let event: (any DeclaredEvents)?
    /// The trace to which it belongs (https://www.w3.org/TR/trace-context); `nil` if it belongs to none.
    package var traceparent: String?

    package init(
        name: String, payload: PlainValue, at: String?, origin: JournalEntry.Origin = .client, pending: String? = nil
    ) {
        self.init(name: name, payload: payload, at: at, origin: origin, pending: pending, isRecorded: false)
    }

    /// The event at another coordinator, `nil` for the visible leaf, and as the outcome of other work.
    func moved(to at: String?, pending: String?) -> EventRequest {
        var moved = EventRequest(
            name: name, payload: payload, at: at, origin: origin, pending: pending, isRecorded: isRecorded)
        moved.traceparent = traceparent
        return moved
    }

    /// The event in place of a recorded one: at the same coordinator, and as the outcome of the same work.
    func replacing(_ entry: JournalEntry) -> EventRequest {
        EventRequest(
            name: name, payload: payload, at: entry.at, origin: name == entry.event ? entry.origin : .client,
            pending: entry.pending)
    }

    private init(
        name: String, payload: PlainValue, at: String?, origin: JournalEntry.Origin, pending: String?, isRecorded: Bool
    ) {
        self.name = name
        self.payload = payload
        self.at = at
        self.origin = origin
        self.pending = pending
        self.isRecorded = isRecorded
        event = nil
    }

    /// Creates a request for an event that this process has created.
    package init(
        _ event: any DeclaredEvents, at: String?, origin: JournalEntry.Origin, pending: String? = nil
    ) {
        (name, payload) = event.encoded
        self.at = at
        self.origin = origin
        self.pending = pending
        isRecorded = false
        self.event = event
    }

    /// Creates a request for a deep link, which is recorded as an event.
    package init(opening path: String) {
        self.init(name: Self.openName, payload: .object([PlainField("path", .string(path))]), at: nil)
    }

    /// Creates a request for a recorded event.
    init(repeating entry: JournalEntry) {
        self.init(repeating: .init(name: entry.event, payload: entry.payload, at: entry.at), of: entry)
    }

    /// Creates a request for a recorded event that was migrated.
    init(repeating event: RecordedEvent.Emission, of entry: JournalEntry) {
        self.init(
            name: event.name, payload: event.payload, at: event.at, origin: entry.origin, pending: entry.pending,
            isRecorded: true)
        traceparent = entry.traceparent
    }

    /// Whether a client posts it as an outcome.
    var isPostedOutcome: Bool { pending != nil && origin == .client && !isRecorded }

    /// The path of a deep link; `nil` for any other event.
    var link: String? {
        name == Self.openName ? payload[field: "path"]?.string : nil
    }

    private static let openName = "navigation.open"
}
