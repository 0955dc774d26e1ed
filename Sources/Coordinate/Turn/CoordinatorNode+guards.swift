extension HasRoutes where Self: CoordinatorNode {
    /// Goes to a route, or to the one that a guard redirects to. See ``HasGuard``.
    ///
    /// The guards of the ancestors decide first, the outermost before the others, then this coordinator's own. If one
    /// redirects, the app goes to the route that it names instead.
    public func navigate(to route: RouteType) {
        guard tree.allows(.strayNavigation(coordinator: id)) else { return }
        tree.perform { navigate(to: route as Any) }
    }
}

extension CoordinatorNode {
    // MARK: Links

    /// Opens a deep link. If the app is already at the link's path, only modals without a route leave, which cover the
    /// screen of that path. Call it on the root.
    ///
    /// - Returns: False if the path leads nowhere.
    final func open(_ link: String) -> Bool {
        guard let path = RoutePath(link), let route = route(at: path) else { return false }
        if path.isSame(as: routePath) {
            if let modal = modalCovering(path) {
                leave(modal.withAllBelow, on: .open(link)) { modal.parentNode?.dismiss(modal) }
            }
            return true
        }
        leave(screensLeft(by: path), on: .open(link)) {
            tree.links.parked = nil
            open(path, route)
        }
        return true
    }

    /// Returns the outermost of the modals without a route that cover the screen of a path; `nil` if there is none.
    private final func modalCovering(_ path: RoutePath) -> CoordinatorNode? {
        let modals = visibleChain.filter { $0.presenterNode != nil }
        let index = (modals.lastIndex { $0.shown.route != nil } ?? -1) + 1
        return modals[index...].first { $0.wayHere.path.isSame(as: path) }
    }

    private final func route(at path: RoutePath) -> Any? {
        func route(_ routes: some HasRoutes) -> Any? { routes.route(at: path, in: ownDependencies) }
        return routes.flatMap { route($0) }
    }

    private final func open(_ path: RoutePath, _ route: Any) {
        tree.links.opening = path
        navigate(to: route)
        tree.links.opening = nil
    }

    /// Drops the parked link, which waits until a guard grants it, and parks none in the rest of this turn. See
    /// ``Parking``.
    ///
    /// Call it when a user logs out. Otherwise, the guard parks the route that the user has to leave, and the next one
    /// to log in comes to it.
    public final func forgetParkedLink() {
        guard tree.allows(.strayNavigation(coordinator: id)) else { return }
        tree.perform {
            tree.links.parked = nil
            tree.links.isForgotten = true
        }
    }

    // MARK: Guards

    /// Goes to a route of this coordinator if its own guard and those of its ancestors allow it.
    fileprivate final func navigate(to route: Any) {
        guard tree.beginNavigation() else { return }
        let root = rootNode
        guard tree.hasGuards, let refusal = refusal(of: route, below: root) else {
            routes?.goTo(any: route)
            return
        }
        follow(refusal, of: path(of: route, below: root))
    }

    /// Goes to the active route if nothing was shown here since the start.
    final func goToFirstRoute() {
        awaitsFirstRoute = false
        guard let routes, children.isEmpty, modals.isEmpty, presentedNode == nil else { return }
        navigate(to: routes.route)
    }

    /// Returns the first refusal of a route, from the outermost guard inwards; `nil` if all guards grant it.
    private final func refusal(of route: Any, below root: CoordinatorNode) -> Refusal? {
        if let around = wayAround(below: root) {
            let way = around + [RouteStep(node: self, route: RoutePath(wholeRoute: route))]
            if let refusal = root.refusal(on: way, asking: around.indices) { return refusal }
        }
        return routeGuard?.refusal(of: route, by: self)
    }

    /// Returns the first refusal of the route that a way leads to, from the outermost guard inwards. Call it on the
    /// root.
    private final func refusal(on way: [RouteStep], asking indices: Range<Int>) -> Refusal? {
        for index in indices {
            let node = way[index].node
            guard let routeGuard = node.routeGuard else { continue }
            let refusal = routeGuard.refusal(on: way[index...], by: node, in: ownDependencies)
            if let refusal { return refusal }
        }
        return nil
    }

    /// Returns the refusal of the screen that selecting a tab of this coordinator would show, and that screen's path;
    /// `nil` if it is granted.
    final func refusal(ofTab tab: CoordinatorNode) -> (Refusal, of: RoutePath)? {
        guard tree.hasGuards else { return nil }
        let way = (tab.visibleChain.last ?? tab).wayWithOwnRoute
        return rootNode.refusal(on: way, asking: way.indices).map { refusal in
            (refusal, way[...(refusal.lastStep ?? way.count - 1)].path)
        }
    }

