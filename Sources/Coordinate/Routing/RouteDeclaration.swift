/// The cases of one enum of routes with their paths.
///
/// ```swift
/// let routes = TeamsCoordinator.Route.declaration
/// routes.path(of: .team("ferrari")).description                              // "team/ferrari"
/// RoutePath("/team/ferrari").flatMap { routes.route(at: $0, in: nil) }       // .team("ferrari")
/// ```
///
/// It can be inlined, so that it is specialised for the app's own types: a path is asked for of every coordinator in
/// view with every event, and takes four times as long where the compiler does not know what it is made of.
public struct RouteDeclaration<Route: Equatable & Sendable>: Sendable {
    /// One case and its path.
    public struct Case: Sendable {
        /// The path of a route of this case, nil for any other.
        @usableFromInline let path: @Sendable (Route) -> RoutePath?
        let details: Details

        /// - Parameters:
        ///   - pattern: The pattern of the case's own path.
        ///   - optional: For each value of the case, whether there may be none.
        ///   - path: The case's own path of a route of this case, nil for any other.
        ///   - nested: The child that it leads on to, nil where it does not.
        ///   - route: The route with the texts in the places of a path, nil where there is none. The path is what is left for
        ///     a child to read.
        @usableFromInline
        init(
            _ pattern: RoutePattern, optional: [Bool],
            path: @escaping @Sendable (Route) -> RoutePath?,
            nested: Nested? = nil,
            route: @escaping @Sendable ([String?], UnreadPath, (any AppDependenciesProtocol)?) -> Route?
        ) {
            self.path = path
            details = Details(pattern, problem: pattern.problem(optional: optional), nested: nested, route: route)
        }
    }

    /// All of a case that is not needed for a path: in one object, so that a case is quickly copied.
    final class Details: Sendable {
        let pattern: RoutePattern
        /// The reason why the case cannot be declared, nil where it can.
        let problem: String?
        let nested: Nested?
        private let route: @Sendable ([String?], UnreadPath, (any AppDependenciesProtocol)?) -> Route?

        init(
            _ pattern: RoutePattern, problem: String?, nested: Nested?,
            route: @escaping @Sendable ([String?], UnreadPath, (any AppDependenciesProtocol)?) -> Route?
        ) {
            self.pattern = pattern
            self.problem = problem
            self.nested = nested
            self.route = route
        }

        /// The patterns of all paths that begin with the case, which is so many cases below others.
        func wholePatterns(below level: Int) -> [RoutePattern] {
            nested.map { $0.patterns(level + 1).map(pattern.appending) } ?? [pattern]
        }

        /// The route that a path leads to, nil where it is not of the case.
        func route(at path: UnreadPath, in dependencies: (any AppDependenciesProtocol)?) -> Route? {
            var path = path
            guard let values = pattern.values(from: &path), nested != nil || path.isEmpty else { return nil }
            return route(values, path, dependencies)
        }
    }

    /// The child that a case leads on to.
    @usableFromInline
    struct Nested: Sendable {
        let patterns: @Sendable (_ level: Int) -> [RoutePattern]
        let path: @Sendable (Route) -> RoutePath?

        /// - Parameter child: The child's route out of a route of the case, nil where there is none.
        @usableFromInline
        init<Child: DeclaredRoutes>(_ child: @escaping @Sendable (Route) -> Child?) {
            patterns = { Child.declaration.wholePatterns(below: $0) }
            path = { child($0).map(Child.declaration.wholePath) }
        }
    }

    @usableFromInline let cases: [Case]

    /// Declares the cases of an enum of routes, every one of them. Of two that fit a path, the first is taken.
    ///
    /// It is a programmer's error where a pattern is malformed, or does not have a place for each value.
    ///
    /// - Parameter cases: Made with ``Case/route(_:_:)``, its companions with values, and `nested`.
    public init(_ cases: Case...) {
        self.cases = cases
        let problem = cases.lazy.compactMap(\.details.problem).first
        precondition(problem == nil, "\(Route.self): \(problem ?? "")")
    }

    /// The patterns of all paths that start with these routes: `team/{team}`.
    public var patterns: [String] { wholePatterns.map(\.description) }

    /// The patterns of all paths that start with these routes, each with those of the children below it.
    var wholePatterns: [RoutePattern] { wholePatterns(below: 0) }

    private func wholePatterns(below level: Int) -> [RoutePattern] {
        precondition(level <= TreeContext.maximumLevels, "\(Route.self) leads on to itself: its paths have no end")
        return cases.flatMap { $0.details.wholePatterns(below: level) }
    }

    /// The path of a route without that of a child that it leads on to, which is the child's own to know.
    @inlinable
    public func path(of route: Route) -> RoutePath {
        for declared in cases {
            if let path = declared.path(route) { return path }
        }
        preconditionFailure("\(route) is missing from the declaration of \(Route.self)")
    }

    /// The path of a route with that of the child that it leads on to: the one that ``route(at:in:)`` reads.
    public func wholePath(of route: Route) -> RoutePath {
        for declared in cases {
            if let path = declared.path(route) { return path.appending(declared.details.nested?.path(route)) }
        }
        preconditionFailure("\(route) is missing from the declaration of \(Route.self)")
    }

    /// The route that a path leads to, nil where it leads nowhere.
    ///
    /// All of a path has to be read: every part, and every item of the query once.
    ///
    /// - Parameters:
    ///   - path: The path, from these routes on.
    ///   - dependencies: The tree's own, where ids are looked up.
    public func route(at path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> Route? {
        route(at: UnreadPath(path), in: dependencies)
    }

    @usableFromInline
    func route(at path: UnreadPath, in dependencies: (any AppDependenciesProtocol)?) -> Route? {
        for declared in cases {
            if let route = declared.details.route(at: path, in: dependencies) { return route }
        }
        return nil
    }
}
