/// A coordinator that decides which of its routes the app may be at now: a login gate, for example.
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
/// Guards decide from the outermost inwards: on a deep link, on ``HasRoutes/navigate(to:)``, and after every turn on
/// the route on the screen, so that a user who is logged out leaves the screens that need a login.
/// ``HasRoutes/goTo(_:)`` alone does not ask them, until the turn is over.
///
/// What a guard refuses is not in the tree. At the end of a turn the guards are asked about all that is started but not
/// visible, too: the other tabs, the lower entries of a stack, what a modal covers, and what is retained. What they
/// refuse ends, and the app stays where it is: a tab, or the only child of a container, goes back to not started, and
/// starts anew when it is visible again. A screen is asked about by the route that it was shown for.
///
/// A decision is a function of the app's data alone, and changes nothing. See <doc:LoginGate>.
public protocol HasGuard: HasRoutes {
    /// Decides whether the app may go to a route now, or stay there.
    ///
    /// - Parameter route: The whole route: where routes are declared, with those of the children.
    func decide(on route: RouteType) -> RouteDecision<RouteType>
}

/// The decision of a guard.
public enum RouteDecision<Route> {
    /// The app goes to the route.
    case granted
    /// The app goes to another route.
    ///
    /// - Parameters:
    ///   - to: The other route; the guards decide on it, too.
    ///   - parking: How long the first route waits for this guard to grant it, if at all.
    case redirected(to: Route, parking: Parking = .never)

    /// The app goes to another route, and opens the first one as soon as this guard grants it if `parking` is true.
    @available(*, deprecated, message: "Write .untilGranted for true, and .never for false.")
    public static func redirected(to other: Route, parking: Bool) -> Self {
        .redirected(to: other, parking: parking ? Parking.untilGranted : .never)
    }
}

/// The time that a refused route waits to be opened: it is *parked*. A route without a path never waits.
///
/// A newer link takes the place of a parked one. An app drops it with ``CoordinatorNode/forgetParkedLink()``.
public enum Parking: Sendable {
    /// The route is not opened later.
    case never
    /// The route is opened in the turn in which the guard grants it, however much later that is.
    case untilGranted
    /// The same, but the route is forgotten in the first turn that leaves where the guard sent the app: a user who
    /// dismisses the login does not want it any more.
    case untilDismissed
}

/// The refusal of a route by a guard.
struct Refusal {
    /// The coordinator that refuses it.
    let node: CoordinatorNode
    /// The route that the guard names instead.
    let other: Any
    /// How long the refused route waits for the guard to grant it.
    let parking: Parking
    /// Returns true where the guard would grant the route now.
    let isGranted: () -> Bool
    /// The last step of the way that leads to the refused route; `nil` if the refusal was not found on a way.
    var lastStep: Int?
}

extension HasGuard {
    /// The refusal of a route; `nil` if it is granted.
    func refusal(of route: Any, by node: CoordinatorNode) -> Refusal? {
        guard let route = route as? RouteType, case .redirected(let other, let parking) = decide(on: route) else {
            return nil
        }
        return Refusal(
            node: node, other: other, parking: parking,
            isGranted: { [unowned self] in if case .granted = decide(on: route) { true } else { false } })
    }

    /// The refusal of the route that a way below this coordinator leads to; of the active route if it leads to none.
    func refusal(
        on way: ArraySlice<WayStep>, by node: CoordinatorNode, in dependencies: (any AppDependenciesProtocol)?
    ) -> Refusal? {
        guard let (route, lastStep) = longestRoute(on: way, in: dependencies) else {
            return refusal(of: activeRoute, by: node)
        }
        var refusal = refusal(of: route, by: node)
        refusal?.lastStep = lastStep
        return refusal
    }

    /// Whether the guard refuses a hidden screen, by the way that leads to it. It is granted if no route of it is known.
    func refusesHidden(on way: ArraySlice<WayStep>, in dependencies: (any AppDependenciesProtocol)?) -> Bool {
        let known = longestRoute(on: way, in: dependencies)?.route ?? way.first?.shown?.route as? RouteType
        guard let known, case .redirected = decide(on: known) else { return false }
        return true
    }

    /// The route of this coordinator that most of a way leads to, and the last step of that: the topmost screens may have
    /// been shown for no route. `nil` if the way leads to none.
    private func longestRoute(
        on way: ArraySlice<WayStep>, in dependencies: (any AppDependenciesProtocol)?
    ) -> (route: RouteType, lastStep: Int)? {
        for end in way.indices.reversed() {
            if let route = route(at: way[...end].path, in: dependencies) { return (route, end) }
        }
        return nil
    }
}

/// A deep link that waits for a guard to grant it.
struct ParkedLink {
    /// The path it leads to.
    let path: RoutePath
    /// The coordinator whose guard it waits for.
    let keeper: CoordinatorReference
    /// Whether the link waits only as long as the app stays where the guard sent it.
    let isUntilDismissed: Bool
    /// The path that the guard sent the app to; `nil` if that turn is not over.
    var refuge: RoutePath?
    /// Returns true where that guard would grant the link's route now.
    let isGranted: () -> Bool

    /// Whether the app left the refuge for a path.
    func isLeft(for path: RoutePath) -> Bool {
        guard isUntilDismissed, let refuge else { return false }
        return !path.isBelow(refuge)
    }
}
