internal import Coordinate
internal import CoordinateSessions

extension EventRequest {
    /// Reads a client's body: `{"event": "teams.didSelect", "payload": {"team": "ferrari"}, "at": "App…/…"}`. The
    /// `title` and the `inputs` of an action are ignored; any other field is refused, in the payload as well.
    init(_ body: PlainValue, of app: HostedApp) throws(Problem) {
        guard case .object = body else {
            throw .malformedRequest("The body must be an object like {\"event\": \"navigation.back\"}.")
        }
        try body.checkFields("event", "payload", "at", "title", "inputs")
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
        if let entry = app.events.entry(named: name) {
            do throws(EventDecodingError) {
                try entry.checkFields(of: payload)
            } catch {
                throw .unknownField(
                    at: ["payload"] + error.path, nearest: error.nearest,
                    otherwise: "GET /catalog lists the fields of each event.")
            }
        }
        self.init(name: name, payload: payload, at: at)
    }
}
