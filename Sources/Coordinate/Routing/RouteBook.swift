/// The notes of a coordinator about its own routes; each coordinator that it shows has a note of the route it stands
/// for.
///
/// A route belongs to the coordinator that is shown for it. An app may also say so by ``HasRoutes/activeRoute`` alone:
/// a property of the app's, which is read before each change of the screen and when the turn settles. A value that has
/// changed is the route of the coordinator that was shown last.
struct RouteBook {
    /// The route of this coordinator with nothing shown in it.
    var base: ShownRoute?
    /// The value that `activeRoute` had when it was last read.
    var known: ShownRoute?
    /// The coordinator that the app showed last: the next value of `activeRoute` is its route.
    var subject: CoordinatorReference?
    /// The route of the topmost coordinator here, where `activeRoute` is another one: that of a coordinator further
    /// down, whose modal covers them all.
    var led: ShownRoute?
    /// Whether the route on the screen is not known: a tab is selected that was never selected for a route.
    var isUnknown = false
    /// Whether the tree will read this coordinator's route when the turn settles.
    var isNoted = false
}

/// The route that a coordinator on the screen stands for.
final class ShownRoute {
    let route: Any
    /// Whether a coordinator was shown for the route; it may be gone by now.
    var isTaken = false
    /// The route as a path; `nil` if its type declares none.
    private(set) lazy var path = RoutePath(route: route)

    init(_ route: Any) {
        self.route = route
    }
}
