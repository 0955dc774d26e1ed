/// A coordinator of a tab bar. Its children are side by side, and one of them is selected.
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
/// A tab is started when it is first selected, and kept when another one is selected. Calling
/// ``ContainerCoordinator/root(_:animated:completion:)`` with a tab selects it.
open class TabBarCoordinator<T: TabBarController>: ContainerCoordinator<T>, TabBarCoordinating {
    override var kind: CoordinatorKind { .tabBar }
    override var visibleIndex: Int? { children.isEmpty ? nil : rootViewController.selectedIndex }

    /// The coordinator of the selected tab.
    public var selectedCoordinator: (any Coordinating)? {
        visibleChild
    }

    /// Replaces the tabs.
    ///
    /// Tabs that stay keep their state. If the selected tab stays, it stays selected; otherwise the first tab is
    /// selected.
    public final func setCoordinators(_ coordinators: [any Coordinating]) {
        let tabs = coordinators.map(\.node)
        let routes = tabs.map { $0.takeTerms()?.route }
        request(
            NavigationRequest(leaving: { [self] in nodesLeft(byTabs: tabs) }) { [self] in
                setTabs(tabs)
                for (tab, route) in zip(tabs, routes) where route != nil && isShowing(tab) { tab.shown.route = route }
            })
    }

    /// Called when a user taps a tab, even the selected one: for each ``NavigationEvents/selectTab(_:)`` that no
    /// coordinator intercepts. Override it to change what a tap does.
    ///
    /// If the tap would remove a coordinator that asks first, or if a guard refuses the tab, the first request that would
    /// do so does not happen, and neither do later ones. After the user's answer, this is called again.
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
    /// If the coordinator is not a tab, the turn fails with ``Diagnostic/unknownTab(tabBar:coordinator:)``.
    public final func select(_ coordinator: any Coordinating) {
        let tab = coordinator.node
        request(
            NavigationRequest(showing: tab, leaving: { [self] in nodesLeft(byRoot: tab) }) { [self] in makeRoot(tab) })
    }

    override func navigate(on event: NavigationEvents) -> Bool {
        if super.navigate(on: event) { return true }
        guard case .selectTab(let name) = event,
            let tab = children.first(where: { $0.nameInParent == name })
                ?? children.first(where: { $0.identifier == name })
        else { return false }
        let isRefused = tab !== selectedCoordinator && refusal(ofTab: tab) != nil
        leave(isRefused ? [] : nodesLeft(byRoot: tab), on: event) { tap(on: event) { tabTapped(for: tab) } }
        return true
    }

    // MARK: The tabs

    override var startsChildren: Bool { false }

    /// Returns the visible coordinators of the selected tab, unless it is the one to select.
    override func nodesLeft(byRoot tab: CoordinatorNode) -> [CoordinatorNode] {
        guard let selected = visibleChild, selected !== tab else { return [] }
        return Array(rootNode.visibleChain.drop { $0 !== selected })
    }

    private func nodesLeft(byTabs tabs: [CoordinatorNode]) -> [CoordinatorNode] {
        children.filter { child in !tabs.contains { $0 === child } }.flatMap(\.withAllBelow)
    }

    override func makeRoot(_ tab: CoordinatorNode) {
        guard children.contains(tab) else {
            return tree.report(.unknownTab(tabBar: id, coordinator: tab.id))
        }
        if isStarted, !tab.isStarted {
            arrivingNode = tab
            tab.startIfNeeded()
            arrivingNode = nil
        }
        if routeState.subject !== tab.reference { sampleRoute() }
        layOut(from: 0, selecting: tab)
    }

    override func hides(_ child: CoordinatorNode) -> Bool {
        visibleChild !== child && children.contains(child)
    }

    /// Selects the tab if it is one of the children, otherwise the first one.
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
            // Added to the children immediately, so that the next tab gets a different id.
            if !children.contains(tab) { changeChildren { $0.append(tab) } }
        }
        setChildren(attached)
    }
}
