/// A type whose values travel in payloads: a string or number, or a thing of the app known by its id.
///
/// ```swift
/// extension Team: PlainValueConvertible {
///     static let plainType = PlainType.string
///     var plainValue: PlainValue { .string(id) }
///
///     static func resolve(
///         _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
///     ) throws(PlainValueError) -> Team {
///         let id = try String.resolve(value, in: dependencies)
///         guard let team = (dependencies as? AppDependencies)?.dataManager.team(withID: id) else {
///             throw PlainValueError("is no team's id")
///         }
///         return team
///     }
/// }
/// ```
public protocol PlainValueConvertible: RouteValue {
    /// What a client has to send: shown in the catalog.
    static var plainType: PlainType { get }

    /// Whether it is written nowhere, as a ``Secret`` is. False, unless a type says otherwise: one that is made of a secret
    /// must.
    static var isSecret: Bool { get }

    /// This value as it is sent.
    var plainValue: PlainValue { get }

    /// The value that was sent.
    ///
    /// - Parameters:
    ///   - value: What was sent, of any kind.
    ///   - dependencies: The tree's own, as its root holds them: where an id is looked up.
    /// - Throws: what is wrong with it, in words for whoever sent it.
    static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Self
}

extension PlainValueConvertible {
    public static var isSecret: Bool { false }
}

/// The kind of a plain value.
public enum PlainType: String, Sendable {
    /// True or false.
    case bool = "boolean"
    /// A whole number.
    case int = "integer"
    /// Any number.
    case double = "number"
    /// A text.
    case string
}

/// Why a plain value is not what was asked for.
public struct PlainValueError: Error, Equatable, Sendable {
    /// What to do about it, as half a sentence: "must be a string".
    public let message: String

    /// Makes an error of half a sentence, which follows the name of what was sent.
    public init(_ message: String) {
        self.message = message
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
        guard case .int(let int) = value else { throw PlainValueError("must be a whole number") }
        return int
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
