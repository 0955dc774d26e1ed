internal import Coordinate
internal import CoordinateSessions

extension EventRequest {
    /// Reads a body as a client sends it: `{"event": "teams.didSelect", "payload": {"team": "ferrari"}, "at": "App…/…"}`.
    /// Fields it does not know are ignored, as is the `title` of an action.
    init(_ body: PlainValue) throws(Problem) {
        guard case .object = body else {
            throw .malformedRequest("The body must be an object like {\"event\": \"navigation.back\"}.")
        }
        guard let name = body[field: "event"]?.string else {
            throw .malformedRequest("The body needs a field \"event\" with the event's name.", pointer: "/event")
        }
        let payload: PlainValue
        switch body[field: "payload"] {
        case nil, .null: payload = .object([])
        case .object(let fields): payload = .object(fields)
        default: throw .invalidPayload(pointer: "/payload", "The payload must be an object.")
        }
        let at: String?
        switch body[field: "at"] {
        case nil, .null: at = nil
        case .string(let id): at = id
        default: throw .malformedRequest("The field \"at\" must be a coordinator's id.", pointer: "/at")
        }
        self.init(name: name, payload: payload, at: at)
    }
}
