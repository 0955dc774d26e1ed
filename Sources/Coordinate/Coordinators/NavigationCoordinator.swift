/// A coordinator of a navigation stack: children are pushed on top of each other, and Back returns to the one below.
///
/// ```swift
/// final class TeamsCoordinator: NavigationCoordinator<NavigationController> {
///     override func start(with completion: @escaping () -> Void = {}) {
///         super.start(with: completion)
///         root(TeamsListCoordinator())
///     }
/// }
/// ```
///
/// What leaves the stack is stopped. With ``HasRoutes``, each child remembers the route it was shown for, and Back
/// restores it.
open class NavigationCoordinator<T: NavigationController>: ContainerCoordinator<T> {
    /// The routes that were active when the children, all but the top one, were covered.
    private var coveredRoutes: [Any?] = []

    override var kind: CoordinatorKind { .navigation }
    override var visibleIndex: Int? { children.isEmpty ? nil : children.count - 1 }

    /// The coordinator on top of the stack.
    public var topCoordinator: (any Coordinating)? { children.last }

    /// Makes a coordinator the only one of the stack; where it is the lowest already, pops to it.
    open override func root(_ coordinator: any Coordinating, animated: Bool = false, completion: (() -> Void)? = nil) {
        super.root(coordinator, animated: animated, completion: completion)
    }

    /// Pushes a coordinator; where this very one is on the stack already, pops to it.
    open override func show(_ coordinator: any Coordinating, sender: Any?) {
        request(.show(coordinator.node))
    }

    /// Pops all that is above a coordinator of the stack.
    ///
    /// A coordinator that is not on the stack fails the turn with ``Diagnostic/notOnStack(navigation:coordinator:)``.
    public final func popToCoordinator(_ coordinator: any Coordinating, animated: Bool) {
        request(.popTo(coordinator.node))
    }

    /// Called when Back, or a pop to the root, has uncovered a coordinator. It will be activated at the end of the turn.
    open func poppedBack(to coordinator: (any Coordinating)?) {}

    override func carryOut(_ request: NavigationRequest) {
        switch request {
        case .root(let child, let completion):
            if prepare(child) {
                if children.first === child {
                    pop(toIndex: 0)
                } else {
                    replaceStack(with: child)
                }
            }
            completion?()
        case .show(let child):
            guard prepare(child) else { return }
            if let index = children.firstIndex(where: { $0 === child }) {
                pop(toIndex: index)
            } else {
                push(child)
            }
        case .popTo(let child):
            guard let index = children.firstIndex(where: { $0 === child }) else {
                return tree.report(.notOnStack(navigation: id, coordinator: child.id))
            }
            pop(toIndex: index)
        default:
            super.carryOut(request)
        }
    }

    override func navigate(on event: NavigationEvents) -> Bool {
        if super.navigate(on: event) { return true }
        guard event == .back || event == .popToRoot, children.count > 1, !isCoveredByModal else { return false }
        let target = event == .back ? children[children.count - 2] : children[0]
        request(.popTo(target))
        poppedBack(to: target)
        return true
    }

    override func takeOff(_ child: CoordinatorNode) {
        let index = children.firstIndex { $0 === child }
        super.takeOff(child)
        guard let index else { return }
        updateScreens()
        if index == children.count {
            restoreRoute()
        } else {
            coveredRoutes.remove(at: index)
        }
    }

    override func emptied() {
        coveredRoutes = []
        updateScreens()
    }

    // MARK: The stack

    override func routeOfChild(at index: Int) -> RoutePath? {
        index < coveredRoutes.count ? RoutePath(route: coveredRoutes[index]) : activeRoutePath
    }

    private func push(_ child: CoordinatorNode) {
        if !children.isEmpty { coveredRoutes.append((self as? any HasRoutes)?.activeRoute) }
        children.append(child)
        updateScreens()
    }

    private func pop(toIndex index: Int) {
        let popped = children[(index + 1)...]
        guard !popped.isEmpty else { return }
        children.removeSubrange((index + 1)...)
        coveredRoutes.removeSubrange((index + 1)...)
        restoreRoute()
        updateScreens()
        for former in popped.reversed() { dispose(of: former) }
    }

    private func replaceStack(with child: CoordinatorNode) {
        let replaced = children.filter { $0 !== child }
        children = [child]
        coveredRoutes = []
        updateScreens()
        for former in replaced.reversed() { dispose(of: former) }
    }

    private func restoreRoute() {
        guard let route = coveredRoutes.popLast() else { return }
        (self as? any HasRoutes)?.restore(route)
    }

    private func updateScreens() {
        rootViewController.viewControllers = children.map(\.screen)
    }

    private var isCoveredByModal: Bool {
        visibleChain.contains { $0.presentedNode != nil }
    }
}
