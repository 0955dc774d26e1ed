internal import Coordinate

/// The JSON Schema (2020-12) of what can be typed into a form.
enum InputSchema {
    /// - Parameter inputs: The inputs of an action in a route document.
    static func schema(of inputs: [PlainValue]) -> PlainValue {
        let properties = inputs.compactMap { input in
            input[field: "field"]?.string.map { PlainField($0, property(input)) }
        }
        let required = inputs.filter { $0[field: "required"] == .bool(true) }.compactMap { $0[field: "field"] }
        return .object([
            PlainField("type", .string("object")),
            PlainField("properties", .object(properties)),
            PlainField("required", .array(required)),
            PlainField("additionalProperties", .bool(false)),
        ])
    }

    private static func property(_ input: PlainValue) -> PlainValue {
        let type = input[field: "type"] ?? .string("string")
        let isRequired = input[field: "required"] == .bool(true)
        var fields = [
            PlainField("type", isRequired ? type : .array([type, .string("null")])),
            PlainField("title", input[field: "title"] ?? .null),
        ]
        if let choices = input[field: "choices"]?.elements {
            fields.append(PlainField("oneOf", .array(choices.map(choice) + (isRequired ? [] : [noChoice]))))
        }
        if input[field: "secret"] == .bool(true) {
            fields += [PlainField("writeOnly", .bool(true)), PlainField("format", .string("password"))]
        } else if let value = input[field: "value"], value != .null {
            fields.append(PlainField("default", value))
        }
        return .object(fields)
    }

    private static func choice(_ choice: PlainValue) -> PlainValue {
        .object([
            PlainField("const", choice[field: "value"] ?? .null),
            PlainField("title", choice[field: "title"] ?? .null),
        ])
    }

    private static let noChoice = PlainValue.object([PlainField("type", .string("null"))])
}
