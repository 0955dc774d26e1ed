/// A coordinator of a tab bar: its children side by side, one of them selected.
///
/// ```swift
/// final class MainCoordinator: TabBarCoordinator<TabBarController> {
///     override func start(with completion: @escaping () -> Void = {}) {
///         super.start(with: completion)
///         setCoordinators([TeamsCoordinator(), DriversCoordinator(), ProfileCoordinator()])
///     }
/// }
/// ```
///
/// A tab is started when it is selected for the first time, and kept when another one is selected. Showing a tab as the
/// root, with ``ContainerCoordinator/root(_:animated:completion:)``, selects it.
open class TabBarCoordinator<T: TabBarController>: ContainerCoordinator<T>, TabBarCoordinating {
    override var kind: CoordinatorKind { .tabBar }
    override var visibleIndex: Int? { children.isEmpty ? nil : rootViewController.selectedIndex }

    /// The coordinator of the selected tab.
    public var selectedCoordinator: (any Coordinating)? {
        visibleIndex.map { children[$0] }
    }

    /// Sets the tabs, in this order, in place of the present ones.
    ///
    /// Tabs that stay are kept as they are, and so is the selection where it stays; else the first tab is selected.
    public final func setCoordinators(_ coordinators: [any Coordinating]) {
        let tabs = coordinators.map(\.node)
        let routes = tabs.map { $0.takeTerms()?.route }
        request(
            NavigationRequest { [self] in
                setTabs(tabs)
                for (tab, route) in zip(tabs, routes) where route != nil && isShowing(tab) { tab.shownRoute = route }
            })
    }

    /// Called when a tab is tapped, the selected one included: on ``NavigationEvents/selectTab(_:)``, where no
    /// coordinator intercepts it. Override it to do more than selecting the tab, or something else.
    ///
    /// ```swift
    /// override func tabTapped(for coordinator: any Coordinating) {
    ///     if coordinator is TeamsCoordinator { goTo(.teams) } else { goTo(.profile) }
    /// }
    /// ```
    open func tabTapped(for coordinator: any Coordinating) {
        select(coordinator)
    }

    /// Selects a tab.
    ///
    /// A coordinator that is not a tab fails the turn with ``Diagnostic/unknownTab(tabBar:coordinator:)``.
    public final func select(_ coordinator: any Coordinating) {
        let tab = coordinator.node
        request(NavigationRequest(showing: tab) { [self] in makeRoot(tab) })
    }

    override func navigate(on event: NavigationEvents) -> Bool {
        if super.navigate(on: event) { return true }
        guard case .selectTab(let name) = event,
            let tab = children.first(where: { $0.nameInParent == name })
                ?? children.first(where: { $0.identifier == name })
        else { return false }
        let selected = visibleIndex.map { children[$0] }
        leave(rootNode.visibleChain.drop { $0 !== selected }.map(\.self), on: event) { tabTapped(for: tab) }
        return true
    }

    // MARK: The tabs

    override var startsChildren: Bool { false }

    override func makeRoot(_ tab: CoordinatorNode) {
        guard children.contains(tab) else {
            return tree.report(.unknownTab(tabBar: id, coordinator: tab.id))
        }
        if isStarted { tab.startIfNeeded() }
        if routeState.subject !== tab.reference { sampleRoute() }
        layOut(from: 0, selecting: tab)
    }

    override func hides(_ child: CoordinatorNode) -> Bool {
        guard let visibleIndex else { return false }
        return children[visibleIndex] !== child && children.contains(child)
    }

    /// Selects the tab where it is one of the children, else the first.
    override func layOut(from index: Int, selecting tab: CoordinatorNode?) {
        let index = tab.flatMap { children.position(of: $0) } ?? 0
        if index != rootViewController.selectedIndex { tree.needsSettling = true }
        rootViewController.selectedIndex = index
        rootViewController.viewControllers = children.isEmpty ? nil : children.map(\.screen)
    }

    private func setTabs(_ tabs: [CoordinatorNode]) {
        var attached: [CoordinatorNode] = []
        for tab in tabs where !attached.contains(where: { $0 === tab }) && attach(tab) {
            attached.append(tab)
            // Among the children at once: the next one's id has to differ from this one's.
            if !children.contains(tab) { changeChildren { $0.append(tab) } }
        }
        setChildren(attached)
    }
}
