/// The notes of a coordinator with routes about its own: the rest of them are with what it shows.
///
/// A route belongs to what is shown for it. An app says so with ``HasRoutes/activeRoute`` alone, as well: a property of
/// its own, which is looked at before each change of the screen and when the turn settles. A value that has changed is
/// the route of what was shown last.
struct RouteBook {
    /// The route of this coordinator with nothing shown in it.
    var base: ShownRoute?
    /// The value that `activeRoute` had when it was looked at last.
    var known: ShownRoute?
    /// The coordinator that the app asked to be shown last: what it sets next is its route.
    var subject: CoordinatorReference?
    /// Whether nobody has said what is on the screen: a tab that was never selected for a route.
    var isUnknown = false
    /// The route of the top-most thing here, where `activeRoute` is another one: that of something below it, which has a modal
    /// on top of it all.
    var led: ShownRoute?
    /// Whether the tree has this coordinator among those to be looked at when the turn settles.
    var isNoted = false
}

/// The route that something on the screen stands for.
final class ShownRoute {
    let route: Any
    /// Whether something was shown for it, which may be gone by now.
    var isTaken = false
    /// The route as a path, nil where its type declares none.
    private(set) lazy var path = RoutePath(route: route)

    init(_ route: Any) {
        self.route = route
    }
}
