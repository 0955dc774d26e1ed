/// A type whose values stand in paths: each that is ``PlainValueConvertible``, and in a query an optional of one.
///
/// ```swift
/// .route("search?q={query}&page={page}", Self.search) {   // case search(String, page: Int?)
///     if case .search(let query, let page) = $0 { (query, page) } else { nil }
/// }
/// ```
///
/// An item of the query whose value is nil is left out: `search?q=shoes`.
public protocol RouteValue: Sendable {
    /// Whether there may be none. False, but for optionals.
    static var isOptionalInRoutes: Bool { get }

    /// This value as it stands in a path, nil where it is left out.
    var valueInRoutes: PlainValue? { get }

    /// The value that a text in a path stands for, nil where it stands for none of this type.
    ///
    /// - Parameters:
    ///   - text: The text, decoded; nil where the query has no such item.
    ///   - dependencies: The tree's own, as its root holds them: where an id is looked up.
    static func value(inRoutes text: String?, in dependencies: (any AppDependenciesProtocol)?) -> Self?
}

extension PlainValueConvertible {
    public static var isOptionalInRoutes: Bool { false }

    @inlinable
    public var valueInRoutes: PlainValue? { plainValue }

    public static func value(inRoutes text: String?, in dependencies: (any AppDependenciesProtocol)?) -> Self? {
        guard let text, let plain = PlainValue(text, as: plainType) else { return nil }
        return try? resolve(plain, in: dependencies)
    }
}

extension Optional: RouteValue where Wrapped: PlainValueConvertible {
    public static var isOptionalInRoutes: Bool { true }

    @inlinable
    public var valueInRoutes: PlainValue? { self?.plainValue }

    public static func value(inRoutes text: String?, in dependencies: (any AppDependenciesProtocol)?) -> Self? {
        guard text != nil else { return .some(nil) }
        return Wrapped.value(inRoutes: text, in: dependencies).map { .some($0) }
    }
}

extension PlainValue {
    /// A value of a type as it is written in a path, nil where that does not fit.
    init?(_ text: String, as type: PlainType) {
        switch type {
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
