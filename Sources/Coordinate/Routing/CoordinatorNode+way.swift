/// A coordinator on the way to a screen, and the one of its routes that leads on from there.
struct WayStep {
    let node: CoordinatorNode
    /// `nil` if the coordinator has no routes, or it is not known which one is active.
    let route: RoutePath?
    /// The route that the next coordinator on the way was shown for, if there is one.
    var shown: ShownRoute?
}

// The way to a screen, read from the screen outwards: each screen is at the route that it was shown for, a route of the
// coordinator that showed it. A screen that was shown for no route is at the route of the screen below it.
extension CoordinatorNode {
    /// The way to the visible screen; only for the root.
    final var way: [WayStep] {
        let chain = visibleChain
        let leaf = chain.last ?? self
        // In a tree without a host, an app may have set routes between turns that were not read yet.
        for node in chain { node.sampleRoute() }
        return leaf.wayWithOwnRoute
    }

    /// The way to this coordinator, without its own route.
    final var wayHere: [WayStep] {
        if let presenterNode {
            guard let shownRoute, let parentNode else { return presenterNode.wayBelowModal }
            return parentNode.wayHere + [WayStep(node: parentNode, route: shownRoute.path, shown: shownRoute)]
        }
        if let container { return container.wayHere + [container.step(to: self)] }
        // Of what is retained, the way to where it was.
        guard let parentNode else { return [] }
        return parentNode.wayHere + [WayStep(node: parentNode, route: formerRoute?.path, shown: formerRoute)]
    }

    /// The way to this coordinator, and its own route without its modals.
    final var wayWithOwnRoute: [WayStep] {
        wayHere + [WayStep(node: self, route: routePathBelowModals)]
    }

    /// The way to the screen that would be visible here if nothing was on top of this coordinator.
    private final var wayBelowModal: [WayStep] {
        guard let visibleIndex else { return wayWithOwnRoute }
        return (children[visibleIndex].visibleChain.last ?? self).wayWithOwnRoute
    }

    /// The step to a child. Another child may cover it, which came up while a modal of the first stayed on top.
    private final func step(to child: CoordinatorNode) -> WayStep {
        guard let index = children.position(of: child), index != visibleIndex else {
            return WayStep(node: self, route: routePathBelowModals, shown: saysOwnRoute ? nil : routeBelowModals)
        }
        let route = routeOfChild(at: index)
        return WayStep(node: self, route: route?.path, shown: route)
    }

    /// The coordinator that has this one among its children: its parent, or the navigation coordinator that it is a
    /// guest of.
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
