/// Routes that have paths: what puts an enum of routes into the path of the navigation state and into the catalog.
///
/// Declare each case once, next to the enum:
///
/// ```swift
/// extension TeamsCoordinator.Route: DeclaredRoutes {
///     static let declaration = RouteDeclaration<Self>(
///         .route("", .list),
///         .route("team/{team}") { if case .team(let team) = $0 { team } else { nil } }
///     )
/// }
/// ```
public protocol DeclaredRoutes: Equatable, Sendable {
    static var declaration: RouteDeclaration<Self> { get }
}

extension DeclaredRoutes {
    var path: RoutePath { Self.declaration.path(of: self) }
}

/// The cases of one enum of routes with their paths.
public struct RouteDeclaration<Route: Equatable & Sendable>: Sendable {
    /// One case and its path.
    public struct Case: Sendable {
        /// The patterns of all paths that begin with this case.
        let patterns: @Sendable () -> [String]
        /// The path of a route of this case, nil for any other.
        let path: @Sendable (Route) -> RoutePath?
    }

    let cases: [Case]

    public init(_ cases: Case...) {
        self.cases = cases
    }

    /// The patterns of all paths that start with these routes: `team/{team}`.
    public var patterns: [String] { cases.flatMap { $0.patterns() } }

    func path(of route: Route) -> RoutePath {
        for declared in cases {
            if let path = declared.path(route) { return path }
        }
        preconditionFailure("\(route) is missing from the declaration of \(Route.self)")
    }
}

extension RouteDeclaration.Case {
    /// A case without a value.
    public static func route(_ path: String, _ route: Route) -> Self {
        let routePath = RoutePath(description: path)
        return Self(patterns: { [path] }, path: { $0 == route ? routePath : nil })
    }

    /// A case with one value, which stands in the path where the pattern has `{…}`.
    ///
    /// - Parameter value: The value out of a route of this case, nil for any other case.
    public static func route<Value: PlainValueConvertible>(
        _ pattern: String, value: @escaping @Sendable (Route) -> Value?
    ) -> Self {
        let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
        guard let hole = parts.firstIndex(where: { $0.hasPrefix("{") }) else {
            preconditionFailure("the pattern \(pattern) has no place for a value: write it as {name}")
        }
        let prefix = parts[..<hole].map { $0 + "/" }.joined()
        let suffix = parts[(hole + 1)...].map { "/" + $0 }.joined()
        return Self(
            patterns: { [pattern] },
            path: { route in
                value(route).map { RoutePath(description: prefix + RoutePath.encode($0.plainValue.text) + suffix) }
            }
        )
    }

    /// A case that leads on to a child: its path is `part`, the rest is the child's own.
    ///
    /// - Parameter isOfCase: Whether a route is of this case, whatever the child's route in it.
    public static func nested<Child: DeclaredRoutes>(
        _ part: String, _ child: Child.Type, isOfCase: @escaping @Sendable (Route) -> Bool
    ) -> Self {
        let routePath = RoutePath(description: part)
        return Self(
            patterns: { Child.declaration.patterns.map { $0.isEmpty ? part : "\(part)/\($0)" } },
            path: { isOfCase($0) ? routePath : nil }
        )
    }
}

extension PlainValue {
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
