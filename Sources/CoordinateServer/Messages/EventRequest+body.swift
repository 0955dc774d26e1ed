package import Coordinate
package import CoordinateSessions

extension EventRequest {
    /// Reads a client's body: `{"event": "teams.didSelect", "payload": {"team": "ferrari"}, "at": "App…/…"}`. The
    /// `title`, `role`, `opens` and `inputs` of an action are ignored. Any other unknown field is refused, also in the
    /// payload. The field `pending` marks the event as an outcome, which only a session with withheld work accepts.
    /// `"origin": "host"` marks it as another system's.
    ///
    /// - Parameter mayNameOrigin: Whether the field `origin` is known.
    init(_ body: PlainValue, of app: HostedApp, mayNameOrigin: Bool = false) throws(Problem) {
        guard case .object = body else {
            throw .malformedRequest("The body must be an object like {\"event\": \"navigation.back\"}.")
        }
        try body.checkFields(mayNameOrigin ? Self.fieldsWithOrigin : Self.fields)
        guard let name = body[field: "event"]?.string else {
            throw .malformedRequest("The body needs a field \"event\" with the event's name.", pointer: "/event")
        }
        let payload: PlainValue
        switch body[field: "payload"] {
        case nil, .null: payload = .object([])
        case .object(let fields): payload = .object(fields)
        default: throw .invalidPayload(pointer: "/payload", "The payload must be an object.")
        }
        let at = try body.id("at", "a coordinator's id")
        let pending = try body.id("pending", "the id of work or of a timer")
        let origin = body[field: "origin"]
        guard origin == nil || origin == .string(JournalEntry.Origin.host.rawValue) && pending == nil else {
            throw .malformedRequest(
                "The field \"origin\" must be \"host\", without \"pending\", or left out.", pointer: "/origin")
        }
        try self.init(
            named: name, payload: payload, at: at, origin: origin == nil ? .client : .host, pending: pending, of: app)
    }

    /// An event that a client names. A field of the payload that the event does not have is refused.
    package init(
        named name: String, payload: PlainValue, at: String? = nil, origin: JournalEntry.Origin = .client,
        pending: String? = nil, of app: HostedApp
    ) throws(Problem) {
        if let entry = app.events.entry(named: name) {
            do throws(EventDecodingError) {
                try entry.checkFields(of: payload)
            } catch {
                throw .unknownField(
                    at: ["payload"] + error.path, nearest: error.nearest,
                    otherwise: "GET /catalog lists the fields of each event.")
            }
        }
        self.init(name: name, payload: payload, at: at, origin: origin, pending: pending)
    }
}

extension EventRequest {
    private static let fields = ["event", "payload", "at", "pending", "title", "role", "opens", "inputs"]
    private static let fieldsWithOrigin = fields + ["origin"]
}

extension PlainValue {
    /// The id in a field; `nil` if there is none.
    fileprivate func id(_ field: String, _ expected: String) throws(Problem) -> String? {
        switch self[field: field] {
        case nil, .null: return nil
        case .string(let id): return id
        default: throw .malformedRequest("The field \"\(field)\" must be \(expected).", pointer: "/\(field)")
        }
    }
}
