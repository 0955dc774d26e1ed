/// A value of a basic type. Payloads consist of plain values outside of the app.
///
/// ```swift
/// let payload = PlainValue.object([PlainField("team", .string("ferrari"))])
/// payload[field: "team"]?.string   // "ferrari"
/// ```
///
/// The kinds are those of JSON, but this module does not read or write JSON.
public enum PlainValue: Hashable, Sendable {
    /// No value.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case int(Int)
    /// Any other number.
    case double(Double)
    /// A text.
    case string(String)
    /// Values in order.
    case array([PlainValue])
    /// Values by name, in the order in which they were written.
    case object([PlainField])

    /// The string; `nil` if the value is of another kind.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The value of a field of this object; `nil` if there is no such field, or if this is not an object.
    public subscript(field name: String) -> PlainValue? {
        guard case .object(let fields) = self else { return nil }
        return fields.first { $0.name == name }?.value
    }
}

extension PlainValue {
    /// The fields of an object; none of any other value.
    package var fields: [PlainField] {
        if case .object(let fields) = self { fields } else { [] }
    }

    /// The object with some fields replaced or added.
    package func setting(_ new: [PlainField]) -> PlainValue {
        guard case .object(let old) = self else { return .object(new) }
        var places = Dictionary(old.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var all = old
        for field in new {
            if let place = places[field.name] {
                all[place] = field
            } else {
                places[field.name] = all.count
                all.append(field)
            }
        }
        return .object(all)
    }
}

/// One field of an object.
public struct PlainField: Hashable, Sendable {
    /// The name of the value.
    public let name: String
    /// The value.
    public let value: PlainValue

    /// Creates a field.
    public init(_ name: String, _ value: PlainValue) {
        self.name = name
        self.value = value
    }
}

extension PlainValue: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(arrayLiteral elements: PlainValue...) { self = .array(elements) }

    public init(dictionaryLiteral fields: (String, PlainValue)...) {
        self = .object(fields.map { PlainField($0.0, $0.1) })
    }
}
