/// A coordinator of a navigation stack. Its children are pushed on top of each other, and Back returns to the one
/// below.
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
/// A coordinator that leaves the stack is stopped. With ``HasRoutes``, each child keeps the route for which it was
/// shown.
open class NavigationCoordinator<T: NavigationController>: ContainerCoordinator<T>, StackCoordinating {
    override var kind: CoordinatorKind { .navigation }
    override var visibleIndex: Int? { children.isEmpty ? nil : children.count - 1 }

    /// The coordinator on top of the stack.
    public var topCoordinator: (any Coordinating)? { children.last }

    /// Replaces the whole stack with a coordinator, or pops to it if it is already at the bottom.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator for the bottom of the stack.
    ///   - animated: Has no effect. It exists for compatibility with UIKit.
    ///   - completion: Called exactly once, when the coordinator is shown, or the request is refused or replaced by a
    ///     later one.
    open override func root(_ coordinator: any Coordinating, animated: Bool = false, completion: (() -> Void)? = nil) {
        super.root(coordinator, animated: animated, completion: completion)
    }

    /// Pushes a coordinator, or pops to it if this instance is already on the stack.
    ///
    /// Another instance of a class that is already on the stack is a new screen.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator for the top of the stack.
    ///   - sender: Has no effect. It exists for compatibility with UIKit.
    open override func show(_ coordinator: any Coordinating, sender: Any? = nil) {
        push(coordinator.node)
    }

    /// Pops everything above a coordinator on the stack.
    ///
    /// If the coordinator is not on the stack, the turn fails with ``Diagnostic/notOnStack(navigation:coordinator:)``.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator for the top of the stack.
    ///   - animated: Has no effect. It exists for compatibility with UIKit.
    public final func popToCoordinator(_ coordinator: any Coordinating, animated: Bool = true) {
        pop(to: coordinator.node)
    }

    /// Pops everything above the bottom of the stack. An empty stack does not change.
    ///
    /// - Parameter animated: Has no effect. It exists for compatibility with UIKit.
    public final func popToRoot(animated: Bool = false) {
        if isNavigating {
            let leaving = { [self] in children.first.map { nodesLeft(downTo: $0) } ?? [] }
            request(NavigationRequest(leaving: leaving) { [self] in setChildren(keeping: min(1, children.count)) })
        } else if let bottom = children.first {
            pop(to: bottom)
        }
    }

    /// Called when a user's Back or pop to the root has uncovered a coordinator, before it is activated at the end of
    /// the turn. Not called if the app itself pops.
    ///
    /// - Parameter coordinator: The coordinator that is now on top; never `nil`.
    open func poppedBack(to coordinator: (any Coordinating)?) {}

    // MARK: The stack

    override func makeRoot(_ child: CoordinatorNode) {
        if prepare(child) { setChildren([child]) }
    }

    override func layOut(from index: Int, selecting selected: CoordinatorNode?) {
        rootViewController.viewControllers.replaceSubrange(index..., with: children[index...].map(\.screen))
    }

    /// Returns the route of the nearest entry, from this position down, that was shown for a route.
    override func routeOfChild(at index: Int) -> ShownRoute? {
        children[...index].last { $0.shown.route != nil }?.shown.route ?? routeState.base
    }

    private func pop(to child: CoordinatorNode) {
        request(
            NavigationRequest(showing: child, leaving: { [self] in nodesLeft(downTo: child) }) { [self] in
                if let index = children.position(of: child) {
                    setChildren(keeping: index + 1)
                } else {
                    tree.report(.notOnStack(navigation: id, coordinator: child.id))
                }
            })
    }

    // MARK: User navigation

    override func navigate(on event: NavigationEvents) -> Bool {
        if super.navigate(on: event) { return true }
        guard event == .back || event == .popToRoot, children.count > 1, !isCoveredByModal else { return false }
        let uncovered = children[event == .back ? children.count - 2 : 0]
        leave(nodesLeft(downTo: uncovered), on: event) {
            pop(to: uncovered)
            poppedBack(to: uncovered)
        }
        return true
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
