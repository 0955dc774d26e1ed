extension CoordinatorNode {
    /// The visible coordinators from this one down to the leaf. A modal comes before the visible child.
    final var visibleChain: [CoordinatorNode] {
        var chain: [CoordinatorNode] = []
        chain.reserveCapacity(8)
        chain.append(self)
        while let next = chain[chain.count - 1].visibleNext { chain.append(next) }
        return chain
    }

    /// The coordinator whose screen is visible. Read it on the root. A user's events begin at that screen:
    ///
    /// ```swift
    /// app.visibleLeaf.getRootViewController().emitEvent(AppEvents.Splash.didFinish)
    /// ```
    public final var visibleLeaf: any Coordinating {
        var node = self
        while let next = node.visibleNext { node = next }
        return node
    }

    /// The active routes from this coordinator down to the visible leaf: `/main/teams`. Read it on the root.
    public final var path: String { routePath.link }

    /// The active routes from this coordinator down to the visible leaf.
    final var routePath: RoutePath {
        var path = RoutePath.empty
        var node = self
        while true {
            guard node.presentedNode == nil else { return way.path }
            if let route = node.activeRoutePath { path.append(route) }
            guard let child = node.visibleIndex else { return path }
            node = node.children[child]
        }
    }

    /// The started coordinators on a screen, visible or not: this one and all below it.
    public final var startedCoordinators: [any Coordinating] {
        guard isStarted else { return [] }
        let below = presentedNode.map { children.nodes + [$0] } ?? children.nodes
        return [self] + below.flatMap(\.startedCoordinators)
    }

    private final var visibleNext: CoordinatorNode? {
        presentedNode ?? visibleIndex.map { children[$0] }
    }

    /// Returns the coordinator with an id, among this one and those on a screen below it; `nil` if there is none. It
    /// does not find coordinators that are retained off the screen.
    public final func coordinator(withID id: String) -> (any Coordinating)? {
        if self.id == id { return self }
        // If two have the same id, the first one is returned.
        if let index = cachedTree?.indexOfMany, index.doubles.isEmpty {
            return index[id].flatMap { $0.isOnScreen(below: self) ? $0 : nil }
        }
        for child in children {
            if let match = child.coordinator(withID: id) { return match }
        }
        return presentedNode?.coordinator(withID: id)
    }

    /// Returns whether this coordinator is `other`, or is on its screen at any depth, visible or not.
    private final func isOnScreen(below other: CoordinatorNode) -> Bool {
        var node = self
        while node !== other {
            if let presenter = node.presenterNode, presenter.presentedNode === node {
                node = presenter
            } else if let container = node.container, container.children.contains(node) {
                node = container
            } else {
                return false
            }
        }
        return true
    }

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
        _ = addBreadcrumbs(to: &breadcrumbs, below: .empty, &routes)
        var diagnostics: [Diagnostic] = []
        let visible = VisibleState(
            path: routePath(along: chain, routes).link,
            leaf: leaf.id,
            breadcrumbs: breadcrumbs,
            parked: tree.parked?.path.link,
            pending: tree.work.isEmpty ? [] : tree.work.pending,
            screen: leaf.canReadScreen
                ? Screen(of: leaf.screen, style: style, among: tree.events, &diagnostics)
                : Screen(
                    name: leaf.screen.name, title: nil, style: style, status: .ready, message: nil, rows: [],
                    actions: []),
            back: top.last { $0.kind == .navigation && $0.children.count > 1 }.map { navigation in
                let title = navigation.children[navigation.children.count - 2].displayTitle
                return Action(title: title, Self.back)
            },
            tabs: top.last { $0.kind == .tabBar }?.tabs ?? [],
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
        if chain.contains(where: { $0.presentedNode != nil }) { return way.path }
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

    private final var tabs: [NavigationState.Tab] {
        let selected = visibleIndex
        return children.enumerated().map { index, tab in
            let item = tab.screen.tabBarItemIfLoaded
            let title = item?.title ?? tab.displayTitle
            return NavigationState.Tab(
                title: title, badge: item?.badgeValue, isSelected: index == selected,
                action: Action(title: title, tab.tap))
        }
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
    private final func addBreadcrumbs(
        to crumbs: inout [NavigationState.Breadcrumb], below parent: RoutePath, _ routes: inout LiveState.Routes
    ) -> RoutePath {
        let route = activeRoutePath
        routes.append((ObjectIdentifier(self), route))
        var path = parent.appending(saysOwnRoute ? route : routeBelowModals?.path)
        if let index = visibleIndex {
            if kind == .navigation { addBreadcrumbs(to: &crumbs, covered: children[..<index], below: parent) }
            path = children[index].addBreadcrumbs(to: &crumbs, below: path, &routes)
        } else {
            crumbs.append(.init(title: displayTitle, path: path.link))
        }
        guard let presentedNode else { return path }
        // A guard may have ended the screen below the modal.
        let screenBelow = visibleIndex.flatMap { children[$0].visibleChain.last } ?? self
        if !screenBelow.isStarted { crumbs.removeLast() }
        // A modal shown without a route has the path of the screen below it.
        let place = presentedNode.shownRoute == nil ? path : presentedNode.wayHere.path
        return presentedNode.addBreadcrumbs(to: &crumbs, below: place, &routes)
    }

    /// Adds the breadcrumbs of the covered entries of this stack. An entry shown without a route has that of the
    /// nearest entry below it.
    private final func addBreadcrumbs(
        to crumbs: inout [NavigationState.Breadcrumb], covered entries: Slice<NodeList>, below parent: RoutePath
    ) {
        var route = routeState.base
        for entry in entries {
            route = entry.shownRoute ?? route
            crumbs.append(.init(title: entry.displayTitle, path: parent.appending(route?.path).link))
        }
    }

    /// The name of the coordinator whose section of a shared stack contains this one; `nil` if it is in no section.
    final var sectionName: String? {
        if section != nil { return nameInParent }
        guard let parentNode, parentNode.section != nil else { return nil }
        return parentNode.nameInParent
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
