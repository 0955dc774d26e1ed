/// The record of a coordinator's own routes. Each coordinator that it shows stores the route for which it was shown.
///
/// A route belongs to the coordinator that is shown for it. An app may also assign a route only by setting its own
/// property ``HasRoutes/activeRoute``. The library reads it before each change of the screen and when the turn settles.
/// A changed value is the route of the coordinator that was shown last.
struct RouteState {
    /// The route of this coordinator when it shows no other.
    var base: ShownRoute?
    /// The last value read from `activeRoute`.
    var known: ShownRoute?
    /// The coordinator that the app showed last. The next value of `activeRoute` is its route.
    var subject: CoordinatorReference?
    /// The route of the top-most coordinator here, if `activeRoute` is a different one because the modal of a
    /// coordinator further down covers them all; otherwise `nil`.
    var led: ShownRoute?
    /// Whether the visible route is unknown, because the selected tab was never selected for a route.
    var isUnknown = false
    /// Whether the tree will read this coordinator's route when the turn settles.
    var isRecorded = false
}

final class ShownRoute {
    let route: Any
    /// Whether a coordinator was shown for the route. It may be gone.
    var isTaken = false
    /// The route as a path; `nil` if its type declares no paths.
    private(set) lazy var path = RoutePath(route: route)

    init(_ route: Any) {
        self.route = route
    }
}

/// The routes for which other coordinators showed a coordinator.
struct ShownRoutes {
    /// A route of its stack or container, or of its presenter.
    var route: ShownRoute?
    /// A route of the owner of the section that it is in.
    var sectionRoute: ShownRoute?
    /// The route for which it was last shown, while it is retained.
    var former: ShownRoute?

    /// Records that the coordinator left its place.
    mutating func leave() {
        self = ShownRoutes(former: sectionRoute ?? route ?? former)
    }
}
