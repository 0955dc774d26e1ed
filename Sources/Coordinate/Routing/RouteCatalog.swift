/// Every path of an app: what its root coordinator's routes lead to.
///
/// ```swift
/// let routes = RouteCatalog(AppCoordinator.Route.self)
/// routes.patterns   // ["splash", "main/teams", "main/teams/team/{team}", …]
/// ```
public struct RouteCatalog: Sendable {
    /// The pattern of every path, without the slash in front; the items of a query at the end.
    public let patterns: [String]
    private let leads: @Sendable (RoutePath, (any AppDependenciesProtocol)?) -> Bool

    /// No paths at all.
    public init() {
        patterns = []
        leads = { _, _ in false }
    }

    /// The paths that begin with the routes of a root coordinator.
    ///
    /// It is a programmer's error where two declarations on the way of one path have query items of the same name, or where
    /// routes lead on to themselves.
    public init<Route: DeclaredRoutes>(_ root: Route.Type) {
        let patterns = Route.declaration.wholePatterns
        let problem = patterns.lazy.compactMap(\.problem).first
        precondition(problem == nil, "\(Route.self): \(problem ?? "")")
        self.patterns = patterns.map(\.description)
        leads = { Route.declaration.route(at: $0, in: $1) != nil }
    }

    /// Whether a path leads anywhere.
    ///
    /// - Parameters:
    ///   - path: The path, from the root.
    ///   - dependencies: The tree's own, where ids are looked up.
    public func contains(_ path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> Bool {
        leads(path, dependencies)
    }
}
