internal import Coordinate
internal import JSON

/// A language in which tests are written. Each text that a test consists of ends with a line feed.
protocol TestLanguage: Sendable {
    func opening(_ test: RecordedTest) -> String
    func step(_ step: RecordedStep) -> String
    var closing: String { get }

    // Values, by default as in JSON.

    var null: String { get }
    /// The literals for false and true.
    var booleans: [String] { get }
    /// What encloses the fields of an object, and the object without fields.
    var object: (opening: String, closing: String, empty: String) { get }
    func quoted(_ text: String) -> String
}

extension TestLanguage {
    var closing: String { "" }
    var null: String { "null" }
    var booleans: [String] { ["false", "true"] }
    var object: (opening: String, closing: String, empty: String) { ("{", "}", "{}") }
    func quoted(_ text: String) -> String { PlainValue.string(text).jsonText }

    func literal(_ value: PlainValue) -> String {
        switch value {
        case .null: null
        case .bool(let value): booleans[value ? 1 : 0]
        case .int, .double: value.jsonText == "null" ? null : value.jsonText
        case .string(let text): quoted(text)
        case .array(let elements): "[\(elements.map(literal).joined(separator: ", "))]"
        case .object(let fields): literal(fields)
        }
    }

    func literal(_ fields: [PlainField]) -> String {
        fields.isEmpty ? object.empty : object.opening + members(fields).joined(separator: ", ") + object.closing
    }

    func members(_ fields: [PlainField]) -> [String] {
        fields.map { "\(quoted($0.name)): \(literal($0.value))" }
    }

    /// Code that encloses parts: on one line, or with a part per line if that line would be too long.
    func code(_ indent: String, _ opening: String, _ parts: [String], _ closing: String) -> String {
        let line = indent + opening + parts.joined(separator: ", ") + closing
        if line.count <= 120 || parts.isEmpty { return line + "\n" }
        let inner = parts.map { "\(indent)    \($0)" }.joined(separator: ",\n")
        // Calls have no comma at their end.
        return "\(indent)\(opening)\n\(inner)\(closing.hasPrefix(")") ? "" : ",")\n\(indent)\(closing)\n"
    }

    /// Comments on the step's secrets.
    func notes(_ step: RecordedStep, _ mark: String) -> String {
        step.placeholders.map { "\(mark) The journal has no secrets: \"secret\" stands for \($0).\n" }.joined()
    }
}
