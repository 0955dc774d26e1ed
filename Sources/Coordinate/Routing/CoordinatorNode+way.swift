/// A coordinator on the way to a screen, and its route that leads on from there.
struct WayStep {
    let node: CoordinatorNode
    /// Nil where the coordinator has no routes, or nothing says which.
    let route: RoutePath?
    /// The route, where it is that of something shown.
    var shown: ShownRoute?
}

// The way to a screen: from there outwards, each thing is at the route that it was shown for, of whoever showed it. What
// was shown for none is where the screen below it is.
extension CoordinatorNode {
    /// The way to the screen that can be seen; ask the root.
    final var way: [WayStep] {
        let chain = visibleChain
        let leaf = chain.last ?? self
        // Between turns of a tree without a host an app may have set routes that nobody has looked at yet.
        for node in chain { node.sampleRoute() }
        return leaf.wayHere + [WayStep(node: leaf, route: leaf.routePathBelowModals)]
    }

    /// The way to this coordinator, without routes of its own.
    final var wayHere: [WayStep] {
        if let presenterNode {
            guard let shownRoute, let parentNode else { return presenterNode.wayBelowModal }
            return parentNode.wayHere + [WayStep(node: parentNode, route: shownRoute.path, shown: shownRoute)]
        }
        guard let container else { return [] }
        return container.wayHere + [container.step(to: self)]
    }

    /// The way to the screen that could be seen here if nothing was on top of this coordinator.
    private final var wayBelowModal: [WayStep] {
        guard let visibleIndex else { return wayHere + [WayStep(node: self, route: routePathBelowModals)] }
        let leaf = children[visibleIndex].visibleChain.last ?? self
        return leaf.wayHere + [WayStep(node: leaf, route: leaf.routePathBelowModals)]
    }

    /// The step to a child. That may be covered by another one, which came up while a modal of it stayed on top.
    private final func step(to child: CoordinatorNode) -> WayStep {
        guard let index = children.position(of: child), index != visibleIndex else {
            return WayStep(node: self, route: routePathBelowModals, shown: saysOwnRoute ? nil : routeBelowModals)
        }
        let route = routeOfChild(at: index)
        return WayStep(node: self, route: route?.path, shown: route)
    }

    /// The coordinator that has this one among its children: its parent, or the navigation coordinator it is a guest of.
    final var container: CoordinatorNode? {
        guard let parentNode else { return nil }
        if parentNode.children.contains(self) { return parentNode }
        return parentNode.section?.stack
    }
}

extension Collection<WayStep> {
    /// The routes of these steps as a path.
    var path: RoutePath {
        reduce(.empty) { $0.appending($1.route) }
    }
}
