/// A coordinator that shows one other coordinator at a time: a switch between parts of an app.
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
/// A coordinator that is replaced is stopped. A change that is asked for while another one is under way here waits for
/// it; of several that wait, the last one wins.
open class ContainerCoordinator<T: ViewController>: Coordinator<T>, ContainerCoordinating {
    override var kind: CoordinatorKind { .container }
    override var visibleIndex: Int? { children.isEmpty ? nil : 0 }

    /// The screen of the coordinator shown here now.
    public var currentViewController: ViewController? {
        visibleIndex.map { children[$0].screen }
    }

    /// The child through which the event being intercepted came up; `nil` if it was emitted here, or there is no such
    /// event.
    ///
    /// A tab bar that shows something "in the tab the event was sent from" asks this.
    public final var emittingChild: (any Coordinating)? {
        guard let visitor = tree.visitor, visitor.parentNode === self else { return nil }
        return visitor
    }

    /// The newest child of a class, started or not; `nil` if there is none.
    ///
    /// ```swift
    /// root(getCached(SplashCoordinator.self) ?? SplashCoordinator())
    /// ```
    ///
    /// It looks among the children on its screen first, then among those that are retained; modals are not considered.
    ///
    /// - Parameters:
    ///   - coordinatorType: The class, or a protocol that coordinators conform to.
    ///   - identifier: Only the child with this ``Coordinating/identifier``, where given.
    public final func getCached<C>(_ coordinatorType: C.Type, identifier: String? = nil) -> C? {
        func last(of nodes: NodeList) -> C? {
            for child in nodes.reversed() where identifier == nil || child.identifier == identifier {
                if let match = child as? C { return match }
            }
            return nil
        }
        return last(of: children) ?? last(of: retainedChildren)
    }

    /// Shows a coordinator in place of the current one. Nothing happens where it is shown already.
    ///
    /// - Parameters:
    ///   - coordinator: A new one, or one that is in this tree already: then it moves here with all it keeps.
    ///   - animated: Accepted for the sake of UIKit; it has no meaning here.
    ///   - completion: Called exactly once: when the coordinator is shown, or the request was refused or replaced by a
    ///     later one.
    open func root(_ coordinator: any Coordinating, animated: Bool = false, completion: (() -> Void)? = nil) {
        let child = coordinator.node
        request(NavigationRequest(showing: child, completion: completion) { [self] in makeRoot(child) })
    }

    func makeRoot(_ child: CoordinatorNode) {
        if prepare(child), children.first !== child { setChildren([child]) }
    }

    /// Shows a coordinator: pushed on the nearest navigation stack above, or as a modal if there is none.
    ///
    /// - Parameters:
    ///   - coordinator: On a stack it becomes the navigation coordinator's child, as a modal this one's.
    ///   - sender: Accepted for the sake of UIKit; it has no meaning here.
    open func show(_ coordinator: any Coordinating, sender: Any?) {
        let ancestors = sequence(first: self as CoordinatorNode, next: \.parentNode)
        if let stack = ancestors.first(where: { $0.kind == .navigation }) {
            stack.push(coordinator.node)
        } else {
            present(coordinator, animated: true, completion: nil)
        }
    }
}
