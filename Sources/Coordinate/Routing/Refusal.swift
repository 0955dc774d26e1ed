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
