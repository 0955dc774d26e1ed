/// The cases of one enum of routes with their paths.
///
/// ```swift
/// let routes = TeamsCoordinator.Route.declaration
/// routes.path(of: .team("ferrari")).description                              // "team/ferrari"
/// RoutePath("/team/ferrari").flatMap { routes.route(at: $0, in: nil) }       // .team("ferrari")
/// ```
///
/// Its methods can be inlined, so that they are specialised for the app's own types: the path of every visible
/// coordinator is computed with every event, and takes four times as long where the compiler does not know the types.
public struct RouteDeclaration<Route: Equatable & Sendable>: Sendable {
    /// One case and its path.
    public struct Case: Sendable {
        /// Returns the path of a route of this case, `nil` for any other.
        @usableFromInline let path: @Sendable (Route) -> RoutePath?
        let details: Details

        /// - Parameters:
        ///   - pattern: The pattern of the case's own path.
        ///   - values: The types of the case's values.
        ///   - path: Returns the case's own path of a route of this case, `nil` for any other.
        ///   - nested: The child that the case leads on to, `nil` if it leads on to none.
        ///   - route: Makes the route from the texts in the places of a path, `nil` if there is none. The path is the
        ///     rest that a child has to read.
        @usableFromInline
        init(
            _ pattern: RoutePattern, values: [any RouteValue.Type],
            path: @escaping @Sendable (Route) -> RoutePath?,
            nested: Nested? = nil,
            route: @escaping @Sendable ([String?], UnreadPath, (any AppDependenciesProtocol)?) -> Route?
        ) {
            self.path = path
            details = Details(pattern, values: values, nested: nested, route: route)
        }
    }

    /// The part of a case that is not needed to write a path: in one object, so that a case is quickly copied.
    final class Details: Sendable {
        let pattern: RoutePattern
        /// The reason why the case cannot be declared; `nil` if it can.
        let problem: String?
        let nested: Nested?
        private let values: [any RouteValue.Type]
        private let route: @Sendable ([String?], UnreadPath, (any AppDependenciesProtocol)?) -> Route?

        init(
            _ pattern: RoutePattern, values: [any RouteValue.Type], nested: Nested?,
            route: @escaping @Sendable ([String?], UnreadPath, (any AppDependenciesProtocol)?) -> Route?
        ) {
            self.pattern = pattern
            problem = pattern.problem(of: values.map { $0.placeInRoutes })
            self.values = values
            self.nested = nested
            self.route = route
        }

        /// The shapes of all paths that begin with the case.
        func wholeShapes(below types: [ObjectIdentifier]) throws(EndlessRoutes) -> [RouteShape] {
            let shape = RouteShape(pattern, values: values)
            guard let nested else { return [shape] }
            return try nested.shapes(types).map(shape.appending)
        }

        /// The route that a path leads to; `nil` if it does not fit the case.
        func route(at path: UnreadPath, in dependencies: (any AppDependenciesProtocol)?) -> Route? {
            var path = path
            guard problem == nil, let values = pattern.values(from: &path), nested != nil || path.isEmpty else {
                return nil
            }
            return route(values, path, dependencies)
        }

        /// The first value that stands for nothing in a path that fits the case; `nil` if there is none.
        func misfit(in path: UnreadPath, _ dependencies: (any AppDependenciesProtocol)?) -> RouteMisfit? {
            var path = path
            guard let texts = pattern.values(from: &path), nested != nil || path.isEmpty else { return nil }
            for (text, type) in zip(texts, values) {
                if let problem = type.problem(inRoutes: text, in: dependencies) {
                    return RouteMisfit(text: text, problem: problem)
                }
            }
            return nested?.misfit(path, dependencies)
        }
    }

    /// The child that a case leads on to.
    @usableFromInline
    struct Nested: Sendable {
        let shapes: @Sendable (_ types: [ObjectIdentifier]) throws(EndlessRoutes) -> [RouteShape]
        let path: @Sendable (Route) -> RoutePath?
        let faults: @Sendable (_ types: [ObjectIdentifier]) -> [String]
        let trialFaults: @Sendable ((any AppDependenciesProtocol)?, _ types: [ObjectIdentifier]) -> [String]
        let misfit: @Sendable (UnreadPath, (any AppDependenciesProtocol)?) -> RouteMisfit?

