/// A type whose values clients can send in payloads.
///
/// Strings, numbers and Booleans conform, and so do arrays and optionals of such types. An enum with raw values
/// conforms in one line. See also ``PlainObject`` and ``KnownByID``:
///
/// ```swift
/// enum Delivery: String, CaseIterable, PlainValueConvertible {
///     case standard, express
/// }
/// ```
///
/// Any other type implements the conversion itself:
///
/// ```swift
/// extension ZipCode: PlainValueConvertible {
///     static let plainType = PlainType.string
///     var plainValue: PlainValue { .string(digits) }
///
///     static func resolve(
///         _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
///     ) throws(PlainValueError) -> ZipCode {
///         guard let code = ZipCode(try String.resolve(value, in: dependencies)) else {
///             throw PlainValueError("must have four digits")
///         }
///         return code
///     }
/// }
/// ```
public protocol PlainValueConvertible: RouteValue {
    /// The type of the value that a client sends.
    static var plainType: PlainType { get }

    /// Returns the type as the catalog shows it, with its choices. By default ``plainType``.
    ///
    /// - Parameter dependencies: The dependencies of a root that was not started.
    static func plainType(in dependencies: (any AppDependenciesProtocol)?) -> PlainType

    /// Whether values are never recorded, like a ``Secret``. By default false. A type that wraps a secret must return
    /// true.
    static var isSecret: Bool { get }

    /// This value as clients send it.
    var plainValue: PlainValue { get }

    /// Returns the value for a plain value.
    ///
    /// - Parameters:
    ///   - value: The value that was sent, of any kind.
    ///   - dependencies: The dependencies of the tree's root, which look up ids.
    /// - Throws: The problem with the value, described for the client that sent it.
    static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Self
}

extension PlainValueConvertible {
    public static var isSecret: Bool { false }

    public static func plainType(in dependencies: (any AppDependenciesProtocol)?) -> PlainType { plainType }

    /// The type without choices that depend on dependencies. It is read for each omitted value, so it must be cheap.
    static var sentType: PlainType {
        let type = plainType
        return isSecret ? type.secret : type
    }

    /// Returns the type with its name, its choices and its faults.
    @usableFromInline
    static func described(in dependencies: (any AppDependenciesProtocol)? = nil) -> PlainType {
        let type = plainType(in: dependencies).named(after: Self.self)
        guard isSecret || type.isSecret else { return type }
        return type.secret.with(
            fault: canBeLost ? nil : "is a secret, but cannot be created from null: create it from a Secret")
    }

    /// Returns the value for a plain value. The error suggests a similar value if there is one.
    @inlinable
    static func read(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Self {
        do throws(PlainValueError) {
            return try resolve(value, in: dependencies)
        } catch {
            throw suggestion(error, for: value, in: dependencies)
        }
    }

    /// Returns the value of an object's field.
    @inlinable
    static func read(
        field: String, of object: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Self {
        guard let value = object[field: field] ?? missing else { throw PlainValueError("is missing").at(field) }
        return try PlainValueError.at(field) { () throws(PlainValueError) in try read(value, in: dependencies) }
    }

    /// The value of an omitted field; `nil` if the field is required. A journal omits secrets.
    @usableFromInline static var missing: PlainValue? {
        let type = sentType
        return type.isSecret || type.isOptional ? .null : nil
    }

    /// Whether a value can be created from a lost secret, without dependencies.
    private static var canBeLost: Bool {
        (try? resolve(.null, in: nil)) != nil
    }

    @usableFromInline
    static func suggestion(
        _ error: PlainValueError, for value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) -> PlainValueError {
        guard error.path.isEmpty, error.nearest == nil, let text = value.string,
            let choices = plainType(in: dependencies).choices
        else { return error }
        return error.nearest(text.nearest(among: choices.compactMap(\.string)))
    }
}

extension String: PlainValueConvertible {
    public static let plainType = PlainType.string
    public var plainValue: PlainValue { .string(self) }

    public static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> String {
        guard case .string(let string) = value else { throw PlainValueError("must be a string") }
        return string
    }
}

extension Int: PlainValueConvertible {
    public static let plainType = PlainType.int
    public var plainValue: PlainValue { .int(self) }

    public static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Int {
        switch value {
        case .int(let int): return int
        case .double(let double):
            guard let int = Int(whole: double) else { throw PlainValueError("must be a whole number") }
            return int
        default: throw PlainValueError("must be a whole number")
        }
    }

    /// Creates a whole number from a double; `nil` if it has a fraction or may have lost one.
    ///
    /// From 2^53 on, not every whole number is a double of its own (RFC 7493, section 2.2).
    package init?(whole double: Double) {
        guard double.magnitude < 9_007_199_254_740_992, let int = Int(exactly: double) else { return nil }
        self = int
    }
}

extension Double: PlainValueConvertible {
    public static let plainType = PlainType.double
    public var plainValue: PlainValue { .double(self) }

    public static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Double {
        switch value {
        case .int(let int): Double(int)
        case .double(let double) where double.isFinite: double
        default: throw PlainValueError("must be a number")
        }
    }
}

extension Bool: PlainValueConvertible {
    public static let plainType = PlainType.bool
    public var plainValue: PlainValue { .bool(self) }

    public static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Bool {
        guard case .bool(let bool) = value else { throw PlainValueError("must be true or false") }
        return bool
    }
}
