/// A coordinator that decides which of its routes the app may be at now: a login gate, for example.
///
/// ```swift
/// extension AppCoordinator: HasGuard {
///     func decide(on route: Route) -> RouteDecision<Route> {
///         switch route {
///         case .orders where dependencies?.account.isLoggedIn != true: .redirected(to: .login, parking: true)
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
    ///   - parking: True where the first route is to be opened as soon as this guard grants it. It needs a path for
    ///     that.
    case redirected(to: Route, parking: Bool = false)
}

/// The refusal of a route by a guard.
struct Refusal {
    /// The coordinator that refuses it.
    let node: CoordinatorNode
    /// The route that the guard names instead.
    let other: Any
    /// True where the refused route is to be opened once it is granted.
    let isParking: Bool
    /// Returns true where the guard would grant the route now.
    let isGranted: () -> Bool
    /// The last step of the way that leads to the refused route; nil where the refusal was not found on a way.
    var lastStep: Int?
}

extension HasGuard {
    /// The refusal of a route; nil where it is granted.
    func refusal(of route: Any, by node: CoordinatorNode) -> Refusal? {
        guard let route = route as? RouteType, case .redirected(let other, let isParking) = decide(on: route) else {
            return nil
        }
        return Refusal(
            node: node, other: other, isParking: isParking,
            isGranted: { [unowned self] in if case .granted = decide(on: route) { true } else { false } })
    }

    /// The refusal of the route that a way below this coordinator leads to, as far as it is one of its routes: the
    /// topmost screens may have been shown for no route.
    func refusal(
        on way: ArraySlice<WayStep>, by node: CoordinatorNode, in dependencies: (any AppDependenciesProtocol)?
    ) -> Refusal? {
        for end in (way.startIndex..<way.endIndex).reversed() {
            guard let route = self.route(at: way[...end].path, in: dependencies) else { continue }
            var refusal = refusal(of: route, by: node)
            refusal?.lastStep = end
            return refusal
        }
        return refusal(of: activeRoute, by: node)
    }
}

/// A deep link that waits for a guard to grant it.
struct ParkedLink {
    /// The path it leads to.
    let path: RoutePath
    /// The coordinator whose guard it waits for.
    let keeper: CoordinatorReference
    /// Returns true where that guard would grant the link's route now.
    let isGranted: () -> Bool
}
