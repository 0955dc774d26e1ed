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
