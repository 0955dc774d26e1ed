/// A coordinator whose screen is described by a route: its routes are an enum, and one of them is active.
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
/// Routes go down: a parent tells a child where to go and keeps no copy of its route. A route describes the whole
/// screen, so that going to it gives the same screen from everywhere. Where the enum is a ``DeclaredRoutes``, the route
/// is shown as a path, and ``NavigationEvents/open(_:)`` leads to it.
///
/// A route belongs to the coordinator that is shown for it, by ``show(_:for:sender:)`` and its like: the active route
/// is that of the topmost coordinator on the screen, and stays right after Back, a dismissal or a redirect.
public protocol HasRoutes: AnyObject {
    /// The enum of routes; inferred from ``activeRoute``.
    associatedtype RouteType

    /// The route of the screen that is visible now.
    ///
    /// Declare it with the route to begin with; the library keeps it right from then on. An app may also set it after
    /// it has shown a coordinator: the value is then the route of that coordinator.
    var activeRoute: RouteType { get set }

    /// Shows the screen that a route stands for.
    ///
    /// ``navigate(to:)`` calls it, and so does the library for a deep link. A direct call does not ask the guards: see
    /// ``HasGuard``.
    func goTo(_ route: RouteType)

    /// The active route as a path; `nil` if its type declares none.
    var activeRoutePath: RoutePath? { get }

    /// The route that is declared for a path; `nil` if none is.
    ///
    /// - Parameters:
    ///   - path: The path below this coordinator.
    ///   - dependencies: Those of the tree, as its root has them: ids are looked up there.
    func route(at path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> RouteType?

    /// Returns true where a route is the active one.
    func isActive(_ route: Any) -> Bool
}

extension HasRoutes {
    /// Nil: routes that are not declared have no paths.
    public var activeRoutePath: RoutePath? { nil }

    /// Nil: routes that are not declared have no paths.
    public func route(at path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> RouteType? { nil }

    /// Returns true where a route is the active one; never where routes cannot be compared.
    public func isActive(_ route: Any) -> Bool {
        func isSame<Route: Equatable>(_ active: Route) -> Bool { route as? Route == active }
        return (activeRoute as? any Equatable).map { isSame($0) } ?? false
    }

    /// The active route, whatever its type.
    var route: Any { activeRoute }

    /// Returns true where a value is a route of this coordinator.
    func accepts(_ route: Any) -> Bool { route is RouteType }

    /// Goes to a route if it is of the right type.
    func goTo(any route: Any) {
        guard let route = route as? RouteType else { return }
        goTo(route)
    }

    /// Makes a route the active one if it is of the right type.
    func restore(_ route: Any) {
        guard let route = route as? RouteType else { return }
        activeRoute = route
    }
}

extension HasRoutes where RouteType: DeclaredRoutes {
    /// The active route as the path that is declared for it.
    @inlinable
    @inline(__always)  // so that it is specialised for the routes of a class that is not final, too
    public var activeRoutePath: RoutePath? { RouteType.declaration.path(of: activeRoute) }

    /// The route that is declared for a path; `nil` if none is.
    public func route(at path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> RouteType? {
        RouteType.declaration.route(at: path, in: dependencies)
    }

    /// Returns true where a route is the active one.
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

    /// Goes to a route now, or begins with it where this coordinator is not started yet. Nil changes nothing.
    ///
    /// A parent calls it on a child before it shows the child:
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
    /// Shows a coordinator for a route, in place of the present one.
    public func root(_ coordinator: any Coordinating, for route: RouteType) {
        node.show(coordinator, on: ShowingTerms(for: route)) {
            root(coordinator, animated: false, completion: nil)
        }
    }
}

extension HasRoutes where Self: StackCoordinating {
    /// Pushes a coordinator for a route; where it is on the stack already, pops to it.
    public func show(_ coordinator: any Coordinating, for route: RouteType, sender: Any? = nil) {
        node.show(coordinator, on: ShowingTerms(for: route)) {
            show(coordinator, sender: sender)
        }
    }
}

extension HasRoutes where Self: TabBarCoordinating {
    /// Selects a tab for a route, which stays the tab's route.
    public func select(_ coordinator: any Coordinating, for route: RouteType) {
        node.show(coordinator, on: ShowingTerms(for: route)) { select(coordinator) }
    }

    /// Makes these coordinators the tabs, each with its route.
    ///
    /// ```swift
    /// setCoordinators([(TeamsCoordinator(), .teams), (ProfileCoordinator(), .profile)])
    /// ```
    ///
    /// A tap then needs no code: ``TabBarCoordinator/tabTapped(for:)`` selects the tab, and its route with it.
    ///
    /// The first tab's route is the active one afterwards. A `start(with:)` that goes to ``HasRoutes/activeRoute``,
    /// which a parent may have chosen, has to read it before this call.
    public func setCoordinators(_ tabs: [(coordinator: any Coordinating, route: RouteType)]) {
        for tab in tabs { tab.coordinator.node.terms = ShowingTerms(for: tab.route) }
        setCoordinators(tabs.map(\.coordinator))
        for tab in tabs { tab.coordinator.node.takeTerms() }
    }
}
