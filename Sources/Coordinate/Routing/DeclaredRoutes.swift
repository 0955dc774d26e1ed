/// Routes that have paths: what makes an enum of routes a part of the navigation state's path, of the catalog, and of
/// the deep links that can be opened.
///
/// Declare each case once, next to the enum; the same declaration writes the path and reads it:
///
/// ```swift
/// extension TeamsCoordinator.Route: DeclaredRoutes {
///     static let declaration = RouteDeclaration<Self>(
///         .route("", .list),
///         .route("team/{team}", Self.team) { if case .team(let team) = $0 { team } else { nil } }
///     )
/// }
/// ```
///
/// A case that leads on to a child's routes is ``RouteDeclaration/Case/nested(_:_:child:)``.
public protocol DeclaredRoutes: Equatable, Sendable {
    /// Each case and its path, every one of them.
    static var declaration: RouteDeclaration<Self> { get }
}

extension DeclaredRoutes {
    var path: RoutePath { Self.declaration.path(of: self) }
}

/// The cases of one enum of routes with their paths.
///
/// It can be inlined, so that it is specialised for the app's own types: a path is asked for of every coordinator in
/// view with every event, and takes four times as long where the compiler does not know what it is made of.
public struct RouteDeclaration<Route: Equatable & Sendable>: Sendable {
    /// One case and its path.
    public struct Case: Sendable {
        /// The patterns of all paths that begin with this case.
        @usableFromInline let patterns: @Sendable () -> [String]
        /// The path of a route of this case, nil for any other.
        @usableFromInline let path: @Sendable (Route) -> RoutePath?
        /// The route that the parts of a path lead to, nil where it is not of this case.
        @usableFromInline let route: @Sendable (ArraySlice<String>, (any AppDependenciesProtocol)?) -> Route?

        @usableFromInline
        init(
            patterns: @escaping @Sendable () -> [String],
            path: @escaping @Sendable (Route) -> RoutePath?,
            route: @escaping @Sendable (ArraySlice<String>, (any AppDependenciesProtocol)?) -> Route?
        ) {
            self.patterns = patterns
            self.path = path
            self.route = route
        }
    }

    @usableFromInline let cases: [Case]

    /// Declares the cases of an enum of routes, every one of them. Of two that fit a path, the first is taken.
    ///
    /// - Parameter cases: Made with ``Case/route(_:_:)``, its companions with values, and ``Case/nested(_:_:child:)``.
    public init(_ cases: Case...) {
        self.cases = cases
    }

    /// The patterns of all paths that start with these routes: `team/{team}`.
    public var patterns: [String] { cases.flatMap { $0.patterns() } }

    @inlinable
    func path(of route: Route) -> RoutePath {
        for declared in cases {
            if let path = declared.path(route) { return path }
        }
        preconditionFailure("\(route) is missing from the declaration of \(Route.self)")
    }

    @usableFromInline
    func route(at path: ArraySlice<String>, in dependencies: (any AppDependenciesProtocol)?) -> Route? {
        for declared in cases {
            if let route = declared.route(path, dependencies) { return route }
        }
        return nil
    }
}

extension RouteDeclaration.Case {
    /// A case without a value.
    @inlinable
    public static func route(_ path: String, _ route: Route) -> Self {
        let pattern = RoutePattern(path)
        let routePath = pattern.path()
        return Self(
            patterns: { [path] },
            path: { $0 == route ? routePath : nil },
            route: { parts, _ in pattern.values(in: parts) == nil ? nil : route }
        )
    }

    /// A case with one value, which stands in the path where the pattern has `{…}`.
    ///
    /// - Parameters:
    ///   - path: The pattern, without a slash in front: `team/{team}`.
    ///   - make: The case itself: `Self.team`. Nil where there is no such route.
    ///   - value: The value out of a route of this case, nil for any other case.
    @inlinable
    public static func route<Value: PlainValueConvertible>(
        _ path: String, _ make: @escaping @Sendable (Value) -> Route?,
        value: @escaping @Sendable (Route) -> Value?
    ) -> Self {
        let pattern = RoutePattern(path)
        return Self(
            patterns: { [path] },
            path: { value($0).map { pattern.path($0.plainValue) } },
            route: { parts, dependencies in
                guard let values = pattern.values(in: parts), let value = Value(values[0], in: dependencies) else {
                    return nil
                }
                return make(value)
            }
        )
    }

    /// A case with two values.
    ///
    /// - Parameters:
    ///   - path: The pattern, without a slash in front: `compare/{driver}/{driver}`.
    ///   - make: The case itself. Nil where the two do not go together.
    ///   - values: The values out of a route of this case, nil for any other case.
    @inlinable
    public static func route<First: PlainValueConvertible, Second: PlainValueConvertible>(
        _ path: String, _ make: @escaping @Sendable (First, Second) -> Route?,
        values: @escaping @Sendable (Route) -> (First, Second)?
    ) -> Self {
        let pattern = RoutePattern(path)
        return Self(
            patterns: { [path] },
            path: { values($0).map { pattern.path($0.0.plainValue, $0.1.plainValue) } },
            route: { parts, dependencies in
                guard let values = pattern.values(in: parts), let first = First(values[0], in: dependencies),
                    let second = Second(values[1], in: dependencies)
                else { return nil }
                return make(first, second)
            }
        )
    }

    /// A case that leads on to a child: its own path is `part`, the rest is the child's.
    ///
    /// ```swift
    /// .nested("teams", Self.teams) { if case .teams(let route) = $0 { route } else { nil } }
    /// ```
    ///
    /// The case holds an optional route of the child, which is nil in ``HasRoutes/activeRoute``: what the child shows
    /// is the child's own to know.
    ///
    /// - Parameters:
    ///   - part: The case's own part of the path, without values.
    ///   - make: The case itself: `Self.teams`.
    ///   - child: The child's route out of a route of this case, nil for any other case.
    @inlinable
    public static func nested<Child: DeclaredRoutes>(
        _ part: String, _ make: @escaping @Sendable (Child?) -> Route,
        child: @escaping @Sendable (Route) -> Child??
    ) -> Self {
        let routePath = RoutePattern(part).path()
        return Self(
            patterns: { Child.declaration.patterns.map { $0.isEmpty ? part : "\(part)/\($0)" } },
            path: { child($0) == nil ? nil : routePath },
            route: { parts, dependencies in
                guard parts.first == part else { return nil }
                return Child.declaration.route(at: parts.dropFirst(), in: dependencies).map { make($0) }
            }
        )
    }
}

extension PlainValueConvertible {
    /// The value that a part of a path stands for, nil where there is none.
    @usableFromInline
    init?(_ text: String, in dependencies: (any AppDependenciesProtocol)?) {
        guard let plain = PlainValue(text, as: Self.plainType),
            let value = try? Self.resolve(plain, in: dependencies)
        else { return nil }
        self = value
    }
}
