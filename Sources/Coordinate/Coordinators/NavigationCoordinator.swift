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
    override var kind: CoordinatorKind { .navigation }
    override var visibleIndex: Int? { children.isEmpty ? nil : children.count - 1 }

    /// The coordinator on top of the stack.
    public var topCoordinator: (any Coordinating)? { children.last }

    /// Makes a coordinator the only one of the stack; where it is the lowest already, pops to it.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator to be at the bottom.
    ///   - animated: Accepted for the sake of UIKit; it has no meaning here.
    ///   - completion: Called exactly once: when the coordinator is shown, or the request was refused or overtaken by a
    ///     later one.
    open override func root(_ coordinator: any Coordinating, animated: Bool = false, completion: (() -> Void)? = nil) {
        super.root(coordinator, animated: animated, completion: completion)
    }

    /// Pushes a coordinator; where this very one is on the stack already, pops to it.
    ///
    /// Another instance of a class that is on the stack already is another screen.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator to be on top.
    ///   - sender: Accepted for the sake of UIKit; it has no meaning here.
    open override func show(_ coordinator: any Coordinating, sender: Any?) {
        request(.show(coordinator.node))
    }

    /// Pops all that is above a coordinator of the stack.
    ///
    /// A coordinator that is not on the stack fails the turn with ``Diagnostic/notOnStack(navigation:coordinator:)``.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator to be on top.
    ///   - animated: Accepted for the sake of UIKit; it has no meaning here.
    public final func popToCoordinator(_ coordinator: any Coordinating, animated: Bool) {
        request(.popTo(coordinator.node))
    }

    /// Called when a user's Back, or pop to the root, has uncovered a coordinator. It will be activated at the end of
    /// the turn. What the app pops itself is not told here.
    ///
    /// - Parameter coordinator: The one on top now; never nil.
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
        case .pushInSection(let child, let owner):
            guard owner.section?.stack === self else { return }
            if let index = children.firstIndex(where: { $0 === child && $0.parentNode === owner }) {
                pop(toIndex: index)
            } else {
                if child.parentNode === owner { owner.takeOff(child) }
                if owner.prepare(child) { push(child) }
            }
        case .removeEntries(let entries):
            removeFromStack(entries)
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
            child.formerRoute?.restore(in: self)
        } else {
            children[index].formerRoute = index == 0 ? nil : child.formerRoute
        }
        child.formerRoute = nil
    }

    override func emptied() {
        updateScreens()
    }

    // MARK: The stack

    override func routeOfChild(at index: Int) -> RoutePath? {
        index + 1 < children.count ? children[index + 1].formerRoute?.path : activeRoutePath
    }

    private func push(_ child: CoordinatorNode) {
        child.formerRoute = children.isEmpty ? nil : FormerRoute(of: self)
        children.append(child)
        updateScreens()
    }

    private func pop(toIndex index: Int) {
        let popped = children[(index + 1)...]
        guard let lowest = popped.first else { return }
        children.removeSubrange((index + 1)...)
        lowest.formerRoute?.restore(in: self)
        updateScreens()
        end(popped)
    }

    private func replaceStack(with child: CoordinatorNode) {
        let replaced = children.filter { $0 !== child }
        children = [child]
        child.formerRoute = nil
        updateScreens()
        end(replaced[...])
    }

    private func removeFromStack(_ entries: [CoordinatorNode]) {
        let removed = children.filter { child in entries.contains { $0 === child } }
        for entry in removed.reversed() { takeOff(entry) }
        end(removed[...])
    }

    /// Ends what left the stack, the top-most first, and then each coordinator that has nothing left on it.
    private func end(_ entries: ArraySlice<CoordinatorNode>) {
        let owners = entries.compactMap(\.parentNode).filter { $0 !== self }
        for entry in entries.reversed() {
            entry.formerRoute = nil
            dispose(of: entry)
        }
        for owner in owners where owner.isStarted && owner.section?.isEmpty == true {
            owner.stop(with: {})
        }
    }

    private func updateScreens() {
        rootViewController.viewControllers = children.map(\.screen)
    }

    private var isCoveredByModal: Bool {
        if visibleChain.contains(where: { $0.presentedNode != nil }) { return true }
        var node: CoordinatorNode = self
        while let around = node.surroundingNode {
            if let modal = around.presentedNode, modal !== node { return true }
            node = around
        }
        return false
    }
}
