/// A coordinator on the way to a screen, with its route that leads to the next step.
struct RouteStep {
    let node: CoordinatorNode
    /// The route as a path; `nil` if the coordinator has no routes, or its active route is not known.
    let route: RoutePath?
    /// The route for which the next coordinator on the way was shown; `nil` if there is none.
    var shown: ShownRoute?
}

// The way to a screen is read from the screen outwards. Each screen is at the route for which it was shown, a route of
// the coordinator that showed it. A screen shown without a route is at the route of the screen below it.
extension CoordinatorNode {
    /// The way to the visible screen. Read it on the root.
    final var way: [RouteStep] {
        let chain = visibleChain
        let leaf = chain.last ?? self
        // In a tree without a host, the app may have set routes between turns.
        for node in chain { node.sampleRoute() }
        return leaf.wayWithOwnRoute
    }

    /// The way to this coordinator, without its own route.
    final var wayHere: [RouteStep] {
        if let presenterNode {
            guard let route = shown.route, let parentNode else { return presenterNode.wayBelowModal }
            return parentNode.wayHere + [RouteStep(node: parentNode, route: route.path, shown: route)]
        }
        if let container { return container.wayHere + [container.step(to: self)] }
        // For a retained coordinator, the way to its last place.
        guard let parentNode else { return [] }
        return parentNode.wayHere + [RouteStep(node: parentNode, route: shown.former?.path, shown: shown.former)]
    }

    /// The way to this coordinator, with its own route without its modals.
    final var wayWithOwnRoute: [RouteStep] {
        wayHere + [RouteStep(node: self, route: routePathBelowModals)]
    }

    /// The way to the screen that would be visible here without the modals on top of this coordinator.
    private final var wayBelowModal: [RouteStep] {
        guard let visibleIndex else { return wayWithOwnRoute }
        return (children[visibleIndex].visibleChain.last ?? self).wayWithOwnRoute
    }

    /// Returns the step to a child. Another child may cover it while a modal of the first one stays on top.
    private final func step(to child: CoordinatorNode) -> RouteStep {
        guard let index = children.position(of: child), index != visibleIndex else {
            return RouteStep(node: self, route: routePathBelowModals, shown: saysOwnRoute ? nil : routeBelowModals)
        }
        let route = routeOfChild(at: index)
        return RouteStep(node: self, route: route?.path, shown: route)
    }

    /// The coordinator whose children include this one: its parent, or the navigation coordinator whose stack it was
    /// pushed on; `nil` if there is none.
    final var container: CoordinatorNode? {
        guard let parentNode else { return nil }
        if parentNode.children.contains(self) { return parentNode }
        return parentNode.sectionStack
    }
}

extension Collection<RouteStep> {
    var path: RoutePath {
        reduce(.empty) { $0.appending($1.route) }
    }
}
