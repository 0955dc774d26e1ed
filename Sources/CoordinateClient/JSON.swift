internal import Coordinate
internal import Foundation

/// Any JSON value, written as a literal and read by subscripts.
///
/// ```swift
/// let payload: JSON = ["team": "ferrari"]
/// #expect(try answer.json["navigation"]["tabs"][2]["badge"] == "1")
/// ```
///
/// A missing value is `nil` when it is read; the value `null` is ``null``.
///
/// The server has its own parser and `PlainValue`, whose fields are ordered. A client uses Foundation's parser and
/// compares objects without regard to the order of fields. So it checks the server's JSON independently.
public enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])
}

extension JSON {
    /// The string; `nil` if the value is of another kind.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The whole number; `nil` if the value is of another kind.
    public var int: Int? {
        if case .int(let value) = self { value } else { nil }
    }

    /// The elements of this array; empty if the value is of another kind.
    public var array: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The fields of this object; empty if the value is of another kind.
    public var object: [String: JSON] {
        if case .object(let fields) = self { fields } else { [:] }
    }

    /// A field of this object.
    public subscript(name: String) -> JSON? { object[name] }

    /// An element of this array.
    public subscript(index: Int) -> JSON? { array.indices.contains(index) ? array[index] : nil }

    /// The value as UTF-8, with sorted fields.
    public var encoded: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding fails only for numbers that are not finite, and JSON has none.
        return (try? encoder.encode(self)).map { Array($0) } ?? []
    }
}

extension JSON {
    /// The value as this module decodes it: a number without a fraction is an ``int(_:)`` if it fits.
    init(_ value: PlainValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .double(let value): self = Int(exactly: value).map(JSON.int) ?? .double(value)
        case .string(let value): self = .string(value)
        case .array(let elements): self = .array(elements.map { JSON($0) })
        case .object(let fields):
            self = .object(Dictionary(fields.map { ($0.name, JSON($0.value)) }, uniquingKeysWith: { $1 }))
        }
    }
}

extension Optional where Wrapped == JSON {
    /// A field of the object, if there is one. Lets paths be read without question marks.
    public subscript(name: String) -> JSON? { self?[name] }

    /// An element of the array, if there is one.
    public subscript(index: Int) -> JSON? { self?[index] }
}

extension JSON: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // A wrong guess costs more than a right one, so the most frequent kinds come first.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let fields = try? container.decode([String: JSON].self) {
            self = .object(fields)
        } else if let elements = try? container.decode([JSON].self) {
            self = .array(elements)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else {
            self = .double(try container.decode(Double.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let elements): try container.encode(elements)
        case .object(let fields): try container.encode(fields)
        }
    }
}

extension JSON: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    public init(dictionaryLiteral fields: (String, JSON)...) {
        self = .object(Dictionary(fields, uniquingKeysWith: { $1 }))
    }
}
