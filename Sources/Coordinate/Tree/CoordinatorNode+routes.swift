extension CoordinatorNode {
    /// The active route as a path; `nil` if there is no route, the app has not set one, or its path is empty. A route
    /// that is missing from the declaration has no path, and fails the turn.
    final var activeRoutePath: RoutePath? {
        guard let routes else { return nil }
        if routeState.isUnknown, let known = routeState.known, routes.isActive(known.route) { return nil }
        guard let path = routes.activeRoutePath else {
            if metadata.declaresRoutes {
                // The values of the route may be confidential, so they are omitted.
                tree.report(.undeclaredRoute(String("\(routes.route)".prefix { $0 != "(" }), of: id))
            }
            return nil
        }
        return path.isEmpty ? nil : path
    }

    /// The route of the top-most coordinator here that was shown for a route; `nil` if none was.
    final var topRoute: ShownRoute? {
        modals.last { $0.shown.route != nil && !isHidden($0) }?.shown.route ?? routeBelowModals
    }

    /// Returns whether a modal of this coordinator is on top of a covered coordinator, or off the screen.
    private final func isHidden(_ modal: CoordinatorNode) -> Bool {
        var node = modal
        var isHidden = false
        while node !== self {
            guard let around = node.presenterNode ?? node.container else { return node.parentNode != nil }
            if node.presenterNode == nil {
                isHidden = isHidden || around.visibleChild !== node || around.presentedNode?.hidesRouteBelow == true
            }
            node = around
        }
        return isHidden
    }

    /// Whether this modal, or one on top of it, was shown for a route of a coordinator outside of this modal. A modal
    /// without a route has the path of the screen below it.
    private final var hidesRouteBelow: Bool {
        visibleChain.contains { modal in
            guard modal.presenterNode != nil, modal.shown.route != nil, let owner = modal.parentNode else {
                return false
            }
            return !sequence(first: owner, next: \.surroundingNode).contains { $0 === self }
        }
    }

    /// The active route as a path, without the modals of this coordinator.
    final var routePathBelowModals: RoutePath? {
        saysOwnRoute ? activeRoutePath : routeBelowModals?.path
    }

    /// Whether the active route belongs to the screen below the modals of this coordinator.
    final var saysOwnRoute: Bool {
        routeState.led == nil && !modals.contains { $0.shown.route != nil }
    }

    /// The route of the top-most coordinator here, without the modals of this coordinator.
    final var routeBelowModals: ShownRoute? {
        if let route = lastGuest(where: { $0.shown.sectionRoute != nil })?.shown.sectionRoute { return route }
        guard let visibleIndex else { return routeState.base }
        return routeOfChild(at: visibleIndex)
    }

    /// Reads the active route, which the app may have set, and assigns it to a coordinator on the screen.
    ///
    /// - Parameter isSettling: Whether the app's code of this turn has run. A route that it left unchanged then belongs
    ///   to what it shows.
    final func sampleRoute(isSettling: Bool = false) {
        if let routes { sample(routes, isSettling: isSettling) }
    }

    private final func sample(_ routes: any HasRoutes, isSettling: Bool) {
        guard let known = routeState.known else {
            let base = ShownRoute(routes.route)
            routeState.base = base
            routeState.known = base
            return
        }
        let top = topRoute
        let isChanged = !routes.isActive(known.route)
        // A newly set route belongs to the coordinator that the app requested, even if it equals the route on the
        // screen.
        let isAboutTop = !isChanged || (routeState.led == nil && routeState.subject == nil)
        if isAboutTop, let top, top === known ? !isChanged : routes.isActive(top.route) {
            routeState.known = top
            routeState.isUnknown = false
            return
        }
        if isSettling, !isChanged, !known.isTaken, let top, top === routeState.base {
            // No coordinator was shown for the initial route, so it is this coordinator's own.
            routeState.base = known
            return
        }
        let subject = routeState.subject
        guard isChanged || (top == nil && (isSettling || subject != nil)) else { return }
        if !isChanged, routeState.led != nil || belongsToOtherTab(known) { return }
        let route = isChanged ? ShownRoute(routes.route) : known
        routeState.known = route
        routeState.isUnknown = false
        assign(route, to: subject)
    }

    /// Records that this coordinator begins with a different route from its default.
    final func recordFirstRoute(before base: ShownRoute, _ route: ShownRoute) {
        if routeState.base == nil { routeState.base = base }
        routeState.known = route
    }

    /// Sets `activeRoute` to the route of what is on the screen.
    ///
    /// - Parameter isSettling: Whether the app's code of this turn has run. Until then, a route that leads to the
    ///   visible screen stays.
    final func agreeRoute(isSettling: Bool = false) {
        if let routes { agree(routes, isSettling: isSettling) }
    }

    private final func agree(_ routes: any HasRoutes, isSettling: Bool = false) {
        let top = topRoute
        if !isSettling, let led = routeState.led, led === top { return }
        routeState.led = nil
        guard let top else {
            routeState.isUnknown = routeState.known.map(belongsToOtherTab) ?? false
            return
        }
        routeState.isUnknown = false
        if !routes.isActive(top.route) { routes.restore(top.route) }
        routeState.known = top
    }

    /// Sets `activeRoute` to a route that leads to the visible screen, if that is not the top-most one here.
    final func agreeRoute(with shown: ShownRoute) {
        let top = topRoute
        guard let routes, let top, top !== shown else { return agreeRoute(isSettling: true) }
        routeState.isUnknown = false
        routeState.led = top
        if !routes.isActive(shown.route) { routes.restore(shown.route) }
        routeState.known = shown
    }

    /// Settles the route of a coordinator that showed another one during the turn.
    final func settleRoute() {
        routeState.isRecorded = false
        guard let routes else { return }
        sample(routes, isSettling: true)
        routeState.subject = nil
        if routeState.known !== topRoute { agree(routes) }
    }

    /// Forgets all routes, because the coordinator has ended and may start again elsewhere.
    final func forgetRoutes() {
        let isRecorded = routeState.isRecorded
        routeState = RouteState()
        routeState.isRecorded = isRecorded
    }

    /// Records the coordinator that is about to be shown. A route that the app sets now belongs to it.
    final func recordSubject(_ subject: CoordinatorNode?) {
        guard metadata.hasRoutes else { return }
        routeState.subject = subject?.reference
        guard !routeState.isRecorded else { return }
        routeState.isRecorded = true
        tree.routed.append(self)
    }

    /// Assigns a route to a coordinator that is on the screen, or about to be. Without a subject, assigns it to the
    /// top-most one. If the subject no longer exists, nothing happens.
    private final func assign(_ route: ShownRoute, to subject: CoordinatorReference?) {
        guard let subject else {
            if let top = modals.last ?? lastGuest() ?? visibleChild {
                setRoute(route, of: top)
            } else {
                routeState.base = route
            }
            return
        }
        guard let node = subject.node else { return }
        if isShowing(node) {
            setRoute(route, of: node)
        } else {
            tree.requests.setRoute(route, of: node, in: self)
        }
    }

    final func setRoute(_ route: ShownRoute, of entry: CoordinatorNode) {
        route.isTaken = true
        if hasGuest(entry) {
            entry.shown.sectionRoute = route
        } else {
            entry.shown.route = route
        }
    }

    /// Returns whether a route belongs, or belonged, to another tab, so that it cannot belong to the visible tab, which
    /// has no route.
    private final func belongsToOtherTab(_ route: ShownRoute) -> Bool {
        kind == .tabBar && visibleIndex != nil && route.isTaken
    }
}
