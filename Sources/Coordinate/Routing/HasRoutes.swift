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
///         switch route {
///         case .list: root(getCached(TeamsListCoordinator.self) ?? TeamsListCoordinator())
///         case .team(let team): show(TeamsDetailsCoordinator(team: team), sender: self)
///         }
///         activeRoute = route
///     }
/// }
/// ```
///
/// Routes go down: a parent tells a child where to go and keeps no copy of it. Where the enum is a ``DeclaredRoutes``,
/// the route shows as a path.
public protocol HasRoutes: AnyObject {
    associatedtype RouteType

    /// The route of what is on the screen now. The app sets it in ``goTo(_:)``; after Back, the library restores it.
    var activeRoute: RouteType { get set }

    func goTo(_ route: RouteType)

    /// The active route as a path, nil where its type declares none.
    var activeRoutePath: RoutePath? { get }
}

extension HasRoutes {
    public var activeRoutePath: RoutePath? { nil }

    /// Makes a route active again that was so before.
    func restore(_ route: Any?) {
        guard let route = route as? RouteType else { return }
        activeRoute = route
    }
}

extension HasRoutes where RouteType: DeclaredRoutes {
    public var activeRoutePath: RoutePath? { RouteType.declaration.path(of: activeRoute) }
}

extension CoordinatorNode {
    /// The active route as a path; nil where there is none, or it has no parts.
    final var activeRoutePath: RoutePath? {
        (self as? any HasRoutes)?.activeRoutePath.flatMap { $0.isEmpty ? nil : $0 }
    }
}
