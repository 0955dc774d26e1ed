extension CoordinatorNode {
    /// A snapshot of the tree below this coordinator. Read it on the root.
    public final var navigationState: NavigationState { NavigationState(of: liveState) }

    /// The current state of the tree below this coordinator. Read it on the root.
    package final var liveState: LiveState {
        let chain = visibleChain
        let top = chain[(chain.lastIndex { $0.presenterNode != nil } ?? 0)...]
        let leaf = chain[chain.count - 1]
        let style: Screen.Style = leaf is AlertCoordinator ? .alert : top.startIndex > 0 ? .sheet : .page
        var breadcrumbs: [NavigationState.Breadcrumb] = []
        breadcrumbs.reserveCapacity(chain.count)
        var routes: LiveState.Routes = []
        routes.reserveCapacity(chain.count)
        _ = appendBreadcrumbs(to: &breadcrumbs, below: .empty, &routes)
        var diagnostics: [Diagnostic] = []
        let path = routePath(along: chain, routes)
        var tabs: [NavigationState.Tab] = []
        if let bar = top.lastIndex(where: { $0.kind == .tabBar }) {
            tabs = chain[bar].tabs(
                below: joined(routes[..<bar], along: chain[..<bar]), &routes, &diagnostics)
        }
        let visible = VisibleState(
            path: path.link,
            leaf: leaf.id,
            breadcrumbs: breadcrumbs,
            parked: tree.links.parked?.path.link,
            pending: tree.work.isEmpty ? [] : tree.work.pending,
            screen: leaf.canReadScreen
                ? Screen(of: leaf.screen, style: style, among: tree.events, &diagnostics)
                : Screen(
                    name: leaf.screen.name, title: nil, style: style, status: .ready, message: nil, sections: [],
                    rows: [], emptyText: nil, actions: [], content: .null),
            back: top.last { $0.kind == .navigation && $0.children.count > 1 }.map { navigation in
                let title = navigation.children[navigation.children.count - 2].displayTitle
                return Action(title: title, Self.back)
            },
            tabs: tabs,
            dismiss: top.startIndex > 0 && (leaf as? AlertCoordinator)?.hasChoices != true
                ? Action(title: "Close", Self.dismissal) : nil,
            diagnostics: diagnostics
        )
        return LiveState(visible: visible, root: LiveState.Node(self), routes: routes)
    }

    private static let back = Action.content(of: .back)
    private static let dismissal = Action.content(of: .dismiss)

    /// - Parameter routes: The routes of the chain, in its order, if there are no modals.
    private final func routePath(along chain: [CoordinatorNode], _ routes: LiveState.Routes) -> RoutePath {
        joined(routes[...], along: chain[...]) ?? way.path
    }

    /// The path along a part of the visible chain; `nil` if a modal is in it, so that the routes are not those of it.
    private final func joined(
        _ routes: LiveState.Routes.SubSequence, along chain: ArraySlice<CoordinatorNode>
    ) -> RoutePath? {
        if chain.contains(where: { $0.presentedNode != nil }) { return nil }
        var path = RoutePath.empty
        for known in routes { if let route = known.route { path.append(route) } }
        return path
    }

    private final var displayTitle: String {
        title ?? screen.name
    }

    final var title: String? {
        (canReadScreen ? screen.currentTitle : nil) ?? screen.tabBarItemIfLoaded?.title
    }

    /// Whether the screen's properties can be read. A screen that has not started may lack what they use.
    private final var canReadScreen: Bool { isStarted || screen.missing(in: self) == nil }

    /// - Parameters:
    ///   - path: The path to this tab bar; `nil` if its tabs have none.
    ///   - routes: The routes read so far. This method appends the ones it reads.
    private final func tabs(
        below path: RoutePath?, _ routes: inout LiveState.Routes, _ diagnostics: inout [Diagnostic]
    ) -> [NavigationState.Tab] {
        let selected = visibleIndex
        return children.enumerated().map { index, tab in
            let item = tab.screen.tabBarItemIfLoaded
            let title = item?.title.flatMap { $0.isEmpty ? nil : $0 } ?? tab.displayTitle
            let opens = path.flatMap { tab.path(asTabBelow: $0, isSelected: index == selected, &routes) }
            var image = item?.image
            if let file = image?.file, image?.isOfHost == false {
                diagnostics.append(.invalidAddress(file, screen: tab.screen.name, of: title))
                image = nil
            }
            return NavigationState.Tab(
                title: title, badge: item?.badgeValue, image: image, isSelected: index == selected,
                action: Action(title: title, tab.tap, opens: opens?.link))
        }
    }

    /// The path to this tab: to its first screen if it is selected, otherwise to the screen that it shows when it is;
    /// `nil` if it has none of its own.
    private final func path(
        asTabBelow parent: RoutePath, isSelected: Bool, _ routes: inout LiveState.Routes
    ) -> RoutePath? {
        guard let route = shown.route?.path else { return nil }
        var path = parent.appending(route)
        guard !isSelected, isStarted else { return path }
        let chain = visibleChain
        // The routes of modals do not continue the path to the tab.
        if chain.contains(where: { $0.presentedNode != nil }) { return nil }
        for node in chain {
            let route = node.activeRoutePath
            routes.append((ObjectIdentifier(node), route))
            if let route { path.append(route) }
        }
        return path
    }

    /// The content of a tap on this tab.
    private final var tap: Action.Content {
        hasNameOfClass ? metadata.tap : Action.content(of: .selectTab(nameInParent))
    }

    /// Adds the breadcrumbs of the visible coordinators from this one down.
    ///
    /// - Parameters:
    ///   - parent: The path to this coordinator while it is visible.
    ///   - routes: The routes read so far. This method appends the ones it reads.
    /// - Returns: The path of the last breadcrumb.
    private final func appendBreadcrumbs(
        to crumbs: inout [NavigationState.Breadcrumb], below parent: RoutePath, _ routes: inout LiveState.Routes
    ) -> RoutePath {
        let route = activeRoutePath
        routes.append((ObjectIdentifier(self), route))
        var path = parent.appending(saysOwnRoute ? route : routeBelowModals?.path)
        if let index = visibleIndex {
            if kind == .navigation { appendBreadcrumbs(to: &crumbs, covered: children[..<index], below: parent) }
            path = children[index].appendBreadcrumbs(to: &crumbs, below: path, &routes)
        } else {
            crumbs.append(.init(title: displayTitle, path: path.link))
        }
        guard let presentedNode else { return path }
        // A guard may have ended the screen below the modal.
        let screenBelow = visibleIndex.flatMap { children[$0].visibleChain.last } ?? self
        if !screenBelow.isStarted { crumbs.removeLast() }
        // A modal shown without a route has the path of the screen below it.
        let place = presentedNode.shown.route == nil ? path : presentedNode.wayHere.path
        return presentedNode.appendBreadcrumbs(to: &crumbs, below: place, &routes)
    }

    /// Adds the breadcrumbs of the covered entries of this stack. An entry shown without a route has that of the
    /// nearest entry below it.
    private final func appendBreadcrumbs(
        to crumbs: inout [NavigationState.Breadcrumb], covered entries: Slice<NodeList>, below parent: RoutePath
    ) {
        var route = routeState.base
        for entry in entries {
            route = entry.shown.route ?? route
            crumbs.append(.init(title: entry.displayTitle, path: parent.appending(route?.path).link))
        }
    }
}

