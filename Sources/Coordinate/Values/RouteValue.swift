/// A type whose values can be parts of paths: a ``PlainValueConvertible`` type, except lists, objects and secrets; in a
/// query, also an optional of one.
///
/// ```swift
/// .route("search?q={query}&page={page}", Self.search) {   // case search(String, page: Int?)
///     if case .search(let query, let page) = $0 { (query, page) } else { nil }
/// }
/// ```
///
/// An item of the query is omitted if its value is `nil`: `search?q=shoes`.
public protocol RouteValue: Sendable {
    /// The places in paths where values of the type are allowed.
    static var placeInRoutes: PlaceInRoutes { get }

    /// This value as it is written in a path; `nil` if it is omitted.
    var valueInRoutes: PlainValue? { get }

    /// Returns the value for a text in a path; `nil` if the text is not a value of this type.
    ///
    /// - Parameters:
    ///   - text: The decoded text; `nil` if the query has no such item.
    ///   - dependencies: The dependencies of the tree's root, which look up ids.
    static func value(inRoutes text: String?, in dependencies: (any AppDependenciesProtocol)?) -> Self?

    /// Returns the reason why a text in a path is not a value of this type; `nil` if it is one.
    static func problem(
        inRoutes text: String?, in dependencies: (any AppDependenciesProtocol)?
    ) -> PlainValueError?
}

/// The places in paths where values of a type are allowed.
public enum PlaceInRoutes: Sendable {
    /// A part of the path, or its query.
    case anywhere
    /// The query, where a value may be omitted.
    case query
    /// Not allowed in paths.
    case nowhere
}

extension RouteValue {
    public static func problem(
        inRoutes text: String?, in dependencies: (any AppDependenciesProtocol)?
    ) -> PlainValueError? {
        value(inRoutes: text, in: dependencies) == nil ? PlainValueError("is not a value of \(Self.self)") : nil
    }
}

extension PlainValueConvertible {
    public static var placeInRoutes: PlaceInRoutes {
        let type = described()
        return type.isSecret || type.kind == .array || type.kind == .object ? .nowhere : .anywhere
    }

    @inlinable
    public var valueInRoutes: PlainValue? { plainValue }

    public static func value(inRoutes text: String?, in dependencies: (any AppDependenciesProtocol)?) -> Self? {
        guard let text, let plain = PlainValue(text, as: plainType.kind) else { return nil }
        return try? resolve(plain, in: dependencies)
    }

    public static func problem(
        inRoutes text: String?, in dependencies: (any AppDependenciesProtocol)?
    ) -> PlainValueError? {
        guard let text else { return PlainValueError("is missing") }
        do throws(PlainValueError) {
            // If the text has the wrong kind, the type itself refuses it as a string, with its own error.
            _ = try read(PlainValue(text, as: plainType.kind) ?? .string(text), in: dependencies)
            return nil
        } catch {
            return error
        }
    }
}

extension Optional: RouteValue where Wrapped: PlainValueConvertible {
    public static var placeInRoutes: PlaceInRoutes {
        Wrapped.placeInRoutes == .nowhere ? .nowhere : .query
    }

    @inlinable
    public var valueInRoutes: PlainValue? { self?.plainValue }

    public static func value(inRoutes text: String?, in dependencies: (any AppDependenciesProtocol)?) -> Self? {
        guard text != nil else { return .some(nil) }
        return Wrapped.value(inRoutes: text, in: dependencies).map { .some($0) }
    }

    public static func problem(
        inRoutes text: String?, in dependencies: (any AppDependenciesProtocol)?
    ) -> PlainValueError? {
        text == nil ? nil : Wrapped.problem(inRoutes: text, in: dependencies)
    }
}

extension PlainValue {
    /// Creates a value of a kind from its text in a path; `nil` if the text does not fit.
    init?(_ text: String, as kind: PlainType.Kind) {
        switch kind {
        case .string: self = .string(text)
        case .int:
            guard let int = Int(text) else { return nil }
            self = .int(int)
        case .double:
            guard let double = Double(text) else { return nil }
            self = .double(double)
        case .bool:
            guard let bool = Bool(text) else { return nil }
            self = .bool(bool)
        case .array, .object: return nil
        }
    }

    /// The value as it is written in a path.
    var text: String {
        switch self {
        case .string(let value): value
        case .int(let value): String(value)
        case .double(let value): String(value)
        case .bool(let value): String(value)
        case .null, .array, .object: ""
        }
    }
}
