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
///         root(list, for: .list)
///         if case .team(let team) = route { show(TeamsDetailsCoordinator(team: team), for: route) }
///     }
/// }
/// ```
///
/// Routes go down: a parent tells a child where to go and keeps no copy of it. A route says all there is on the screen,
/// so that going to it gives the same from wherever one comes. Where the enum is a ``DeclaredRoutes``, it shows as a
/// path, and ``NavigationEvents/open(_:)`` leads there.
///
/// A route belongs to what is shown for it, by ``show(_:for:sender:)`` and its like: the active route is that of the
/// top-most thing on the screen, and Back, a dismissal or a redirect leaves it right.
public protocol HasRoutes: AnyObject {
    /// The enum of routes; inferred from ``activeRoute``.
    associatedtype RouteType

    /// The route of what is on the screen now.
    ///
    /// Declare it with the route to begin with; the library keeps it right from then on. An app may set it as well, after
    /// it has shown something: that is then the thing's route.
    var activeRoute: RouteType { get set }

    /// Shows what a route stands for.
    ///
    /// ``navigate(to:)`` calls it, and so does the library for a deep link. To call it is to pass by the guards: see
    /// ``HasGuard``.
    func goTo(_ route: RouteType)

    /// The active route as a path, nil where its type declares none.
    var activeRoutePath: RoutePath? { get }

    /// The route that is declared for a path.
    ///
    /// - Parameters:
    ///   - path: The path below this coordinator.
    ///   - dependencies: The tree's own, where ids are looked up.
    /// - Returns: nil where none is.
    func route(at path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> RouteType?

    /// Whether a route is the active one.
    func isActive(_ route: Any) -> Bool
}

extension HasRoutes {
    /// Nil: routes that are not declared have no paths.
    public var activeRoutePath: RoutePath? { nil }

    /// Nil: routes that are not declared have no paths.
    public func route(at path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> RouteType? { nil }

    /// Whether a route is the active one; of routes that cannot be compared, none is.
    public func isActive(_ route: Any) -> Bool {
        func isSame<Route: Equatable>(_ active: Route) -> Bool { route as? Route == active }
        return (activeRoute as? any Equatable).map { isSame($0) } ?? false
    }

    /// The active route, whatever its type.
    var route: Any { activeRoute }

    /// Whether a route is one of these.
    func accepts(_ route: Any) -> Bool { route is RouteType }

    /// Goes to a route, where it is of the right type.
    func goTo(any route: Any) {
        guard let route = route as? RouteType else { return }
        goTo(route)
    }

    /// Makes a route the active one, where it is of the right type.
    func restore(_ route: Any) {
        guard let route = route as? RouteType else { return }
        activeRoute = route
    }
}

extension HasRoutes where RouteType: DeclaredRoutes {
    /// The active route as it is declared.
    @inlinable
    @inline(__always)  // so that it is specialised for the routes of a class that is not final, too
    public var activeRoutePath: RoutePath? { RouteType.declaration.path(of: activeRoute) }

    /// The route that is declared for a path.
    public func route(at path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> RouteType? {
        RouteType.declaration.route(at: path, in: dependencies)
    }

    /// Whether a route is the active one.
    @inlinable
    @inline(__always)
    public func isActive(_ route: Any) -> Bool {
        (route as? RouteType) == activeRoute
    }
}

extension HasRoutes where Self: CoordinatorNode {
    /// Presents a modal for a route: see ``CoordinatorNode/present(_:animated:completion:)``.
    public func present(_ coordinator: any Coordinating, for route: RouteType) {
        show(coordinator, on: ShowingTerms(for: route)) { present(coordinator, animated: true) }
    }

    /// Goes to a route now, or begins with it where this coordinator is still to be started. Nil changes nothing.
    ///
    /// A parent says so to a child before it shows it:
    ///
    /// ```swift
    /// let main = getCached(MainCoordinator.self) ?? MainCoordinator()
    /// main.goToOnceStarted(.teams)
    /// root(main, for: .main)
    /// ```
    public func goToOnceStarted(_ route: RouteType?) {
        guard let route else { return }
        guard !isStarted else { return navigate(to: route) }
        noteWish(before: ShownRoute(activeRoute), ShownRoute(route))
        activeRoute = route
    }
}

extension HasRoutes where Self: ContainerCoordinating {
    /// Shows a coordinator for a route, in place of the one that is here.
    public func root(_ coordinator: any Coordinating, for route: RouteType) {
        node.show(coordinator, on: ShowingTerms(for: route)) {
            root(coordinator, animated: false, completion: nil)
        }
    }
}

extension HasRoutes where Self: StackCoordinating {
    /// Pushes a coordinator for a route; where this very one is on the stack already, pops to it.
    public func show(_ coordinator: any Coordinating, for route: RouteType, sender: Any? = nil) {
        node.show(coordinator, on: ShowingTerms(for: route)) {
            show(coordinator, sender: sender)
        }
    }
}

extension HasRoutes where Self: TabBarCoordinating {
    /// Selects a tab for a route, which it keeps.
    public func select(_ coordinator: any Coordinating, for route: RouteType) {
        node.show(coordinator, on: ShowingTerms(for: route)) { select(coordinator) }
    }

    /// Makes these coordinators the tabs, each with the route that it stands for.
    ///
    /// ```swift
    /// setCoordinators([(TeamsCoordinator(), .teams), (ProfileCoordinator(), .profile)])
    /// ```
    ///
    /// Then a tap needs no code: ``TabBarCoordinator/tabTapped(for:)`` selects the tab, and its route with it.
    ///
    /// The first tab's route is the active one after it. A `start(with:)` that is to go to ``HasRoutes/activeRoute``, which
    /// may be a parent's wish, reads that before.
    public func setCoordinators(_ tabs: [(coordinator: any Coordinating, route: RouteType)]) {
        for tab in tabs { tab.coordinator.node.terms = ShowingTerms(for: tab.route) }
        setCoordinators(tabs.map(\.coordinator))
        for tab in tabs { tab.coordinator.node.takeTerms() }
    }
}
