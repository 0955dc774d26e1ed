/// The paths of an app: all paths that begin with the routes of its root coordinator.
///
/// ```swift
/// let routes = RouteCatalog(AppCoordinator.Route.self)
/// routes.patterns   // ["splash", "main/teams", "main/teams/team/{team}", …]
/// ```
public struct RouteCatalog: Sendable {
    /// The patterns of all paths, without a slash in front, with the query at the end.
    public let patterns: [String]
    let wholePatterns: [RoutePattern]
    /// The routes of the root coordinator; `nil` for a catalog without paths.
    let root: (any DeclaredRoutes.Type)?
    /// The faults of the declarations that show without creating routes, one sentence each.
    private let declaredFaults: [String]

    /// Creates a catalog without paths.
    public init() {
        patterns = []
        wholePatterns = []
        root = nil
        declaredFaults = []
    }

    /// Creates the catalog of the paths that begin with the routes of a root coordinator.
    ///
    /// No host starts the app if two declarations along one path have query items of the same name, if routes contain
    /// themselves, or if two cases have the same path. See ``CoordinatedApp/faults``.
    public init<Route: DeclaredRoutes>(_ root: Route.Type) {
        self.root = root
        let faults = Route.declaration.faults()
        do throws(EndlessRoutes) {
            wholePatterns = try Route.declaration.wholeShapes().map(\.pattern)
            // A fault in one declaration is repeated in all paths that contain it.
            declaredFaults = faults + (faults.isEmpty ? wholePatterns.compactMap(\.problem) : [])
        } catch {
            wholePatterns = []
            declaredFaults = faults + ["\(error.type) contains itself, so its paths never end"]
        }
        patterns = wholePatterns.map(\.description)
    }

    /// Returns the faults of the declarations, one sentence each.
    ///
    /// - Parameter dependencies: The dependencies of a root that was not started.
    func faults(in dependencies: (any AppDependenciesProtocol)?) -> [String] {
        declaredFaults + (root?.trialFaults(in: dependencies) ?? [])
    }

    /// Returns whether a path leads to a route.
    ///
    /// - Parameters:
    ///   - path: The path, from the root.
    ///   - dependencies: The dependencies of the tree's root, which look up ids.
    public func contains(_ path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> Bool {
        root?.leads(path, in: dependencies) ?? false
    }

    /// Returns the patterns that a path fits, whether or not its values are known. There can be several, because a word
    /// may also be a value.
    package func patterns(like path: RoutePath) -> [String] {
        wholePatterns.filter { pattern in
            var unread = UnreadPath(path)
            return pattern.values(from: &unread) != nil && unread.isEmpty
        }.map(\.description)
    }
}
