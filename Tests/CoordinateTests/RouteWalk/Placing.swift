import Coordinate

// How the app shows something for a route: by `show(_:for:)`, or as the seeds do it.
extension HasRoutes where Self: CoordinatorNode & RouteWalk.Walker {
    func raise(_ modal: any Coordinating, for route: RouteType) {
        guard !world.saysRouteByShowing else { return present(modal, for: route) }
        present(modal, animated: false)
        activeRoute = route
    }

    func raise<Flow: RouteWalk.Flow & CoordinatorNode>(_ modal: Flow, for route: RouteType) {
        guard !world.saysRouteByShowing else { return present(modal, for: route, world.handler(of: modal)) }
        present(modal, world.handler(of: modal))
        activeRoute = route
    }
}

extension HasRoutes where Self: CoordinatorNode & RouteWalk.Walker & ContainerCoordinating {
    func base(_ child: any Coordinating, for route: RouteType) {
        guard !world.saysRouteByShowing else { return root(child, for: route) }
        root(child, animated: false, completion: nil)
        activeRoute = route
    }
}

extension HasRoutes where Self: CoordinatorNode & RouteWalk.Walker & StackCoordinating, RouteType: Equatable {
    func put(_ child: any Coordinating, for route: RouteType) {
        if world.saysRouteByShowing { return show(child, for: route) }
        // That it is set once more is nothing that can be seen.
        guard activeRoute != route else { return }
        show(child, sender: nil)
        activeRoute = route
    }

    func put<Flow: RouteWalk.Flow & CoordinatorNode>(_ child: Flow, for route: RouteType) {
        if world.saysRouteByShowing { return show(child, for: route, world.handler(of: child)) }
        guard activeRoute != route else { return }
        show(child, world.handler(of: child))
        activeRoute = route
    }
}

extension HasRoutes where Self: CoordinatorNode & RouteWalk.Walker & TabBarCoordinating {
    func choose(_ tab: any Coordinating, for route: RouteType) {
        guard !world.saysRouteByShowing else { return select(tab, for: route) }
        select(tab)
        activeRoute = route
    }
}
