internal import Coordinate
internal import JSON

/// The reason why a line of an exported journal, or a value in a store, cannot be read.
public struct UnreadableJSON: Error {
    /// The second half of a sentence: "its field "time" must be …".
    public let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

/// The fields of an object: a line of an exported journal, or the form in which a store keeps an entry or a session.
struct JSONFields {
    private let fields: [PlainField]

    /// - Parameter value: The object. Any other value has no fields.
    init(_ value: PlainValue) {
        if case .object(let fields) = value { self.fields = fields } else { fields = [] }
    }

    init(_ bytes: [UInt8], maximumDepth: Int = JSONParser.maximumDepth) throws(UnreadableJSON) {
        do throws(JSONSyntaxError) {
            self.init(try JSONParser.parse(bytes, maximumDepth: maximumDepth))
        } catch {
            throw UnreadableJSON(reason: "it is not valid JSON: expected \(error.expected) at column \(error.column).")
        }
    }

    subscript(name: String) -> PlainValue? {
        // Most names differ in length.
        let length = name.utf8.count
        return fields.first { $0.name.utf8.count == length && $0.name == name }?.value
    }

    func string(_ name: String) throws(UnreadableJSON) -> String {
        guard let text = self[name]?.string else { throw refusal(name, "a string") }
        return text
    }

    /// A string that may be missing, or null.
    func optionalString(_ name: String) throws(UnreadableJSON) -> String? {
        switch self[name] {
        case nil, .null: nil
        default: try string(name)
        }
    }

    func int(_ name: String) throws(UnreadableJSON) -> Int {
        guard case .int(let number) = self[name] else { throw refusal(name, "a whole number") }
        return number
    }

    func bool(_ name: String) throws(UnreadableJSON) -> Bool {
        guard case .bool(let value) = self[name] else { throw refusal(name, "true or false") }
        return value
    }

    /// The elements of an array; empty if the field is missing.
    func array(_ name: String) throws(UnreadableJSON) -> [PlainValue] {
        guard let value = self[name] else { return [] }
        guard case .array(let elements) = value else { throw refusal(name, "an array") }
        return elements
    }

    /// A field that may be missing.
    func optional<Value>(
        _ name: String, _ read: (String) throws(UnreadableJSON) -> Value
    ) throws(UnreadableJSON) -> Value? {
        self[name] == nil ? nil : try read(name)
    }

    func time(_ name: String) throws(UnreadableJSON) -> Timestamp {
        guard let time = Timestamp(try string(name)) else {
            throw refusal(name, "a moment like 2026-11-21T09:30:00Z")
        }
        return time
    }

    func refusal(_ name: String, _ expected: String) -> UnreadableJSON {
        UnreadableJSON(reason: "its field \"\(name)\" must be \(expected).")
    }
}
