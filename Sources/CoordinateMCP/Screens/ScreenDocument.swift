internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD

/// The part of a route that a model needs: the screen, what can be done next, and what has changed.
enum ScreenDocument {
    /// - Parameters:
    ///   - changed: What the call has changed, as short phrases.
    ///   - more: Further fields.
    static func encode(_ route: PublishedRoute, changed: [String], _ more: [PlainField] = []) -> [UInt8] {
        let visible = route.visible
        var json = DocumentWriter(capacity: 4096)
        json.object {
            $0.field("session", route.session.description)
            $0.field("version", route.version)
            $0.field("path", visible.path)
            for field in more { $0.field(field) }
            $0.key("screen")
            $0.screen(visible.screen, describing: describe)
            $0.navigation(of: visible, describing: describe)
            $0.pending(visible.pending)
            $0.array("changed", changed) { $0.string($1) }
        }
        return json.finish().bytes
    }

    /// Writes the JSON Schema (2020-12) of what can be typed into a form.
    private static func describe(_ inputs: [Action.Input], _ json: inout DocumentWriter) {
        let schema: PlainValue = [
            "type": "object", "properties": .object(inputs.map { PlainField($0.field, property($0)) }),
            "required": .array(inputs.filter { !$0.type.isOptional }.map { .string($0.field) }),
            "additionalProperties": false,
        ]
        json.field(PlainField("input_schema", schema))
    }

    private static func property(_ input: Action.Input) -> PlainValue {
        let type = PlainValue.string(input.type.kind.rawValue)
        var fields = [
            PlainField("type", input.type.isOptional ? [type, "null"] : type),
            PlainField("title", .string(input.title)),
        ]
        if let choices = input.choices {
            let values = choices.map { ["const": $0.value, "title": .string($0.title)] as PlainValue }
            fields.append(PlainField("oneOf", .array(values + (input.type.isOptional ? [["type": "null"]] : []))))
        }
        if input.type.isSecret {
            return .object(fields + [PlainField("writeOnly", true), PlainField("format", "password")])
        }
        // A format is an annotation: it restricts nothing.
        if let format = input.kind?.format { fields.append(PlainField("format", .string(format))) }
        if input.value != .null { fields.append(PlainField("default", input.value)) }
        return .object(fields)
    }
}

extension Action.Input.Kind {
    /// The format of JSON Schema for such texts; `nil` if there is none.
    fileprivate var format: String? {
        switch self {
        case .email: "email"
        case .url: "uri"
        case .date: "date"
        // The format "time" wants seconds and an offset from UTC.
        case .phone, .time, .oneTimeCode, .multiline, .search: nil
        }
    }
}
