/// A coordinator on the way to a screen, and its route that leads on from there.
struct WayStep {
    let node: CoordinatorNode
    /// Nil where the coordinator has no routes, or nothing says which.
    let route: RoutePath?
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
            return parentNode.wayHere + [WayStep(node: parentNode, route: shownRoute.path)]
        }
        guard let container else { return [] }
        return container.wayHere + [WayStep(node: container, route: container.routePathBelowModals)]
    }

    /// The way to the screen that could be seen here if nothing was on top of this coordinator.
    private final var wayBelowModal: [WayStep] {
        guard let visibleIndex else { return wayHere + [WayStep(node: self, route: routePathBelowModals)] }
        return children[visibleIndex].way
    }

    /// The coordinator that has this one among its children: its parent, or the navigation coordinator it is a guest of.
    private final var container: CoordinatorNode? {
        guard let parentNode else { return nil }
        if parentNode.children.contains(where: { $0 === self }) { return parentNode }
        return parentNode.section?.stack
    }
}

extension Collection<WayStep> {
    /// The routes of these steps as a path.
    var path: RoutePath {
        reduce(.empty) { $0.appending($1.route) }
    }
}
