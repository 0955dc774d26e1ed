/// An object in the chain that events bubble up: a screen or a coordinator.
///
/// The chain leads from a screen to its parent screens, then to the coordinator that owns the outermost of them, then
/// to the screen of the parent coordinator, and so on to the root.
///
/// Apps subclass ``ViewController`` and the coordinators.
open class Responder: HasEvents {
    init() {}

    /// Reacts to an event that bubbles up. Override it, match the event against your enums, and return true to stop it.
    ///
    /// ```swift
    /// override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
    ///     guard case AppEvents.Splash.didFinish = event else { return false }
    ///     goTo(.main)
    ///     return true
    /// }
    /// ```
    open func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        false
    }

    /// Emits an event here. It bubbles up until a responder intercepts it.
    ///
    /// The outermost call is one turn. Navigation and lifecycle have settled when it returns.
    @discardableResult
    public final func emitEvent(_ event: any CoordinateEvents) -> Dispatch {
        guard let tree = owningCoordinator?.tree else { return bubble(event, through: nil) }
        guard tree.allows(.strayEvent(event.nameInLogs)) else { return Dispatch() }
        return tree.perform { bubble(event, through: tree) }
    }

    /// The responder that receives an event after this one.
    var nextResponder: Responder? { nil }

    /// The coordinator that represents this responder in a trace.
    var owningCoordinator: CoordinatorNode? { nil }

    /// This responder as a coordinator, without the cost of a cast.
    var asCoordinator: CoordinatorNode? { nil }

    private func bubble(_ event: any CoordinateEvents, through tree: TreeContext?) -> Dispatch {
        var dispatch = Dispatch()
        if let tree, !tree.beginDispatch() { return dispatch }
        dispatch.trace.reserveCapacity(8)
        let outerVisitor = tree?.visitor
        tree?.visitor = nil
        // Most events are the app's own, and comparing types is faster than casting.
        let navigation = type(of: event) == NavigationEvents.self ? event as? NavigationEvents : nil
        var current: Responder? = self
        while let responder = current {
            // Read before the event is handled, because the responder may leave the tree.
            let next = responder.nextResponder
            tree?.steps += 1
            let coordinator = responder.asCoordinator
            let id = (coordinator ?? next?.asCoordinator ?? responder.owningCoordinator)?.id
            dispatch.isHandled = responder.interceptEvent(event)
            if let coordinator {
                if let navigation, !dispatch.isHandled { dispatch.isHandled = coordinator.navigate(on: navigation) }
                tree?.visitor = coordinator
            }
            if let id, coordinator != nil || dispatch.isHandled {
                dispatch.trace.append(.init(coordinator: id, isIntercepted: dispatch.isHandled))
            }
            current = dispatch.isHandled ? nil : next
        }
        tree?.visitor = outerVisitor
        tree?.endDispatch()
        return dispatch
    }
}