extension CoordinatorNode {
    /// Returns the first of the library's guarantees that this tree violates between two turns, as a clause; `nil` if
    /// all hold. Call it on the root.
    ///
    /// - Parameter state: The snapshot of the tree.
    package final func brokenPromise(in state: NavigationState) -> String? {
        if path != state.path { return "the path is \(path), but \(state.path) in the snapshot" }
        if let last = state.breadcrumbs.last?.path, last != state.path {
            return "the last breadcrumb leads to \(last), but the path is \(state.path)"
        }
        let chain = visibleChain
        if let leaf = chain.last?.id, leaf != state.leaf {
            return "the leaf is \(leaf), but \(state.leaf) in the snapshot"
        }
        if let double = state.tree.firstDouble { return "two coordinators have the id \(double)" }
        if let idle = chain.first(where: { !$0.isStarted || !$0.isActive }) {
            return "\(idle.id) is visible but not \(idle.isStarted ? "active" : "started")"
        }
        let seen = Set(chain.map { ObjectIdentifier($0) })
        return firstActive(besides: seen).map { "\($0.id) is active but not visible" }
    }

    private final func firstActive(besides seen: Set<ObjectIdentifier>) -> CoordinatorNode? {
        if isActive, !seen.contains(ObjectIdentifier(self)) { return self }
        for node in ownedNodes {
            if let active = node.firstActive(besides: seen) { return active }
        }
        return nil
    }
}

extension NavigationState.Node {
    /// The first id that two nodes share; `nil` if all differ.
    fileprivate var firstDouble: String? {
        var seen: Set<String> = []
        return firstID { !seen.insert($0).inserted }
    }

    private func firstID(where isMeant: (String) -> Bool) -> String? {
        if isMeant(id) { return id }
        for node in children + presented {
            if let id = node.firstID(where: isMeant) { return id }
        }
        return nil
    }
}
