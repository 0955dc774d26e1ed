/// A coordinator that decides which of its routes may be gone to now: a login gate.
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
/// Guards are asked outermost first: for a deep link, for ``HasRoutes/navigate(to:)``, and again after every turn about
/// what is on the screen, so that whoever is logged out leaves what needs a login. ``HasRoutes/goTo(_:)`` alone passes by
/// them, until the turn is over.
///
/// A decision is a function of the app's data and nothing else; it changes nothing. See <doc:LoginGate>.
public protocol HasGuard: HasRoutes {
    /// Decides whether a route may be gone to, or stayed at, now.
    ///
    /// - Parameter route: The whole of it: where routes are declared, with those of the children.
    func decide(on route: RouteType) -> RouteDecision<RouteType>
}

/// The decision of a guard.
public enum RouteDecision<Route> {
    /// The app goes there.
    case granted
    /// The app goes somewhere else.
    ///
    /// - Parameters:
    ///   - to: The other route; the guards are asked about it, too.
    ///   - parking: Whether the first one is to be opened as soon as this guard grants it. It needs a path for that.
    case redirected(to: Route, parking: Bool = false)
}

/// The refusal of a route by a guard.
struct Refusal {
    /// The coordinator that refuses it.
    let node: CoordinatorNode
    /// The route it leads to instead.
    let other: Any
    /// Whether the refused route is to be opened once it is granted.
    let isParking: Bool
    /// Whether the guard would grant it now.
    let isGranted: () -> Bool
    /// The last step of the way to what is refused; nil where it is not known from a way.
    var lastStep: Int?
}

extension HasGuard {
    /// The refusal of a route, nil where it is granted.
    func refusal(of route: Any, by node: CoordinatorNode) -> Refusal? {
        guard let route = route as? RouteType, case .redirected(let other, let isParking) = decide(on: route) else {
            return nil
        }
        return Refusal(
            node: node, other: other, isParking: isParking,
            isGranted: { [unowned self] in if case .granted = decide(on: route) { true } else { false } })
    }

    /// The refusal of the route that a way below leads to, as far as that is one of this coordinator's routes: what is on
    /// top may have been shown for none.
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
    /// Whether that guard grants it now.
    let isGranted: () -> Bool
}
