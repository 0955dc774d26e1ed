/// A coordinator with routes, which describe its screen. The routes are an enum, and one of them is active.
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
/// Routes go down: a parent sends a child to a route, and keeps no copy of the child's route. A route describes the
/// whole screen, so going to it shows the same screen from everywhere. A container that shows nothing after its start
/// goes to its active route. If the enum conforms to ``DeclaredRoutes``, the route has a path, and
/// ``NavigationEvents/open(_:)`` can open it.
///
/// A route belongs to the coordinator that is shown for it with ``show(_:for:sender:)`` or a similar method. The active
/// route is that of the top-most coordinator on the screen. The library updates it after Back, a dismissal or a
/// redirect.
public protocol HasRoutes: AnyObject {
    /// The enum of routes; inferred from ``activeRoute``.
    associatedtype RouteType

    /// The route of the visible screen.
    ///
    /// Declare it with the initial route; the library updates it afterwards. An app may also set it after it has shown
    /// a coordinator. The value is then the route of that coordinator.
    var activeRoute: RouteType { get set }

    /// Shows the screen of a route.
    ///
    /// ``navigate(to:)`` calls it, and the library calls it for a deep link. A direct call bypasses the guards until
    /// the end of the turn: see ``HasGuard``.
    func goTo(_ route: RouteType)

    /// The active route as a path; `nil` if its type declares no paths.
    var activeRoutePath: RoutePath? { get }

    /// Returns the route that is declared for a path; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - path: The path below this coordinator.
    ///   - dependencies: The dependencies of the tree's root, which look up ids.
    func route(at path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> RouteType?

    /// Returns whether a route is the active one.
    func isActive(_ route: Any) -> Bool
}

extension HasRoutes {
    /// `nil`, because routes that are not declared have no paths.
    public var activeRoutePath: RoutePath? { nil }

    /// `nil`, because routes that are not declared have no paths.
    public func route(at path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> RouteType? { nil }

    /// Returns whether a route is the active one. Always false if the routes are not `Equatable`.
    public func isActive(_ route: Any) -> Bool {
        func isSame<Route: Equatable>(_ active: Route) -> Bool { route as? Route == active }
        return (activeRoute as? any Equatable).map { isSame($0) } ?? false
    }

    var route: Any { activeRoute }

    func accepts(_ route: Any) -> Bool { route is RouteType }

    /// Goes to a route if it is of the right type.
    func goTo(any route: Any) {
        guard let route = route as? RouteType else { return }
        goTo(route)
    }

    /// Sets the active route if the value is of the right type.
    func restore(_ route: Any) {
        guard let route = route as? RouteType else { return }
        activeRoute = route
    }
}

extension HasRoutes where RouteType: DeclaredRoutes {
    /// The active route as the path that is declared for it.
    @inlinable
    @inline(__always)  // so that it is specialized even for a class that is not final
    public var activeRoutePath: RoutePath? { RouteType.declaration.path(of: activeRoute) }

    /// Returns the route that is declared for a path; `nil` if there is none.
    public func route(at path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> RouteType? {
        RouteType.declaration.route(at: path, in: dependencies)
    }

    /// Returns whether a route is the active one.
    @inlinable
    @inline(__always)
    public func isActive(_ route: Any) -> Bool {
        (route as? RouteType) == activeRoute
    }
}

extension HasRoutes where Self: CoordinatorNode {
    /// Presents a modal for a route. See ``CoordinatorNode/present(_:animated:completion:)``.
    public func present(_ coordinator: any Coordinating, for route: RouteType) {
        show(coordinator, on: ShowingTerms(for: route)) { present(coordinator, animated: true) }
    }

    /// Goes to a route, or begins with it if this coordinator is not started yet. `nil` changes nothing.
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
        recordFirstRoute(before: ShownRoute(activeRoute), ShownRoute(route))
        activeRoute = route
    }
}

extension HasRoutes where Self: ContainerCoordinating {
    /// Shows a coordinator for a route, in place of the current one.
    public func root(_ coordinator: any Coordinating, for route: RouteType) {
        node.show(coordinator, on: ShowingTerms(for: route)) {
            root(coordinator, animated: false, completion: nil)
        }
    }
}

extension HasRoutes where Self: StackCoordinating {
    /// Pushes a coordinator for a route, or pops to it if it is already on the stack.
    public func show(_ coordinator: any Coordinating, for route: RouteType, sender: Any? = nil) {
        node.show(coordinator, on: ShowingTerms(for: route)) {
            show(coordinator, sender: sender)
        }
    }
}

extension TabBarCoordinating {
    /// Selects a tab and goes to one of its routes; `nil` leaves the tab at its own.
    ///
    /// ```swift
    /// case .orders(let route): select(orders, at: route)
    /// ```
    public func select<Tab: CoordinatorNode & Coordinating & HasRoutes>(_ tab: Tab, at route: Tab.RouteType?) {
        tab.goToOnceStarted(route)
        select(tab)
    }
}

extension HasRoutes where Self: TabBarCoordinating {
    /// Selects a tab for a route, which remains the tab's route.
    public func select(_ coordinator: any Coordinating, for route: RouteType) {
        node.show(coordinator, on: ShowingTerms(for: route)) { select(coordinator) }
    }

    /// Replaces the tabs, each with its route.
    ///
    /// ```swift
    /// setCoordinators([(TeamsCoordinator(), .teams), (ProfileCoordinator(), .profile)])
    /// ```
    ///
    /// A tap then needs no code: ``TabBarCoordinator/tabTapped(for:)`` selects the tab and its route.
    ///
    /// Afterwards the first tab's route is the active one. If `start(with:)` uses ``HasRoutes/activeRoute``, which a
    /// parent may have set, it must read it before this call.
    public func setCoordinators(_ tabs: [(coordinator: any Coordinating, route: RouteType)]) {
        for tab in tabs { tab.coordinator.node.terms = ShowingTerms(for: tab.route) }
        setCoordinators(tabs.map { $0.coordinator })
        for tab in tabs { tab.coordinator.node.takeTerms() }
    }
}