    /// Returns the way to this coordinator; `nil` if it is not visible.
    private final func wayAround(below root: CoordinatorNode) -> [RouteStep]? {
        root.visibleChain.contains { $0 === self } ? wayHere : nil
    }

    /// Returns the path of a route from the root. If the route is part of the link that is being opened, returns the
    /// link's path.
    private final func path(of route: Any, below root: CoordinatorNode) -> RoutePath? {
        guard let path = RoutePath(wholeRoute: route) else { return nil }
        if let link = tree.links.opening, link.components.reversed().starts(with: path.components.reversed()) {
            return link
        }
        return wayAround(below: root)?.path.appending(path)
    }

    /// Returns whether the visible screen is the one that a route of this coordinator leads to, not one on top of it or
    /// further in.
    private final func isSeen(at route: Any) -> Bool {
        guard routes?.isActive(route) == true else { return false }
        let root = rootNode
        guard let path = RoutePath(wholeRoute: route) else { return true }
        return wayAround(below: root)?.path.appending(path).isSame(as: root.routePath) == true
    }

    /// Goes to the route that a guard redirects to, if it names one.
    final func follow(_ refusal: Refusal, of path: RoutePath?) {
        let tree = tree
        guard tree.beginRedirect(by: refusal.node), let other = refusal.other else { return }
        let target = RoutePath(wholeRoute: other).flatMap { other in
            refusal.node.wayAround(below: rootNode)?.path.appending(other)
        }
        if tree.guards.areRedirecting {
            tree.links.parked?.target = target
        } else if refusal.parking != .never, let path, !tree.links.isForgotten {
            tree.links.parked = ParkedLink(
                path: path, keeper: refusal.node.reference, isUntilDismissed: refusal.parking == .untilDismissed,
                target: target, isGranted: refusal.isGranted)
        }
        let isOuter = !tree.guards.areRedirecting
        tree.guards.areRedirecting = true
        if !refusal.node.isSeen(at: other) { refusal.node.navigate(to: other) }
        if isOuter { tree.guards.areRedirecting = false }
    }

    /// Removes the top-most visible screen, because a guard refuses what is visible and names no other route. Call it on
    /// the root.
    private final func retreat(from refusal: Refusal) {
        guard tree.beginRedirect(by: refusal.node) else { return }
        for node in visibleChain.reversed() where node !== refusal.node {
            if node.presenterNode != nil {
                node.parentNode?.dismiss(node)
                return
            }
            guard let container = node.container else { continue }
            if container.kind == .navigation, container.children.count > 1 { return container.pop([node]) }
            if container.kind == .tabBar, let tab = container.tabToReturn(from: node) {
                return container.request(NavigationRequest(showing: tab) { container.layOut(from: 0, selecting: tab) })
            }
        }
        tree.report(.nothingLeft(guard: refusal.node.id))
    }

    /// Returns the tab that was visible before this turn, or else the first one that the guards grant; `nil` if they
    /// refuse all.
    private final func tabToReturn(from refused: CoordinatorNode) -> CoordinatorNode? {
        let others = children.filter { $0 !== refused }
        return others.first(where: \.isActive) ?? others.first { refusal(ofTab: $0) == nil }
    }

    /// Lets the guards decide on the visible route, on the parked link, and on hidden coordinators. Call it on the
    /// root.
    ///
    /// - Returns: Whether something changed: the app went to another route, or a hidden coordinator ended.
    final func followGuards() -> Bool {
        let way = way
        tree.guards.grants = []
        if let refusal = refusal(on: way, asking: way.indices) {
            guard refusal.other != nil else {
                retreat(from: refusal)
                return true
            }
            // The top-most screens may have been shown without a route; no link leads to them.
            follow(refusal, of: way[...(refusal.lastStep ?? way.count - 1)].path)
            return true
        }
        return openParkedLink() || endRefused(beside: way)
    }

    /// Opens the parked link if its guard now grants it, and drops it if it can no longer be opened.
    ///
    /// - Returns: Whether it was opened.
    private final func openParkedLink() -> Bool {
        let tree = tree
        guard let parked = tree.links.parked else { return false }
        guard let keeper = parked.keeper.node, keeper.isStarted, keeper.cachedTree === tree else {
            tree.links.parked = nil
            return false
        }
        guard parked.isGranted() else {
            if parked.isLeft(in: self) { tree.links.parked = nil }
            return false
        }
        tree.links.parked = nil
        guard !parked.path.isSame(as: routePath), let route = route(at: parked.path) else { return false }
        open(parked.path, route)
        return true
    }
}
