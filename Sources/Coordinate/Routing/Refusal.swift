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

    /// The refusal of the route at a path below, or, where that leads nowhere, of the active route.
    func refusal(
        at path: RoutePath, by node: CoordinatorNode, in dependencies: (any AppDependenciesProtocol)?
    ) -> Refusal? {
        refusal(of: self.route(at: path, in: dependencies) ?? activeRoute, by: node)
    }
}
