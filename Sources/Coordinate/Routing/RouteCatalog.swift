/// Every path of an app: all that the routes of its root coordinator lead to.
///
/// ```swift
/// let routes = RouteCatalog(AppCoordinator.Route.self)
/// routes.patterns   // ["splash", "main/teams", "main/teams/team/{team}", …]
/// ```
public struct RouteCatalog: Sendable {
    /// The patterns of all paths, without the slash in front, and with the query at the end.
    public let patterns: [String]
    let wholePatterns: [RoutePattern]
    /// The faults in the declarations, one sentence each.
    let faults: [String]
    private let leads: @Sendable (RoutePath, (any AppDependenciesProtocol)?) -> Bool
    let misfit: @Sendable (RoutePath, (any AppDependenciesProtocol)?) -> RouteMisfit?

    /// Makes a catalog without paths.
    public init() {
        patterns = []
        wholePatterns = []
        faults = []
        leads = { _, _ in false }
        misfit = { _, _ in nil }
    }

    /// Makes the catalog of the paths that begin with the routes of a root coordinator.
    ///
    /// Where two declarations along one path have query items of the same name, or where routes lead on to themselves,
    /// no host starts the app: see ``CoordinatedApp/faults``.
    public init<Route: DeclaredRoutes>(_ root: Route.Type) {
        let faults = Route.declaration.faults()
        do throws(EndlessRoutes) {
            wholePatterns = try Route.declaration.wholePatterns()
            // A fault in one declaration is repeated in all paths that contain it.
            self.faults = faults + (faults.isEmpty ? wholePatterns.compactMap(\.problem) : [])
        } catch {
            wholePatterns = []
            self.faults = faults + ["\(error.type) leads on to itself: its paths have no end"]
        }
        patterns = wholePatterns.map(\.description)
        leads = { Route.declaration.route(at: $0, in: $1) != nil }
        misfit = { Route.declaration.misfit(in: UnreadPath($0), $1) }
    }

    /// Returns true where a path leads somewhere.
    ///
    /// - Parameters:
    ///   - path: The path, from the root.
    ///   - dependencies: Those of the tree, as its root has them: ids are looked up there.
    public func contains(_ path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> Bool {
        leads(path, dependencies)
    }

    /// The patterns that a path fits, whether or not its values stand for something. Several where a word may also be a
    /// value.
    package func patterns(like path: RoutePath) -> [String] {
        wholePatterns.filter { pattern in
            var unread = UnreadPath(path)
            return pattern.values(from: &unread) != nil && unread.isEmpty
        }.map(\.description)
    }
}
