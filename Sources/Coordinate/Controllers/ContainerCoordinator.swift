/// A coordinator that shows one other coordinator at a time, to switch between parts of an app.
///
/// ```swift
/// final class AppCoordinator: ContainerCoordinator<AppViewController> {
///     override func start(with completion: @escaping () -> Void = {}) {
///         super.start(with: completion)
///         root(SplashCoordinator())
///     }
/// }
/// ```
///
/// A coordinator that is replaced is stopped. A change requested during another change waits for it. If several wait,
/// the last one wins.
open class ContainerCoordinator<T: ViewController>: Coordinator<T>, ContainerCoordinating {
    override var kind: CoordinatorKind { .container }
    override var visibleIndex: Int? { children.isEmpty ? nil : 0 }

    /// The screen of the coordinator that is shown here.
    public var currentViewController: ViewController? {
        visibleChild?.screen
    }

    /// The child through which the current event bubbled up; `nil` if it was emitted here, or no event is being
    /// intercepted.
    ///
    /// For example, a tab bar uses it to show details in the tab that emitted the event.
    public final var emittingChild: (any Coordinating)? {
        guard let visitor = tree.visitor, visitor.parentNode === self else { return nil }
        return visitor
    }

    /// Returns the newest child of a class, started or not; `nil` if there is none.
    ///
    /// ```swift
    /// root(getCached(SplashCoordinator.self) ?? SplashCoordinator())
    /// ```
    ///
    /// It searches the children on its screen first, then the retained ones. It does not search modals.
    ///
    /// - Parameters:
    ///   - coordinatorType: The class, or a protocol that coordinators conform to.
    ///   - identifier: The ``Coordinating/identifier`` of the child; `nil` for any.
    public final func getCached<C>(_ coordinatorType: C.Type, identifier: String? = nil) -> C? {
        func last(of nodes: NodeList) -> C? {
            for child in nodes.reversed() where identifier == nil || child.identifier == identifier {
                if let match = child as? C { return match }
            }
            return nil
        }
        return last(of: children) ?? last(of: retainedChildren)
    }

    /// Shows a coordinator in place of the current one. Nothing happens if it is already shown.
    ///
    /// - Parameters:
    ///   - coordinator: A new coordinator, or one in this tree, which moves here with its state.
    ///   - animated: Has no effect. It exists for compatibility with UIKit.
    ///   - completion: Called exactly once, when the coordinator is shown, or the request is refused or replaced by a
    ///     later one.
    open func root(_ coordinator: any Coordinating, animated: Bool = false, completion: (() -> Void)? = nil) {
        let child = coordinator.node
        request(
            NavigationRequest(showing: child, completion: completion, leaving: { [self] in nodesLeft(byRoot: child) }) {
                [self] in makeRoot(child)
            })
    }

    /// Returns the coordinators that leave the screen when a coordinator is shown in place of the current one.
    func nodesLeft(byRoot child: CoordinatorNode) -> [CoordinatorNode] {
        children.filter { $0 !== child }.flatMap(\.withAllBelow)
    }

    func makeRoot(_ child: CoordinatorNode) {
        if prepare(child), children.first !== child { setChildren([child]) }
    }

    /// Pushes a coordinator on the nearest navigation stack above, or presents it as a modal if there is no stack.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator. On a stack it becomes a child of the navigation coordinator; a modal becomes a
    ///     child of this one.
    ///   - sender: Has no effect. It exists for compatibility with UIKit.
    open func show(_ coordinator: any Coordinating, sender: Any? = nil) {
        let ancestors = sequence(first: self as CoordinatorNode, next: \.parentNode)
        if let stack = ancestors.first(where: { $0.kind == .navigation }) {
            stack.push(coordinator.node)
        } else {
            present(coordinator, animated: true, completion: nil)
        }
    }
}
