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
