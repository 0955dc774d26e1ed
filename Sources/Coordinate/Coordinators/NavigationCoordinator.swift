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
/// A coordinator that leaves the stack is stopped. With ``HasRoutes``, each child has the route that it was shown for.
open class NavigationCoordinator<T: NavigationController>: ContainerCoordinator<T>, StackCoordinating {
    override var kind: CoordinatorKind { .navigation }
    override var visibleIndex: Int? { children.isEmpty ? nil : children.count - 1 }

    /// The coordinator on top of the stack.
    public var topCoordinator: (any Coordinating)? { children.last }

    /// Makes a coordinator the only one of the stack; where it is at the bottom already, pops to it.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator to be at the bottom.
    ///   - animated: Accepted for the sake of UIKit; it has no meaning here.
    ///   - completion: Called exactly once: when the coordinator is shown, or the request was refused or replaced by a
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
        push(coordinator.node)
    }

    /// Pops all that is above a coordinator of the stack.
    ///
    /// A coordinator that is not on the stack fails the turn with ``Diagnostic/notOnStack(navigation:coordinator:)``.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator to be on top.
    ///   - animated: Accepted for the sake of UIKit; it has no meaning here.
    public final func popToCoordinator(_ coordinator: any Coordinating, animated: Bool) {
        pop(to: coordinator.node)
    }

    /// Pops all that is above the bottom of the stack; an empty stack stays as it is.
    ///
    /// - Parameter animated: Accepted for the sake of UIKit; it has no meaning here.
    public final func popToRoot(animated: Bool = false) {
        if let bottom = children.first { pop(to: bottom) }
    }

    /// Called when a user's Back, or pop to the root, has uncovered a coordinator, which is activated at the end of the
    /// turn. Not called where the app itself pops.
    ///
    /// - Parameter coordinator: The coordinator that is on top now; never `nil`.
    open func poppedBack(to coordinator: (any Coordinating)?) {}

    // MARK: The stack

    override func makeRoot(_ child: CoordinatorNode) {
        if prepare(child) { setChildren([child]) }
    }

    override func layOut(from index: Int, selecting selected: CoordinatorNode?) {
        rootViewController.viewControllers.replaceSubrange(index..., with: children[index...].map(\.screen))
    }

    /// The route of the nearest entry, from this position down, that was shown for one.
    override func routeOfChild(at index: Int) -> ShownRoute? {
        children[...index].last { $0.shownRoute != nil }?.shownRoute ?? routeBook.base
    }

    private func pop(to child: CoordinatorNode) {
        request(
            NavigationRequest(showing: child) { [self] in
                if let index = children.position(of: child) {
                    setChildren(keeping: index + 1)
                } else {
                    tree.report(.notOnStack(navigation: id, coordinator: child.id))
                }
            })
    }

    // MARK: A user's hand

    override func navigate(on event: NavigationEvents) -> Bool {
        if super.navigate(on: event) { return true }
        guard event == .back || event == .popToRoot, children.count > 1, !isCoveredByModal else { return false }
        let target = event == .back ? children.count - 2 : 0
        leave(nodesLeft(downTo: target), on: event) {
            let uncovered = children[target]
            pop(to: uncovered)
            poppedBack(to: uncovered)
        }
        return true
    }

    /// The coordinators that are left when all above a position is popped, the top-most last: also those whose section
    /// has its last entry there.
    private func nodesLeft(downTo target: Int) -> [CoordinatorNode] {
        let popped = children[(target + 1)...]
        let owners = popped.compactMap(\.parentNode).filter { owner in
            owner !== self && !children.contains(owner)
                && !children[...target].reversed().contains { $0.parentNode === owner }
        }
        return (owners + popped).flatMap(\.withAllBelow)
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
