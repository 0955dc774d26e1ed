/// The cases of one enum of routes, with their paths.
///
/// ```swift
/// let routes = TeamsCoordinator.Route.declaration
/// routes.path(of: .team("ferrari")).description                              // "team/ferrari"
/// RoutePath("/team/ferrari").flatMap { routes.route(at: $0, in: nil) }       // .team("ferrari")
/// ```
///
/// Its methods can be inlined, so that the compiler specializes them for the app's types. The path of every visible
/// coordinator is computed with every event, and specialization makes that four times as fast.
public struct RouteDeclaration<Route: Equatable & Sendable>: Sendable {
    /// One case and its path.
    public struct Case: Sendable {
        /// Returns the path of a route of this case; `nil` for any other.
        @usableFromInline let path: @Sendable (Route) -> RoutePath?
        let details: Details

        /// - Parameters:
        ///   - pattern: The pattern of the case's own path.
        ///   - values: The types of the case's values.
        ///   - path: Returns the case's own path for a route of this case; `nil` for any other.
        ///   - nested: The nested child; `nil` if there is none.
        ///   - route: Creates the route from the texts in the placeholders; `nil` if there is none. The path is the
        ///     rest for the child to read.
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

    /// The part of a case that is not needed to write a path. It is a class, so that copying a case is cheap.
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

        /// Returns the shapes of all paths that begin with the case.
        func wholeShapes(below types: [ObjectIdentifier]) throws(EndlessRoutes) -> [RouteShape] {
            guard let nested else { return [ownShape] }
            let shapes = try nested.routes.wholeShapes(below: types)
            let isOwnPath = nested.endsHere && !shapes.contains { $0.pattern.description.isEmpty }
            return (isOwnPath ? [ownShape] : []) + shapes.map(ownShape.appending)
        }

        /// The shape of the case's own part of a path.
        var ownShape: RouteShape { RouteShape(pattern, values: values) }

        /// Returns the route that a path leads to; `nil` if it does not fit the case.
        func route(at path: UnreadPath, in dependencies: (any AppDependenciesProtocol)?) -> Route? {
            var path = path
            guard problem == nil, let values = pattern.values(from: &path), nested != nil || path.isEmpty else {
                return nil
            }
            return route(values, path, dependencies)
        }

        /// Returns the first unknown value in a path that fits the case; `nil` if there is none.
        func misfit(in path: UnreadPath, _ dependencies: (any AppDependenciesProtocol)?) -> RouteMisfit? {
            var path = path
            guard let texts = pattern.values(from: &path), nested != nil || path.isEmpty else { return nil }
            for (text, type) in zip(texts, values) {
                if let problem = type.problem(inRoutes: text, in: dependencies) {
                    return RouteMisfit(text: text, problem: problem)
                }
            }
            return nested?.routes.misfit(in: path, dependencies)
        }
    }

    /// The nested child of a case.
    @usableFromInline
    struct Nested: Sendable {
        /// Whether a path may end with the case's own part.
        let endsHere: Bool
        let routes: any DeclaredRoutes.Type
        /// Returns the path of the child's route in a route of the case; `nil` if there is none.
        let path: @Sendable (Route) -> RoutePath?

        /// - Parameter child: Returns the child's route in a route of the case; `nil` if there is none.
        @usableFromInline
        init<Child: DeclaredRoutes>(endsHere: Bool, _ child: @escaping @Sendable (Route) -> Child?) {
            self.endsHere = endsHere
            routes = Child.self
            path = { child($0).flatMap(Child.declaration.wholePath) }
        }
    }

    @usableFromInline let cases: [Case]

    /// Declares all cases of an enum of routes. If two fit a path, the first one applies, so `team/new` belongs before
    /// `team/{team}`.
    ///
    /// A case has no path if its pattern is malformed, or lacks a placeholder for a value. No host starts the app then,
    /// nor if a case is never reached, or creates a different case from the one that its closure matches. See
    /// ``CoordinatedApp/faults``.
    ///
    /// - Parameter cases: The cases, created with ``Case/route(_:_:)``, its overloads with values, and `nested`.
    public init(_ cases: Case...) {
        self.cases = cases
    }