        /// - Parameter child: Returns the child's route in a route of the case, `nil` if there is none.
        @usableFromInline
        init<Child: DeclaredRoutes>(_ child: @escaping @Sendable (Route) -> Child?) {
            shapes = { types throws(EndlessRoutes) in try Child.declaration.wholeShapes(below: types) }
            path = { child($0).flatMap(Child.declaration.wholePath) }
            faults = { Child.declaration.faults(below: $0) }
            trialFaults = { Child.declaration.trialFaults(in: $0, below: $1) }
            misfit = { Child.declaration.misfit(in: $0, $1) }
        }
    }

    @usableFromInline let cases: [Case]

    /// Declares all cases of an enum of routes. If two fit a path, the first applies: `team/new` belongs before `team/{team}`.
    ///
    /// A case whose pattern is malformed, or does not have a place for each value, has no path. No host starts the app
    /// then, nor if a case is never reached, or makes another case than its closure matches: see
    /// ``CoordinatedApp/faults``.
    ///
    /// - Parameter cases: Made with ``Case/route(_:_:)``, its companions with values, and `nested`.
    public init(_ cases: Case...) {
        self.cases = cases
    }

    /// The patterns of all paths that start with these routes: `team/{team}`. Empty where the routes lead on to
    /// themselves.
    public var patterns: [String] { (try? wholeShapes().map(\.pattern.description)) ?? [] }

    /// The shapes of all paths that start with these routes, on through those of the children.
    ///
    /// - Parameter types: The enums of routes that lead on to these.
    /// - Throws: ``EndlessRoutes`` where the routes lead on to themselves.
    func wholeShapes(below types: [ObjectIdentifier] = []) throws(EndlessRoutes) -> [RouteShape] {
        guard !types.contains(ObjectIdentifier(Route.self)) else { throw EndlessRoutes(type: "\(Route.self)") }
        var shapes: [RouteShape] = []
        for declared in cases {
            shapes += try declared.details.wholeShapes(below: types + [ObjectIdentifier(Route.self)])
        }
        return shapes
    }

    /// The path of a route, without that of a child that it leads on to: only the child knows that one. `nil` if the
    /// route's case is not declared here.
    @inlinable
    public func path(of route: Route) -> RoutePath? {
        // By index: no case is copied.
        for index in cases.indices {
            if let path = cases[index].path(route) { return path }
        }
        return nil
    }

    /// The path of a route with that of the child that it leads on to, as ``route(at:in:)`` reads it. `nil` if the
    /// route's case is not declared here.
    public func wholePath(of route: Route) -> RoutePath? {
        for declared in cases {
            if let path = declared.path(route) { return path.appending(declared.details.nested?.path(route)) }
        }
        return nil
    }

    /// The route that a path leads to; `nil` if it leads nowhere.
    ///
    /// All of a path has to be read: every part, and every item of the query once.
    ///
    /// - Parameters:
    ///   - path: The path, from these routes on.
    ///   - dependencies: Those of the tree, as its root has them: ids are looked up there.
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

    /// The first value that stands for nothing in a path that leads nowhere; `nil` if the path fits no pattern.
    func misfit(in path: UnreadPath, _ dependencies: (any AppDependenciesProtocol)?) -> RouteMisfit? {
        cases.lazy.compactMap { $0.details.misfit(in: path, dependencies) }.first
    }
}

/// An error: the routes of an enum lead on to themselves, and their paths have no end.
struct EndlessRoutes: Error {
    /// The name of the enum.
    let type: String
}

/// Routes that have paths: they are part of the path in the navigation state, of the catalog, and of the deep links
/// that can be opened.
///
/// Declare each case once, next to the enum; the same declaration writes the path and reads it:
///
/// ```swift
/// extension TeamsCoordinator.Route: DeclaredRoutes {
///     static let declaration = RouteDeclaration<Self>(
///         .route("", .list),
///         .route("team/{team}", Self.team) { if case .team(let team) = $0 { team } else { nil } },
///         .route("search?q={query}", Self.search) { if case .search(let query) = $0 { query } else { nil } }
///     )
/// }
/// ```
///
/// A case that leads on to a child's routes is `nested`, with values of its own or without: see <doc:Routes>.
public protocol DeclaredRoutes: Equatable, Sendable {
    /// All cases, each with its path.
    static var declaration: RouteDeclaration<Self> { get }
}

extension DeclaredRoutes {
    /// The path of the route; `nil` if its case is not declared.
    var path: RoutePath? { Self.declaration.path(of: self) }
}
