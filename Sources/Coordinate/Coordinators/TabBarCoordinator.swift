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
/// A tab is started when it is selected for the first time, and kept when another one is.
open class TabBarCoordinator<T: TabBarController>: ContainerCoordinator<T> {
    override var kind: CoordinatorKind { .tabBar }
    override var visibleIndex: Int? { children.isEmpty ? nil : rootViewController.selectedIndex }

    /// The coordinator of the selected tab.
    public var selectedCoordinator: (any Coordinating)? {
        visibleIndex.map { children[$0] }
    }

    /// Makes these coordinators the tabs, in this order, in place of those there are.
    ///
    /// Those that stay are kept as they are, and so is the selection where it stays; else the first tab is selected.
    public final func setCoordinators(_ coordinators: [any Coordinating]) {
        request(.tabs(coordinators.map(\.node)))
    }

    /// Called when a tab is tapped. Override it to do more than to select it, or not to select it.
    open func tabTapped(for coordinator: any Coordinating) {
        select(coordinator)
    }

    /// Selects a tab.
    ///
    /// A coordinator that is no tab fails the turn with ``Diagnostic/unknownTab(tabBar:coordinator:)``.
    public final func select(_ coordinator: any Coordinating) {
        request(.select(coordinator.node))
    }

    override func carryOut(_ request: NavigationRequest) {
        switch request {
        case .tabs(let tabs):
            setTabs(tabs)
        case .select(let tab):
            guard let index = children.firstIndex(where: { $0 === tab }) else {
                return tree.report(.unknownTab(tabBar: id, coordinator: tab.id))
            }
            tab.startIfNeeded()
            rootViewController.selectedIndex = index
        case .root(let tab, let completion):
            carryOut(.select(tab))
            completion?()
        default:
            super.carryOut(request)
        }
    }

    override func navigate(on event: NavigationEvents) -> Bool {
        if super.navigate(on: event) { return true }
        guard case .selectTab(let name) = event,
            let tab = children.first(where: { $0.nameInParent == name || $0.identifier == name })
        else { return false }
        tabTapped(for: tab)
        return true
    }

    override func remove(_ child: CoordinatorNode) {
        let rest = children.filter { $0 !== child }
        if rest.count < children.count { setTabs(rest) } else { super.remove(child) }
    }

    private func setTabs(_ tabs: [CoordinatorNode]) {
        let former = children
        let selected = visibleIndex.map { former[$0] }
        let attached = tabs.filter { attach($0) }
        children = attached
        rootViewController.viewControllers = attached.map(\.screen)
        rootViewController.selectedIndex = attached.firstIndex { $0 === selected } ?? 0
        for tab in former where !attached.contains(where: { $0 === tab }) { dispose(of: tab) }
    }
}
