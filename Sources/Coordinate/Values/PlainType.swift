/// A description of a value that clients send: its kind, and what it contains.
///
/// ```swift
/// String.plainType.kind                        // .string
/// [Int?].plainType.items?.isOptional           // true
/// Delivery.plainType.choices                   // [.string("standard"), .string("express")]
/// ```
public struct PlainType: Hashable, Sendable {
    /// The kind of a plain value, as in JSON.
    public enum Kind: String, Sendable {
        /// True or false.
        case bool = "boolean"
        /// A whole number.
        case int = "integer"
        /// Any number.
        case double = "number"
        /// A text.
        case string
        /// Values in order.
        case array
        /// Values by name.
        case object
    }

    /// The kind of the value.
    public let kind: Kind
    /// The fields of an object, in the order of their declaration; empty for any other kind.
    public let fields: [EventField]
    /// The type of an array's items; `nil` for any other kind.
    public var items: PlainType? { itemTypes.first }
    /// The only allowed values; `nil` if any value is allowed, or if they are not known without a session.
    public private(set) var choices: [PlainValue]?
    /// Whether the value may be missing, so that it is null or its field is omitted.
    public private(set) var isOptional = false
    /// Whether the value is a ``Secret``, which is never recorded.
    public private(set) var isSecret = false

    /// The name of the app's type, if it is an object or has choices: `Order`, and `OrderState` for `Order.State`.
    package private(set) var name: String?

    /// The reason why no value can be of this type, as the end of a sentence; `nil` if one can.
    private(set) var fault: String?

    /// The type of an array's items; empty for any other kind. It is a list because a struct cannot contain itself.
    private let itemTypes: [PlainType]

    private init(_ kind: Kind, fields: [EventField] = [], items: [PlainType] = []) {
        self.kind = kind
        self.fields = fields
        itemTypes = items
    }

    /// True or false.
    public static let bool = PlainType(.bool)
    /// A whole number.
    public static let int = PlainType(.int)
    /// Any number.
    public static let double = PlainType(.double)
    /// A text.
    public static let string = PlainType(.string)

    /// Values in order.
    public static func array(of items: PlainType) -> PlainType { PlainType(.array, items: [items]) }

    /// Values by name. Without declared fields, any values are allowed.
    public static func object(_ fields: [EventField]) -> PlainType { PlainType(.object, fields: fields) }

    /// The types whose descriptions are in progress, to detect one that contains itself.
    @TaskLocal private static var underWay: [ObjectIdentifier] = []

    /// Returns the description of an app's object type, with a fault if the type contains itself.
    static func objects(of type: Any.Type, _ fields: () -> [EventField]) -> PlainType {
        let id = ObjectIdentifier(type)
        guard !underWay.contains(id) else {
            return PlainType(.object).with(fault: "contains itself")
        }
        return $underWay.withValue(underWay + [id]) { .object(fields()) }
    }

    func with(fault: String?) -> PlainType {
        var type = self
        type.fault = type.fault ?? fault
        return type
    }

    /// Returns the same description with the name of a type of the app, unless it has one already or needs none.
    @usableFromInline
    func named(after type: Any.Type) -> PlainType {
        guard name == nil, choices != nil || !fields.isEmpty else { return self }
        var named = self
        // Without the module, and without the place of a private type, which is in parentheses.
        let parts = String(reflecting: type).split(separator: ".").dropFirst().filter { $0.first != "(" }
        named.name = parts.map { part in
            part.prefix(1).uppercased() + part.dropFirst().filter { $0.isLetter || $0.isNumber }
        }
        .joined()
        return named
    }

    /// Returns the same type with only these values; with any value if `choices` is `nil`.
    public func with(choices: [PlainValue]?) -> PlainType {
        var type = self
        type.choices = choices
        return type
    }

    /// The same type, whose value may be missing.
    public var optional: PlainType {
        var type = self
        type.isOptional = true
        return type
    }

    /// The same type, whose value may not be missing.
    package var required: PlainType {
        var type = self
        type.isOptional = false
        return type
    }

    /// The same type, with values that are never recorded.
    public var secret: PlainType {
        var type = self
        type.isSecret = true
        return type
    }
}

/// A field of an event's payload, or of an object in one.
public struct EventField: Hashable, Sendable {
    /// The name of the value: `team`.
    public let name: String
    /// The values that a client may send.
    public let type: PlainType

    /// Creates a field.
    public init(_ name: String, _ type: PlainType) {
        self.name = name
        self.type = type
    }

    /// Whether the value is a ``Secret``, which is never recorded.
    public var isSecret: Bool { type.isSecret }
}

extension PlainType {
    /// Checks that a value has only declared fields, at every depth. An object type that declares no fields allows any.
    func checkFields(of value: PlainValue) throws(PlainValueError) {
        switch value {
        case .object(let values) where kind == .object && !fields.isEmpty:
            try fields.checkFields(of: values)
        case .array(let values):
            guard let items else { return }
            for (index, value) in values.enumerated() {
                try PlainValueError.at("\(index)") { () throws(PlainValueError) in try items.checkFields(of: value) }
            }
        default: return
        }
    }
}

extension [EventField] {
    /// Checks that all values of an object belong to these fields, and that the fields in them are declared as well.
    func checkFields(of values: [PlainField]) throws(PlainValueError) {
        for value in values {
            // Compares bytes, because different Unicode encodings of a letter compare as equal strings.
            guard let index = firstIndex(where: { $0.name.utf8.elementsEqual(value.name.utf8) }) else {
                let nearest = value.name.nearest(among: map(\.name))
                throw PlainValueError("is not declared", nearest: nearest).at(value.name)
            }
            try PlainValueError.at(value.name) { () throws(PlainValueError) in
                try self[index].type.checkFields(of: value.value)
            }
        }
    }
}
