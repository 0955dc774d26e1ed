internal import Coordinate

/// The JSON Schema (2020-12) of what can be typed into a form.
enum InputSchema {
    /// - Parameter inputs: The inputs of an action.
    static func schema(of inputs: [Action.Input]) -> PlainValue {
        let required = inputs.filter { !$0.type.isOptional }.map { PlainValue.string($0.field) }
        return .object([
            PlainField("type", .string("object")),
            PlainField("properties", .object(inputs.map { PlainField($0.field, property($0)) })),
            PlainField("required", .array(required)),
            PlainField("additionalProperties", .bool(false)),
        ])
    }

    private static func property(_ input: Action.Input) -> PlainValue {
        let type = PlainValue.string(input.type.kind.rawValue)
        var fields = [
            PlainField("type", input.type.isOptional ? .array([type, .string("null")]) : type),
            PlainField("title", .string(input.title)),
        ]
        if let choices = input.choices {
            let values = choices.map { choice in
                PlainValue.object([PlainField("const", choice.value), PlainField("title", .string(choice.title))])
            }
            fields.append(PlainField("oneOf", .array(values + (input.type.isOptional ? [noChoice] : []))))
        }
        if input.type.isSecret {
            fields += [PlainField("writeOnly", .bool(true)), PlainField("format", .string("password"))]
            return .object(fields)
        }
        // A format is an annotation: it restricts nothing.
        if let format = input.kind?.format { fields.append(PlainField("format", .string(format))) }
        if input.value != .null { fields.append(PlainField("default", input.value)) }
        return .object(fields)
    }

    private static let noChoice = PlainValue.object([PlainField("type", .string("null"))])
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
