/// A coordinator of a flow that ends with a result: a checkout with an order, a picker with a color.
///
/// ```swift
/// final class CheckoutCoordinator: NavigationCoordinator<NavigationController>, HasResult {
///     typealias ResultType = Order
///
///     override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
///         guard case ShopEvents.Checkout.didOrder(let order) = event else { return false }
///         finish(with: order)
///         return true
///     }
/// }
/// ```
///
/// The coordinator that shows it handles the result:
///
/// ```swift
/// present(CheckoutCoordinator()) { [weak self] order in
///     if let order { self?.goTo(.order(order)) }
/// }
/// ```
///
/// The handler is called exactly once, in the turn in which the coordinator leaves the screen. It receives `nil` if
/// there is no result: after Back, a dismissal, a link, a guard's redirect or its presenter's end, or if the
/// coordinator could not be shown. A presenter that ends is kept until then. See <doc:FlowWithAResult>.
public protocol HasResult: Coordinating {
    /// The type of the result.
    associatedtype ResultType
}

extension HasResult where Self: CoordinatorNode {
    /// Ends this coordinator with a result, and removes it from the screen. Nothing happens if it has already ended.
    public func finish(with result: ResultType) {
        guard isStarted, tree.allows(.strayNavigation(coordinator: id)) else { return }
        tree.perform {
            (resultHandler ?? arrival?.handler)?.result = result
            stop(with: {})
        }
    }
}

extension HasResult where Self: CoordinatorNode, ResultType == Void {
    /// Ends this coordinator as finished, not cancelled, and removes it from the screen.
    public func finish() {
        finish(with: ())
    }
}

extension CoordinatorNode {
    /// Shows a coordinator as a modal, and reports its result. See ``HasResult``.
    ///
    /// - Parameters:
    ///   - coordinator: The modal, as in ``present(_:animated:completion:)``.
    ///   - onResult: Called exactly once, with `nil` if there is no result. The modal retains it, so capture the
    ///     presenter as `weak` or `unowned`.
    public final func present<Flow: HasResult>(_ coordinator: Flow, _ onResult: @escaping (Flow.ResultType?) -> Void) {
        show(coordinator, on: ShowingTerms(of: node, onResult)) { present(coordinator, animated: true) }
    }
}

extension HasRoutes where Self: CoordinatorNode {
    /// Presents a modal for a route, and reports its result.
    public func present<Flow: HasResult>(
        _ coordinator: Flow, for route: RouteType, _ onResult: @escaping (Flow.ResultType?) -> Void
    ) {
        show(coordinator, on: ShowingTerms(of: node, for: route, onResult)) {
            present(coordinator, animated: true)
        }
    }
}

extension ContainerCoordinating {
    /// Pushes a coordinator, and reports its result. See ``HasResult``.
    public func show<Flow: HasResult>(
        _ coordinator: Flow, sender: Any? = nil, _ onResult: @escaping (Flow.ResultType?) -> Void
    ) {
        node.show(coordinator, on: ShowingTerms(of: node, onResult)) { show(coordinator, sender: sender) }
    }
}

extension HasRoutes where Self: StackCoordinating {
    /// Pushes a coordinator for a route, and reports its result.
    public func show<Flow: HasResult>(
        _ coordinator: Flow, for route: RouteType, sender: Any? = nil, _ onResult: @escaping (Flow.ResultType?) -> Void
    ) {
        node.show(coordinator, on: ShowingTerms(of: node, for: route, onResult)) {
            show(coordinator, sender: sender)
        }
    }
}
