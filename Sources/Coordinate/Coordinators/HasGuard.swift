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

/// The refusal of a route by a guard.
struct Refusal {
    /// The coordinator that refuses it.
    let node: CoordinatorNode
    /// The route that the guard names instead; `nil` if the app stays where it is.
    let other: Any?
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
        guard let route = route as? RouteType else { return nil }
        return switch decision(on: route, by: node) {
        case .granted, .grantedUntil: nil
        case .refused: Refusal(node: node, other: nil, parking: .never, isGranted: { false })
        case .redirected(let other, let parking):
            Refusal(
                node: node, other: other, parking: parking,
                isGranted: { [unowned self] in
                    switch decide(on: route) {
                    case .granted, .grantedUntil: true
                    case .redirected, .refused: false
                    }
                })
        }
    }

    /// Asks the guard, and notes until when its decision holds.
    private func decision(on route: RouteType, by node: CoordinatorNode) -> RouteDecision<RouteType> {
        node.tree.clockWasRead = false
        let decision = decide(on: route)
        if case .grantedUntil(let end) = decision {
            node.tree.noteGrant(until: end, by: node)
        } else if node.tree.clockWasRead {
            node.tree.noteClock(readBy: node)
        }
        return decision
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
    func refusesHidden(
        on way: ArraySlice<RouteStep>, by node: CoordinatorNode, in dependencies: (any AppDependenciesProtocol)?
    ) -> Bool {
        let known = longestRoute(on: way, in: dependencies)?.route ?? way.first?.shown?.route as? RouteType
        guard let known else { return false }
        return switch decision(on: known, by: node) {
        case .granted, .grantedUntil: false
        case .redirected, .refused: true
        }
    }

    /// Returns the route of this coordinator that the longest part of a way leads to, and the index of that part's last
    /// step; `nil` if there is none. The top-most screens may have been shown without a route.
    private func longestRoute(
        on way: ArraySlice<RouteStep>, in dependencies: (any AppDependenciesProtocol)?
    ) -> (route: RouteType, lastStep: Int)? {
        for end in way.indices.reversed() {
            let path = way[...end].path
            if let route = route(at: path, in: dependencies) { return (route, end) }
            if let route = routeAboveChild(at: path, in: dependencies) { return (route, end) }
        }
        return nil
    }

    /// Returns the route with a child that shows something without a route, so that the path ends above it.
    private func routeAboveChild(at path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> RouteType? {
        func route<Declared: DeclaredRoutes>(_ type: Declared.Type) -> RouteType? {
            let path = UnreadPath(path, mayEndAboveChild: true)
            return Declared.declaration.route(at: path, in: dependencies) as? RouteType
        }
        return (RouteType.self as? any DeclaredRoutes.Type).flatMap { route($0) }
    }
}

/// A deep link that waits until a guard grants it.
struct ParkedLink {
    /// The path it leads to.
    let path: RoutePath
    /// The coordinator whose guard must grant it.
    let keeper: CoordinatorReference
    /// Whether the link waits only while the app stays at the refuge.
    let isUntilDismissed: Bool
    /// The path of the route to which the guard redirected; `nil` if it has none.
    var target: RoutePath?
    /// Where the redirect ended; `nil` until that turn is over.
    private(set) var refuge: Refuge?
    /// Returns whether that guard would now grant the link's route.
    let isGranted: () -> Bool

    /// Where the redirect of a guard ended.
    struct Refuge {
        /// The screen that was shown.
        let leaf: CoordinatorReference
        /// The path of the target; `nil` if its screen was shown without a route.
        let path: RoutePath?
    }

    init(
        path: RoutePath, keeper: CoordinatorReference, isUntilDismissed: Bool, target: RoutePath?,
        isGranted: @escaping () -> Bool
    ) {
        self.path = path
        self.keeper = keeper
        self.isUntilDismissed = isUntilDismissed
        self.target = target
        self.isGranted = isGranted
    }

    /// Remembers where the app is after the redirect. Call it at the end of each turn.
    mutating func settle(at root: CoordinatorNode) {
        guard isUntilDismissed, refuge == nil else { return }
        let path = root.routePath
        let isAtTarget = target.map(path.isBelow) ?? true
        refuge = Refuge(leaf: (root.visibleChain.last ?? root).reference, path: isAtTarget ? path : nil)
    }

    /// Returns whether the app has left the refuge: its screen is neither visible nor below a modal, and the path is
    /// another one.
    func isLeft(in root: CoordinatorNode) -> Bool {
        guard isUntilDismissed, let refuge else { return false }
        if let leaf = refuge.leaf.node, leaf.isVisibleBelowModals(in: root) { return false }
        return refuge.path.map { !root.routePath.isBelow($0) } ?? true
    }
}
