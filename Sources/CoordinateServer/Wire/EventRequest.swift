internal import Coordinate

/// An event as a client sends it: `{"event": "teams.didSelect", "payload": {"team": "ferrari"}, "at": "AppCoordinator/…"}`.
struct EventRequest: Sendable {
    let name: String
    /// An object; empty where the client sent none.
    let payload: PlainValue
    /// The id of the coordinator it is emitted at, nil for the leaf.
    let at: String?
}

extension EventRequest {
    /// A deep link, as the event it is recorded as.
    init(opening path: String) {
        name = Self.openName
        payload = .object([PlainField("path", .string(path))])
        at = nil
    }

    /// An event as it was recorded.
    init(repeating entry: JournalEntry) {
        name = entry.event
        payload = entry.payload
        at = entry.at
    }

    /// The path of a deep link, nil for any other event.
    var link: String? {
        name == Self.openName ? payload[field: "path"]?.string : nil
    }

    private static let openName = "navigation.open"

    /// Reads a body. Fields it does not know are ignored, as is the `title` of an action.
    init(_ body: PlainValue) throws(Problem) {
        guard case .object = body else {
            throw .malformedRequest("The body must be an object like {\"event\": \"navigation.back\"}.")
        }
        guard let name = body[field: "event"]?.string else {
            throw .malformedRequest("The body needs a field \"event\" with the event's name.", pointer: "/event")
        }
        self.name = name
        switch body[field: "payload"] {
        case nil, .null: payload = .object([])
        case .object(let fields): payload = .object(fields)
        default: throw .invalidPayload(pointer: "/payload", "The payload must be an object.")
        }
        switch body[field: "at"] {
        case nil, .null: at = nil
        case .string(let id): at = id
        default: throw .malformedRequest("The field \"at\" must be a coordinator's id.", pointer: "/at")
        }
    }
}
