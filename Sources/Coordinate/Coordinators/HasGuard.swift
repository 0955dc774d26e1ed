/// A coordinator that decides which of its routes the app may be at, for example to require a login.
///
/// ```swift
/// extension AppCoordinator: HasGuard {
///     func decide(on route: Route) -> RouteDecision<Route> {
///         switch route {
///         case .orders where dependencies?.account.isLoggedIn != true: .redirected(to: .login, parking: .untilGranted)
///         default: .granted
///         }
///     }
/// }
/// ```
///
/// Guards decide from the outermost inwards: on a deep link, on ``HasRoutes/navigate(to:)``, and at the end of every
/// turn on the visible route. So a user who is logged out leaves the screens that need a login. After a direct call of
/// ``HasRoutes/goTo(_:)``, the guards decide only at the end of the turn.
///
/// At the end of a turn, the guards also decide on all started coordinators that are not visible: the other tabs, the
/// lower entries of a stack, those that a modal covers, and retained ones. Each is identified by the route for which it
/// was shown. Those that the guards refuse end, while the app stays where it is. A tab, or the only child of a
/// container, is stopped in its place, and starts again when it is visible again.
///
/// A decision depends only on the app's data, and changes nothing. See <doc:LoginGate>.
public protocol HasGuard: HasRoutes {
    /// Decides whether the app may go to a route now, or stay there.
    ///
    /// - Parameter route: The whole route. If the routes are declared, it includes those of the children.
    func decide(on route: RouteType) -> RouteDecision<RouteType>
}

/// The decision of a guard.
public enum RouteDecision<Route> {
    /// The app goes to the route.
    case granted
    /// The app goes to another route.
    ///
    /// - Parameters:
    ///   - to: The other route. The guards decide on it as well.
    ///   - parking: Whether, and how long, the first route waits until this guard grants it.
    case redirected(to: Route, parking: Parking = .never)

    /// The app goes to another route. If `parking` is true, it opens the first one as soon as this guard grants it.
    @available(*, deprecated, message: "Write .untilGranted for true, and .never for false.")
    public static func redirected(to other: Route, parking: Bool) -> Self {
        .redirected(to: other, parking: parking ? Parking.untilGranted : .never)
    }
}

/// How long a refused route is *parked*, that is, waits to be opened. A route without a path never waits.
///
/// A newer link replaces a parked one. An app drops it with ``CoordinatorNode/forgetParkedLink()``.
public enum Parking: Sendable {
    /// The route is not opened later.
    case never
    /// The route is opened in the turn in which the guard grants it, however late.
    case untilGranted
    /// Like ``untilGranted``, but the route is dropped in the first turn that leaves the route to which the guard
    /// redirected. A user who dismisses the login no longer wants it.
    case untilDismissed
}

/// The refusal of a route by a guard.
struct Refusal {
    /// The coordinator that refuses it.
    let node: CoordinatorNode
    /// The route that the guard names instead.
    let other: Any
    /// How long the refused route waits until the guard grants it.
    let parking: Parking
    /// Returns whether the guard would now grant the route.
    let isGranted: () -> Bool
    /// The index of the way's last step that belongs to the refused route; `nil` if the refusal does not come from a
    /// way.
    var lastStep: Int?
}

extension HasGuard {
    /// Returns the refusal of a route; `nil` if it is granted.
    func refusal(of route: Any, by node: CoordinatorNode) -> Refusal? {
        guard let route = route as? RouteType, case .redirected(let other, let parking) = decide(on: route) else {
            return nil
        }
        return Refusal(
            node: node, other: other, parking: parking,
            isGranted: { [unowned self] in if case .granted = decide(on: route) { true } else { false } })
    }

    /// Returns the refusal of the route that a way below this coordinator leads to, or of the active route if it leads
    /// to none; `nil` if the route is granted.
    func refusal(
        on way: ArraySlice<RouteStep>, by node: CoordinatorNode, in dependencies: (any AppDependenciesProtocol)?
    ) -> Refusal? {
        guard let (route, lastStep) = longestRoute(on: way, in: dependencies) else {
            return refusal(of: activeRoute, by: node)
        }
        var refusal = refusal(of: route, by: node)
        refusal?.lastStep = lastStep
        return refusal
    }

    /// Returns whether the guard refuses a hidden screen with this way. If no route of the screen is known, it is
    /// granted.
    func refusesHidden(on way: ArraySlice<RouteStep>, in dependencies: (any AppDependenciesProtocol)?) -> Bool {
        let known = longestRoute(on: way, in: dependencies)?.route ?? way.first?.shown?.route as? RouteType
        guard let known, case .redirected = decide(on: known) else { return false }
        return true
    }

    /// Returns the route of this coordinator that the longest part of a way leads to, and the index of that part's last
    /// step; `nil` if there is none. The top-most screens may have been shown without a route.
    private func longestRoute(
        on way: ArraySlice<RouteStep>, in dependencies: (any AppDependenciesProtocol)?
    ) -> (route: RouteType, lastStep: Int)? {
        for end in way.indices.reversed() {
            if let route = route(at: way[...end].path, in: dependencies) { return (route, end) }
        }
        return nil
    }
}

/// A deep link that waits until a guard grants it.
struct ParkedLink {
    /// The path it leads to.
    let path: RoutePath
    /// The coordinator whose guard must grant it.
    let keeper: CoordinatorReference
    /// Whether the link waits only while the app stays at the route to which the guard redirected.
    let isUntilDismissed: Bool
    /// The path to which the guard redirected; `nil` until that turn is over.
    var refuge: RoutePath?
    /// Returns whether that guard would now grant the link's route.
    let isGranted: () -> Bool

    /// Returns whether the app, now at a path, has left the refuge.
    func isLeft(for path: RoutePath) -> Bool {
        guard isUntilDismissed, let refuge else { return false }
        return !path.isBelow(refuge)
    }
}
