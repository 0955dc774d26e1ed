/// A type whose values clients send as objects with fields.
///
/// ```swift
/// struct Item: PlainObject {
///     var product: Product
///     var count: Int
///     var note: String?
///
///     static let declaration = ObjectDeclaration(
///         Item.init, .field("product", \.product), .field("count", \.count), .field("note", \.note))
/// }
/// ```
///
/// Payloads of events may contain such values, and arrays and optionals of them. Other objects may as well, but no
/// object may contain itself.
public protocol PlainObject: PlainValueConvertible {
    /// The fields, and the initializer that creates a value from them.
    static var declaration: ObjectDeclaration<Self> { get }
}

extension PlainObject {
    public static var plainType: PlainType { plainType(in: nil) }

    public static func plainType(in dependencies: (any AppDependenciesProtocol)?) -> PlainType {
        .objects(of: Self.self) { declaration.fields(dependencies) }
    }

    public var plainValue: PlainValue { .object(Self.declaration.values(self)) }

    public static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Self {
        guard case .object = value else { throw PlainValueError("must be an object") }
        return try declaration.make(value, dependencies)
    }
}

/// The fields of an object, in order, and the initializer that creates an object from their values.
public struct ObjectDeclaration<Object: Sendable>: Sendable {
    /// One field.
    public struct Field<Value: PlainValueConvertible>: Sendable {
        let name: String
        let value: @Sendable (Object) -> Value

        /// Declares a field.
        ///
        /// - Parameters:
        ///   - name: The name that clients know.
        ///   - value: The key path of its value: `\.count`.
        public static func field(_ name: String, _ value: @escaping @Sendable (Object) -> Value) -> Self {
            Self(name: name, value: value)
        }
    }

    let fields: @Sendable ((any AppDependenciesProtocol)?) -> [EventField]
    let values: @Sendable (Object) -> [PlainField]
    let make: @Sendable (PlainValue, (any AppDependenciesProtocol)?) throws(PlainValueError) -> Object

    /// Declares the fields of an object.
    ///
    /// - Parameters:
    ///   - make: Creates the object from the values of the fields: `Item.init`. It may throw if the values do not fit
    ///     together.
    ///   - fields: The fields, in the order of the initializer's parameters.
    public init<each Value: PlainValueConvertible>(
        _ make: @escaping @Sendable (repeat each Value) throws(PlainValueError) -> Object,
        _ fields: repeat Field<each Value>
    ) {
        self.fields = { dependencies in
            var described: [EventField] = []
            repeat described.append(EventField((each fields).name, (each Value).described(in: dependencies)))
            return described
        }
        values = { object in
            var values: [PlainField] = []
            repeat values.append(PlainField((each fields).name, (each fields).value(object).plainValue))
            return values
        }
        self.make = { object, dependencies throws(PlainValueError) in
            try make(repeat try (each Value).read(field: (each fields).name, of: object, in: dependencies))
        }
    }
}
