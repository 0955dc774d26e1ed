/// The route that something on the screen stands for.
final class ShownRoute {
    let route: Any
    /// The route as a path, nil where its type declares none.
    private(set) lazy var path = RoutePath(route: route)

    init(_ route: Any) {
        self.route = route
    }
}
