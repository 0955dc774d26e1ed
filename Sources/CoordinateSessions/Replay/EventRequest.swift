package import Coordinate

/// An event that is to be emitted, in the form in which a client sends it.
package struct EventRequest: Sendable {
    package let name: String
    /// The payload: an object; empty where there is none.
    package let payload: PlainValue
    /// The id of the coordinator at which it is emitted, nil for the visible leaf.
    package let at: String?
    package let origin: JournalEntry.Origin
    /// The id of the work or the timer whose outcome it is; it is emitted at the coordinator that asked for that. With the
    /// origin `client`, a client posts the outcome, in a session whose work is withheld.
    package let pending: String?
    /// True where the event was recorded, and is being replayed.
    let isRecorded: Bool
    /// The event itself, where this process made it: its recorded payload lacks its secrets.
    let event: (any DeclaredEvents)?
    /// The trace to which it belongs (https://www.w3.org/TR/trace-context), nil where it belongs to none.
    package var traceparent: String?

    package init(
        name: String, payload: PlainValue, at: String?, origin: JournalEntry.Origin = .client, pending: String? = nil
    ) {
        self.init(name: name, payload: payload, at: at, origin: origin, pending: pending, isRecorded: false)
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

    /// Makes a request of an event that this process has made.
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

    /// Makes a request of a deep link, which is recorded as an event.
    package init(opening path: String) {
        self.init(name: Self.openName, payload: .object([PlainField("path", .string(path))]), at: nil)
    }

    /// Makes a request of an event as it was recorded, or migrated.
    init(repeating event: RecordedEvent.Emission, of entry: JournalEntry) {
        self.init(
            name: event.name, payload: event.payload, at: event.at, origin: entry.origin, pending: entry.pending,
            isRecorded: true)
        traceparent = entry.traceparent
    }

    /// Whether a client posts it as an outcome.
    var isPostedOutcome: Bool { pending != nil && origin == .client && !isRecorded }

    /// The path of a deep link, nil for any other event.
    var link: String? {
        name == Self.openName ? payload[field: "path"]?.string : nil
    }

    private static let openName = "navigation.open"
}
