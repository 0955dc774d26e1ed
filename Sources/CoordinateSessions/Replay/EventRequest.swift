package import Coordinate

/// An event that is to be emitted, as somebody outside knows it.
package struct EventRequest: Sendable {
    package let name: String
    /// An object; empty where there is none.
    package let payload: PlainValue
    /// The id of the coordinator it is emitted at, nil for the leaf.
    package let at: String?
    package let origin: JournalEntry.Origin
    /// The id of the work or the timer that it comes from; it is emitted at the coordinator that asked for that.
    package let pending: String?
    /// Whether it was taken before, and is taken once more.
    let isRecorded: Bool
    /// The event itself, where this process made it: its payload as it is written lacks its secrets.
    let event: (any DeclaredEvents)?
    /// The trace that it belongs to (https://www.w3.org/TR/trace-context), nil where it belongs to none.
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

    /// An event that this process has made.
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

    /// A deep link, as the event it is recorded as.
    package init(opening path: String) {
        self.init(name: Self.openName, payload: .object([PlainField("path", .string(path))]), at: nil)
    }

    /// An event as it was recorded, or migrated.
    init(repeating event: RecordedEvent.Emission, of entry: JournalEntry) {
        self.init(
            name: event.name, payload: event.payload, at: event.at, origin: entry.origin, pending: entry.pending,
            isRecorded: true)
        traceparent = entry.traceparent
    }

    /// The path of a deep link, nil for any other event.
    var link: String? {
        name == Self.openName ? payload[field: "path"]?.string : nil
    }

    private static let openName = "navigation.open"
}
