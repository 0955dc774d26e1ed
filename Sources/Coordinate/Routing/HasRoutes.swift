/// A coordinator that knows where it is: its routes are an enum, and one of them is active.
///
/// ```swift
/// extension TeamsCoordinator: HasRoutes {
///     enum Route: Equatable {
///         case list
///         case team(_ team: Team)
///     }
///
///     func goTo(_ route: Route) {
///         root(getCached(TeamsListCoordinator.self) ?? TeamsListCoordinator())
///         activeRoute = .list
///         if case .team(let team) = route { show(TeamsDetailsCoordinator(team: team), sender: self) }
///         activeRoute = route
///     }
/// }
/// ```
///
/// Routes go down: a parent tells a child where to go and keeps no copy of it. A route says all there is on the screen,
/// so that going to it gives the same from wherever one comes. Where the enum is a ``DeclaredRoutes``, it shows as a
/// path, and ``NavigationEvents/open(_:)`` leads there.
public protocol HasRoutes: AnyObject {
    /// The enum of routes; inferred from ``activeRoute``.
    associatedtype RouteType

    /// The route of what is on the screen now. The app sets it in ``goTo(_:)``; the library restores it after Back, and
    /// when a modal is dismissed.
    var activeRoute: RouteType { get set }

    /// Shows what a route stands for, and makes it the active one.
    ///
    /// The library calls it for a deep link; everything else is the app's own: an intercepted event, a parent's route.
    func goTo(_ route: RouteType)

    /// The active route as a path, nil where its type declares none.
    var activeRoutePath: RoutePath? { get }

    /// Goes where a path leads.
    ///
    /// - Parameters:
    ///   - path: The path, from this coordinator's routes on.
    ///   - dependencies: The tree's own, where ids are looked up.
    /// - Returns: false where that is nowhere.
    func goTo(path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> Bool
}

extension HasRoutes {
    /// Nil: routes that are not declared have no paths.
    public var activeRoutePath: RoutePath? { nil }

    /// False: routes that are not declared have no paths.
    public func goTo(path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> Bool { false }

    /// Makes a route active again that was so before.
    func restore(_ route: Any) {
        guard let route = route as? RouteType else { return }
        activeRoute = route
    }
}

extension HasRoutes where RouteType: DeclaredRoutes {
    /// The active route as it is declared.
    @inlinable
    public var activeRoutePath: RoutePath? { RouteType.declaration.path(of: activeRoute) }

    /// Goes to the route that is declared for a path.
    ///
    /// - Parameters:
    ///   - path: The path, from this coordinator's routes on.
    ///   - dependencies: The tree's own, where ids are looked up.
    /// - Returns: false where none is.
    public func goTo(path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> Bool {
        guard let route = RouteType.declaration.route(at: path, in: dependencies) else { return false }
        goTo(route)
        return true
    }
}

extension HasRoutes where Self: CoordinatorNode {
    /// Goes to a route now, or begins with it where this coordinator is still to be started. Nil changes nothing.
    ///
    /// A parent says so to a child before it shows it:
    ///
    /// ```swift
    /// let main = getCached(MainCoordinator.self) ?? MainCoordinator()
    /// main.goToOnceStarted(.teams)
    /// root(main)
    /// ```
    public func goToOnceStarted(_ route: RouteType?) {
        guard let route else { return }
        if isStarted { goTo(route) } else { activeRoute = route }
    }
}

extension CoordinatorNode {
    /// The active route as a path; nil where there is none, or it is empty.
    final var activeRoutePath: RoutePath? {
        routes?.activeRoutePath.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Opens a deep link; asked of the root. Where the tree is there already, nothing changes.
    ///
    /// - Returns: false where the path leads nowhere.
    final func open(_ link: String) -> Bool {
        guard let path = RoutePath(link), let routes else { return false }
        if path.isSame(as: routePath) { return true }
        let dependencies = (self as? any HasDependenciesProtocol)?.getDependencies()
        return routes.goTo(path: path, in: dependencies)
    }
}

/// The route that was active in a container before it showed something else, kept to be restored.
final class FormerRoute {
    private let route: Any
    /// The route as a path, nil where its type declares none.
    private(set) lazy var path = RoutePath(route: route)

    init?(of node: CoordinatorNode) {
        guard let routes = node.routes else { return nil }
        route = routes.activeRoute
    }

    func isSame(as other: FormerRoute) -> Bool {
        func isOther<Route: Equatable>(_ route: Route) -> Bool { other.route as? Route == route }
        return (route as? any Equatable).map { isOther($0) } ?? false
    }

    func restore(in node: CoordinatorNode) {
        node.routes?.restore(route)
    }
}