    /// The patterns of all paths that begin with these routes: `team/{team}`. Empty if the routes contain themselves.
    public var patterns: [String] { (try? wholeShapes().map(\.pattern.description)) ?? [] }

    /// Returns the shapes of all paths that begin with these routes, including those of nested children.
    ///
    /// - Parameter types: The enums of routes that contain these.
    /// - Throws: ``EndlessRoutes`` if the routes contain themselves.
    func wholeShapes(below types: [ObjectIdentifier] = []) throws(EndlessRoutes) -> [RouteShape] {
        guard !types.contains(ObjectIdentifier(Route.self)) else { throw EndlessRoutes(type: "\(Route.self)") }
        var shapes: [RouteShape] = []
        for declared in cases {
            shapes += try declared.details.wholeShapes(below: types + [ObjectIdentifier(Route.self)])
        }
        return shapes
    }

    /// Returns the path of a route, without that of a nested child, which only the child knows; `nil` if the route's
    /// case is not declared here.
    @inlinable
    public func path(of route: Route) -> RoutePath? {
        // Iterating by index copies no case.
        for index in cases.indices {
            if let path = cases[index].path(route) { return path }
        }
        return nil
    }

    /// Returns the path of a route with that of the nested child in it, as ``route(at:in:)`` reads it; `nil` if the
    /// route's case is not declared here.
    public func wholePath(of route: Route) -> RoutePath? {
        for declared in cases {
            if let path = declared.path(route) { return path.appending(declared.details.nested?.path(route)) }
        }
        return nil
    }

    /// Returns the route that a path leads to; `nil` if it leads nowhere.
    ///
    /// The route must account for the whole path: every part, and every item of the query exactly once.
    ///
    /// - Parameters:
    ///   - path: The path, beginning with these routes.
    ///   - dependencies: The dependencies of the tree's root, which look up ids.
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

    /// Returns the first unknown value in a path that leads nowhere; `nil` if the path fits no pattern.
    func misfit(in path: UnreadPath, _ dependencies: (any AppDependenciesProtocol)?) -> RouteMisfit? {
        for declared in cases {
            if let misfit = declared.details.misfit(in: path, dependencies) { return misfit }
        }
        return nil
    }
}

/// An error: the routes of an enum contain themselves, so their paths never end.
struct EndlessRoutes: Error {
    let type: String
}

/// Routes with paths, which appear in the navigation state and the catalog, and can be opened as deep links.
///
/// Declare each case once, next to the enum. The same declaration writes the path and reads it:
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
/// A case with routes of a child is `nested`, with or without values of its own. See <doc:Routes>.
public protocol DeclaredRoutes: Equatable, Sendable {
    /// All cases, each with its path.
    static var declaration: RouteDeclaration<Self> { get }
}

extension DeclaredRoutes {
    var path: RoutePath? { Self.declaration.path(of: self) }

    // The declaration, for routes of any type.

    static func wholeShapes(below types: [ObjectIdentifier]) throws(EndlessRoutes) -> [RouteShape] {
        try declaration.wholeShapes(below: types)
    }

    static func faults(below types: [ObjectIdentifier]) -> [String] { declaration.faults(below: types) }

    static func trialFaults(
        in dependencies: (any AppDependenciesProtocol)?, below types: [ObjectIdentifier] = []
    ) -> [String] {
        declaration.trialFaults(in: dependencies, below: types)
    }

    static func leads(_ path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> Bool {
        declaration.route(at: path, in: dependencies) != nil
    }

    static func misfit(in path: UnreadPath, _ dependencies: (any AppDependenciesProtocol)?) -> RouteMisfit? {
        declaration.misfit(in: path, dependencies)
    }
}
