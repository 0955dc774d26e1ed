internal import Coordinate
internal import CoordinateSessions
internal import MicroHTTPD

/// The body of a request that may create a session: `{"path": "/main", "options": {}, "attributes": {}, "events": []}`.
/// Attributes and events are the operator's.
struct NewSessionBody: Sendable {
    /// The most events with which a session begins.
    private static let maximumEvents = 1_000

    /// The options that are set: an object.
    let options: PlainValue
    /// The link that opens the session's path; `nil` if the body has none.
    let first: EventInjection?
    let attributes: [String: String]
    /// The events after that.
    let events: [EventRequest]
    /// Whether only the operator may ask for it.
    let isOperators: Bool

    init(_ request: borrowing HTTPRequest, of app: HostedApp) throws(Problem) {
        let body = request.body.isEmpty ? .object([]) : try request.json()
        guard case .object = body else {
            throw .malformedRequest("The body must be an object like {\"path\": \"/main\", \"options\": {}}.")
        }
        try body.checkFields("path", "options", "attributes", "events")
        switch body[field: "options"] {
        case nil: options = .object([])
        case .object(let fields): options = .object(fields)
        default: throw .invalidOptions(pointer: "/options", "The options must be an object.")
        }
        first =
            body[field: "path"] == nil ? nil : EventInjection(EventRequest(opening: try body.path()), wantsRoute: false)
        attributes =
            try body[field: "attributes"].map { value throws(Problem) in
                try AttributeChanges(value).added
            } ?? [:]
        events = try body[field: "events"].map { value throws(Problem) in try Self.events(value, of: app) } ?? []
        isOperators = body[field: "attributes"] != nil || body[field: "events"] != nil
    }

    private static func events(_ value: PlainValue, of app: HostedApp) throws(Problem) -> [EventRequest] {
        guard case .array(let values) = value, values.count <= maximumEvents else {
            throw .malformedRequest(
                "The field \"events\" must be a list of at most \(maximumEvents) events.", pointer: "/events")
        }
        var events: [EventRequest] = []
        for (index, value) in values.enumerated() {
            do throws(Problem) {
                events.append(try EventRequest(value, of: app, mayNameOrigin: true))
            } catch {
                throw error.within("/events/\(index)")
            }
        }
        return events
    }
}

/// Changes to a session's attributes, as a body names them: `{"user": "42", "plan": null}`.
struct AttributeChanges: Sendable {
    /// The new values by the names; `nil` removes an attribute.
    let values: [String: String?]

    init(_ value: PlainValue) throws(Problem) {
        guard case .object(let fields) = value else {
            throw .invalidAttributes(
                [], "Attributes are an object of texts, such as {\"user\": \"42\"}.")
        }
        var values: [String: String?] = [:]
        for field in fields {
            guard SessionRecord.isAttributeName(field.name) else {
                throw .invalidAttributes(
                    [field.name],
                    "The name of an attribute begins with a lower-case letter, followed by up to 63 of a-z, 0-9, _, . and -."
                )
            }
            switch field.value {
            case .null: values[field.name] = .some(nil)
            case .string(let text) where SessionRecord.isAttributeValue(text): values[field.name] = text
            default:
                throw .invalidAttributes(
                    [field.name],
                    "The value of an attribute is a text of up to 256 characters and 1024 bytes, without NUL.")
            }
        }
        guard values.count <= SessionRecord.maximumAttributes || values.values.contains(nil) else {
            throw .tooManyAttributes
        }
        self.values = values
    }

    /// The attributes of a new session.
    var added: [String: String] { values.compactMapValues { $0 } }
}

extension PlainValue {
    /// The field `path` of a body.
    func path() throws(Problem) -> String {
        guard let path = self[field: "path"]?.string else {
            throw .malformedRequest("The body must be an object like {\"path\": \"/splash\"}.", pointer: "/path")
        }
        return path
    }
}

extension Problem {
    static func invalidAttributes(_ path: [String], _ detail: String) -> Problem {
        Problem(
            .invalidAttributes, detail,
            fields: [PlainField("pointer", .string(JSONPointer(["attributes"] + path).description))])
    }

    static let tooManyAttributes = invalidAttributes(
        [], "A session has at most \(SessionRecord.maximumAttributes) attributes.")
}
