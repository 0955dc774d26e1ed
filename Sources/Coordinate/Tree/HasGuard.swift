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
/// A tap on a tab asks the guards about the screen that the tab would show. If they refuse it, the tab is not selected:
/// the redirect shows over the screen that was visible.
///
/// A decision depends only on the app's data, and changes nothing. Guards decide when something has changed, and not when
/// time has passed. So a guard that reads ``CoordinatorNode/now`` grants a route with ``RouteDecision/granted(until:)``,
/// or the app sets a timer. See <doc:LoginGate>.
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
    /// The app goes to the route, and the guards decide again at a time. See ``granted(until:)``.
    case grantedUntil(Timestamp)
    /// The app stays where it is: what was requested does not happen, and what was visible stays.
    ///
    /// If the visible screen itself is refused, it leaves: a modal is dismissed, the top of a stack is popped, and a tab
    /// bar returns to the tab that was visible before, or else to the first one that is granted. If nothing else is
    /// left, the turn fails with ``Diagnostic/nothingLeft(guard:)``.
    case refused
    /// The app goes to another route.
    ///
    /// - Parameters:
    ///   - to: The other route. The guards decide on it as well.
    ///   - parking: Whether, and how long, the first route waits until this guard grants it.
    case redirected(to: Route, parking: Parking = .never)

    /// The app goes to the route, and the guards decide again at a time: what they refuse then leaves.
    ///
    /// ```swift
    /// case .offer where now < offer.end: .granted(until: offer.end)
    /// case .offer: .redirected(to: .home)
    /// ```
    ///
    /// A timer called `guard` is pending at the guarding coordinator until then. A time that has passed sets no timer.
    public static func granted(until end: Timestamp) -> Self { .grantedUntil(end) }
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
    /// redirected, or the screen that was shown there. A user who dismisses the login no longer wants it. A modal on
    /// top of the login does not leave it.
    case untilDismissed
}
