import Coordinate

// How the app shows something for a route: by `show(_:for:)`, or as the seeds do it. They never show the same twice: to
// set a route once more is nothing that can be seen.
extension HasRoutes where Self: CoordinatorNode & RouteWalk.Walker, RouteType: Equatable {
    func raise(_ modal: any Coordinating, for route: RouteType) {
        guard !saysRouteByShowing else { return present(modal, for: route) }
        endModals(like: modal)
        present(modal, animated: false)
        activeRoute = route
    }

    private func endModals(like modal: any Coordinating) {
        let children = childCoordinators.sorted { $0.key < $1.key }.map(\.value)
        for child in children where child.getRootViewController().title == modal.getRootViewController().title {
            child.stop(with: {})
        }
    }

    func raise<Flow: RouteWalk.Flow & CoordinatorNode>(_ modal: Flow, for route: RouteType) {
        guard !saysRouteByShowing else { return present(modal, for: route, world.handler(of: modal)) }
        endModals(like: modal)
        present(modal, world.handler(of: modal))
        activeRoute = route
    }
}

extension HasRoutes where Self: CoordinatorNode & RouteWalk.Walker & ContainerCoordinating {
    func base(_ child: any Coordinating, for route: RouteType) {
        guard !saysRouteByShowing else { return root(child, for: route) }
        root(child, animated: false, completion: nil)
        activeRoute = route
    }
}

extension HasRoutes where Self: CoordinatorNode & RouteWalk.Walker & StackCoordinating, RouteType: Equatable {
    func put(_ child: any Coordinating, for route: RouteType) {
        if saysRouteByShowing { return show(child, for: route) }
        guard !hasEntry(like: child) else { return }
        show(child, sender: nil)
        activeRoute = route
    }

    private func hasEntry(like child: any Coordinating) -> Bool {
        let screen = child.getRootViewController()
        let stack = getRootViewController() as? NavigationController
        return stack?.viewControllers.contains { $0 !== screen && $0.title == screen.title } == true
    }

    func put<Flow: RouteWalk.Flow & CoordinatorNode>(_ child: Flow, for route: RouteType) {
        if saysRouteByShowing { return show(child, for: route, world.handler(of: child)) }
        guard !hasEntry(like: child) else { return }
        show(child, world.handler(of: child))
        activeRoute = route
    }
}

extension HasRoutes where Self: CoordinatorNode & RouteWalk.Walker & TabBarCoordinating {
    func choose(_ tab: any Coordinating, for route: RouteType) {
        guard !saysRouteByShowing else { return select(tab, for: route) }
        select(tab)
        activeRoute = route
    }
}
