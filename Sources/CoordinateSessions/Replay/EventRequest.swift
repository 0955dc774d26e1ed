package import Coordinate

/// An event that is to be emitted, as somebody outside knows it.
package struct EventRequest: Sendable {
    package let name: String
    /// An object; empty where there is none.
    package let payload: PlainValue
    /// The id of the coordinator it is emitted at, nil for the leaf.
    package let at: String?

    package init(name: String, payload: PlainValue, at: String?) {
        self.name = name
        self.payload = payload
        self.at = at
    }

    /// A deep link, as the event it is recorded as.
    package init(opening path: String) {
        self.init(name: Self.openName, payload: .object([PlainField("path", .string(path))]), at: nil)
    }

    /// An event as it was recorded.
    init(repeating event: RecordedEvent.Emission) {
        self.init(name: event.name, payload: event.payload, at: event.at)
    }

    /// The path of a deep link, nil for any other event.
    var link: String? {
        name == Self.openName ? payload[field: "path"]?.string : nil
    }

    private static let openName = "navigation.open"
}
