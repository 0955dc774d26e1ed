extension CoordinatorNode {
    /// The active route as a path; nil where there is none, nobody has said it, or it has no parts.
    final var activeRoutePath: RoutePath? {
        guard let routes else { return nil }
        if routeBook.isUnknown, let known = routeBook.known, routes.isActive(known.route) { return nil }
        return routes.activeRoutePath.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The route of what is on the screen here: that of the top-most thing that was shown for one; nil where nothing was.
    final var topRoute: ShownRoute? {
        modals.last { $0.shownRoute != nil }?.shownRoute ?? routeBelowModals
    }

    /// The active route as a path, as it is without the modals of this coordinator.
    final var routePathBelowModals: RoutePath? {
        guard modals.contains(where: { $0.shownRoute != nil }) else { return activeRoutePath }
        return routeBelowModals?.path
    }

    /// The same, without the modals of this coordinator.
    final var routeBelowModals: ShownRoute? {
        if let route = section?.guests.last(where: { $0.sectionRoute != nil })?.sectionRoute { return route }
        guard let visibleIndex else { return routeBook.base }
        return routeOfChild(at: visibleIndex)
    }

    /// Takes up what the app has set itself.
    ///
    /// - Parameter isSettling: Whether the app is done: what it left as it was is then the route of what it shows.
    final func sampleRoute(isSettling: Bool = false) {
        if let routes { sample(routes, isSettling: isSettling) }
    }

    private final func sample(_ routes: any HasRoutes, isSettling: Bool) {
        guard let known = routeBook.known else {
            let base = ShownRoute(routes.route)
            routeBook.base = base
            routeBook.known = base
            return
        }
        let top = topRoute
        if let top, routes.isActive(top.route) {
            routeBook.known = top
            routeBook.isUnknown = false
            return
        }
        let isChanged = !routes.isActive(known.route)
        let subject = routeBook.subject?.node
        guard isChanged || (top == nil && (isSettling || subject != nil)) else { return }
        if !isChanged, isKnownElsewhere(known) { return }
        let route = isChanged ? ShownRoute(routes.route) : known
        routeBook.known = route
        routeBook.isUnknown = false
        assign(route, to: subject)
    }

    /// Notes that this coordinator is to begin with another route than it would by itself.
    final func noteWish(before base: ShownRoute, _ wish: ShownRoute) {
        if routeBook.base == nil { routeBook.base = base }
        routeBook.known = wish
    }

    /// Makes `activeRoute` say what is on the screen.
    final func agreeRoute() {
        if let routes { agree(routes) }
    }

    private final func agree(_ routes: any HasRoutes) {
        guard let top = topRoute else {
            routeBook.isUnknown = routeBook.known.map(isKnownElsewhere) ?? false
            return
        }
        routeBook.isUnknown = false
        if !routes.isActive(top.route) { routes.restore(top.route) }
        routeBook.known = top
    }

    /// Looks once more at a coordinator that something was shown in during the turn.
    final func settleRoute() {
        routeBook.isNoted = false
        guard let routes else { return }
        sample(routes, isSettling: true)
        routeBook.subject = nil
        if routeBook.known !== topRoute { agree(routes) }
    }

    /// Forgets all of it: the coordinator has ended, and may start again somewhere else.
    final func forgetRoutes() {
        let isNoted = routeBook.isNoted
        routeBook = RouteBook()
        routeBook.isNoted = isNoted
    }

    /// Notes what is about to be shown, in place of what was.
    final func noteSubject(_ subject: CoordinatorNode?) {
        guard facts.hasRoutes else { return }
        routeBook.subject = subject?.anchor
        guard !routeBook.isNoted else { return }
        routeBook.isNoted = true
        tree.noteRoute(of: self)
    }

    /// Makes a route that of something on the screen, or about to be; of whatever is top-most where nothing is named.
    private final func assign(_ route: ShownRoute, to subject: CoordinatorNode?) {
        guard let subject else {
            if let top = modals.last ?? section?.guests.last ?? visibleIndex.map({ children[$0] }) {
                setRoute(route, of: top)
            } else {
                routeBook.base = route
            }
            return
        }
        if isShowing(subject) {
            setRoute(route, of: subject)
        } else {
            tree.setRoute(route, ofWaiting: subject, in: self)
        }
    }

    final func setRoute(_ route: ShownRoute, of entry: CoordinatorNode) {
        if entry.parentNode === self, section?.guests.contains(where: { $0 === entry }) == true {
            entry.sectionRoute = route
        } else {
            entry.shownRoute = route
        }
    }

    /// Whether a route belongs to another one of the children side by side, so that it cannot be that of the visible one.
    private final func isKnownElsewhere(_ route: ShownRoute) -> Bool {
        guard let visibleIndex, children.count > 1, kind == .tabBar, modals.isEmpty else { return false }
        return children.indices.contains { $0 != visibleIndex && children[$0].shownRoute === route }
    }
}
