/// Every path of an app: what its root coordinator's routes lead to.
///
/// ```swift
/// let routes = RouteCatalog(AppCoordinator.Route.self)
/// routes.patterns   // ["splash", "main/teams", "main/teams/team/{team}", …]
/// ```
public struct RouteCatalog: Sendable {
    /// The pattern of every path, without the slash in front; the items of a query at the end.
    public let patterns: [String]
    let wholePatterns: [RoutePattern]
    /// The faults of the declarations.
    let faults: [String]
    private let leads: @Sendable (RoutePath, (any AppDependenciesProtocol)?) -> Bool
    let misfit: @Sendable (RoutePath, (any AppDependenciesProtocol)?) -> RouteMisfit?

    /// No paths at all.
    public init() {
        patterns = []
        wholePatterns = []
        faults = []
        leads = { _, _ in false }
        misfit = { _, _ in nil }
    }

    /// The paths that begin with the routes of a root coordinator.
    ///
    /// Where two declarations on the way of one path have query items of the same name, or where routes lead on to
    /// themselves, no host starts: see ``CoordinatedApp/faults``.
    public init<Route: DeclaredRoutes>(_ root: Route.Type) {
        let faults = Route.declaration.faults()
        do throws(EndlessRoutes) {
            wholePatterns = try Route.declaration.wholePatterns()
            // What is wrong with one declaration is wrong with all paths that it has a part in.
            self.faults = faults + (faults.isEmpty ? wholePatterns.compactMap(\.problem) : [])
        } catch {
            wholePatterns = []
            self.faults = faults + ["\(error.type) leads on to itself: its paths have no end"]
        }
        patterns = wholePatterns.map(\.description)
        leads = { Route.declaration.route(at: $0, in: $1) != nil }
        misfit = { Route.declaration.misfit(in: UnreadPath($0), $1) }
    }

    /// Whether a path leads anywhere.
    ///
    /// - Parameters:
    ///   - path: The path, from the root.
    ///   - dependencies: The tree's own, where ids are looked up.
    public func contains(_ path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> Bool {
        leads(path, dependencies)
    }

    /// The patterns that a path is like, whatever its values stand for. More than one where a word could be a value as well.
    package func patterns(like path: RoutePath) -> [String] {
        wholePatterns.filter { pattern in
            var unread = UnreadPath(path)
            return pattern.values(from: &unread) != nil && unread.isEmpty
        }.map(\.description)
    }
}
