internal import Coordinate
internal import JSON

/// The part of a route document that a model needs: the screen, what can be done next, and what has changed.
enum ScreenDocument {
    /// - Parameters:
    ///   - route: The route document.
    ///   - changed: What the call has changed, as short phrases.
    ///   - more: Further fields.
    static func encode(_ route: PlainValue, changed: [String], _ more: [PlainField] = []) -> [UInt8] {
        var json = JSONWriter<[UInt8]>(capacity: 4096)
        json.object {
            for name in ["session", "version", "path"] { $0.field(PlainField(name, route[field: name] ?? .null)) }
            for field in more { $0.field(field) }
            for name in ["screen", "navigation"] {
                $0.field(PlainField(name, describingForms(in: route[field: name] ?? .null)))
            }
            $0.field(PlainField("pending", route[field: "pending"] ?? .array([])))
            $0.field(PlainField("changed", .array(changed.map(PlainValue.string))))
        }
        return json.finish()
    }

    /// The value with a schema at each form.
    private static func describingForms(in value: PlainValue) -> PlainValue {
        switch value {
        case .array(let elements): return .array(elements.map(describingForms))
        case .object(let fields):
            if value[field: "event"] != nil {
                guard let inputs = value[field: "inputs"]?.elements, !inputs.isEmpty else { return value }
                return .object(fields + [PlainField("input_schema", InputSchema.schema(of: inputs))])
            }
            return .object(fields.map { PlainField($0.name, describingForms(in: $0.value)) })
        default: return value
        }
    }
}
