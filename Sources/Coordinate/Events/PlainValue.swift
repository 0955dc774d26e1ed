/// A value without a class: what payloads are made of on their way in and out of an app.
///
/// The shapes are those of JSON, but nothing here knows JSON.
public enum PlainValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([PlainValue])
    case object([PlainField])

    /// The string this is, nil where it is something else.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The value of a field of this object, nil where there is none or this is no object.
    public subscript(field name: String) -> PlainValue? {
        guard case .object(let fields) = self else { return nil }
        return fields.first { $0.name == name }?.value
    }
}

/// One field of an object, in the order it was written.
public struct PlainField: Hashable, Sendable {
    public let name: String
    public let value: PlainValue

    public init(_ name: String, _ value: PlainValue) {
        self.name = name
        self.value = value
    }
}
