/// A change of the screen as a value, so that it can wait for another change.
struct NavigationRequest {
    /// The coordinator to show; `nil` if the request removes coordinators.
    let target: CoordinatorNode?
    var terms: ShowingTerms
    /// Whether the request removes a child that has stopped by itself. Such a request never replaces another one.
    let isRemoval: Bool
    /// Returns the coordinators that the change removes from the screen, the top-most last.
    let leaving: () -> [CoordinatorNode]
    /// Changes the screen. The container calls it for one request at a time.
    let carryOut: () -> Void
    private let completion: (() -> Void)?

    /// Creates a request with the terms that were set on its target.
    init(
        showing target: CoordinatorNode? = nil, isRemoval: Bool = false, completion: (() -> Void)? = nil,
        leaving: @escaping () -> [CoordinatorNode] = { [] }, _ carryOut: @escaping () -> Void
    ) {
        self.target = target
        self.isRemoval = isRemoval
        self.completion = completion
        self.leaving = leaving
        self.carryOut = carryOut
        terms = target?.takeTerms() ?? ShowingTerms()
    }

    /// Completes the request after it was carried out.
    func complete() {
        completion?()
    }

    /// Completes the request without carrying it out, because it was refused or replaced.
    func cancel() {
        terms.result?.notify()
        completion?()
    }
}

/// The requests that wait for a change of the same coordinator, oldest first.
struct WaitingRequests {
    private var waiting: [(node: CoordinatorNode, request: NavigationRequest)] = []

    mutating func append(_ request: NavigationRequest, of node: CoordinatorNode) {
        waiting.append((node, request))
    }

    func contains(_ node: CoordinatorNode) -> Bool {
        !waiting.isEmpty && waiting.contains { $0.node === node }
    }

    /// Removes and returns the first request of a coordinator; `nil` if there is none.
    ///
    /// - Parameter isReplaceable: Whether to skip requests that are never replaced.
    mutating func removeFirst(of node: CoordinatorNode, ifReplaceable isReplaceable: Bool = false) -> NavigationRequest?
    {
        waiting.firstIndex { $0.node === node && !(isReplaceable && $0.request.isRemoval) }
            .map { waiting.remove(at: $0).request }
    }

    /// Sets the route of a coordinator that waits to be shown, unless it has one.
    mutating func setRoute(_ route: ShownRoute, of target: CoordinatorNode, in node: CoordinatorNode) {
        for index in waiting.indices where waiting[index].node === node && waiting[index].request.target === target {
            waiting[index].request.terms.route = waiting[index].request.terms.route ?? route
        }
    }
}

/// The terms on which a coordinator is shown: its route, and the handler of its result.
struct ShowingTerms {
    var route: ShownRoute?
    var result: ResultHandler?

    /// Creates empty terms.
    init() {}

    /// Creates the terms of a coordinator that is shown for a route.
    init(for route: Any) {
        self.route = ShownRoute(route)
    }

    /// Creates the terms of a flow, whose result the presenter waits for.
    init<Value>(of presenter: CoordinatorNode, for route: Any? = nil, _ onResult: @escaping (Value?) -> Void) {
        self.route = route.map(ShownRoute.init)
        result = ResultHandler(of: presenter, onResult)
    }
}

/// How a coordinator is being shown.
struct Arrival {
    /// The handler of its result. It may already finish in its start.
    let handler: ResultHandler?
    var isModal = false
}

/// The handler of a coordinator's result, which is called once, when that coordinator leaves the screen.
final class ResultHandler {
    /// The result; `nil` if there is none yet.
    var result: Any?
    private let presenter: CoordinatorReference
    private var onResult: ((Any?) -> Void)?

    /// - Parameters:
    ///   - presenter: The coordinator that waits for the result.
    ///   - onResult: Called with the result; `nil` if there is none.
    init<Value>(of presenter: CoordinatorNode, _ onResult: @escaping (Value?) -> Void) {
        self.presenter = presenter.reference
        self.onResult = { result in onResult(result.flatMap { $0 as? Value }) }
    }

    /// The coordinator that waits for the result; `nil` once it is gone.
    var waiter: CoordinatorNode? { presenter.node }

    /// Reports the result, or `nil` if there is none. Nothing happens the second time, or if the waiting coordinator is
    /// gone.
    func notify() {
        guard let onResult else { return }
        self.onResult = nil
        if presenter.node != nil { onResult(result) }
    }

    /// Releases the handler without calling it, because the tree is no longer needed.
    func release() {
        onResult = nil
    }
}
