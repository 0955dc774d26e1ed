/// An object that can emit and intercept events. Every screen and every coordinator conforms.
public protocol HasEvents: AnyObject {
    /// Emits an event here. It bubbles up until a responder intercepts it.
    ///
    /// - Returns: The trace of the event: which coordinators it visited, and which one handled it.
    @discardableResult
    func emitEvent(_ event: any CoordinateEvents) -> Dispatch

    /// Reacts to an event that bubbles up. ``emitEvent(_:)`` calls it.
    ///
    /// - Returns: True to stop the event here, false to let it bubble on.
    func interceptEvent(_ event: any CoordinateEvents) -> Bool
}

/// The trace of one event: which coordinators it visited, leaf first, and which one stopped it.
///
/// ```swift
/// let dispatch = screen.emitEvent(AppEvents.Teams.didSelect(ferrari))
/// #expect(dispatch.handledBy == "AppCoordinator/MainCoordinator")
/// #expect(dispatch.trace.count == 3)
/// ```
///
/// It is not an error if no responder stops the event: ``isHandled`` is then false, and ``handledBy`` is `nil`.
public struct Dispatch: Equatable, Sendable {
    /// One coordinator on the way up.
    public struct Visit: Equatable, Sendable {
        /// The coordinator's id at the time of the visit.
        public let coordinator: String
        /// Whether the event stopped here, because the coordinator or one of its screens returned true.
        public let isIntercepted: Bool
    }

    /// The coordinators visited, leaf first.
    public internal(set) var trace: [Visit] = []

    /// Whether a responder returned true.
    public internal(set) var isHandled = false

    /// Creates the trace of an event that visited no responder.
    package init() {}

    /// Creates the trace of an event that one coordinator received and handled.
    init(handledBy coordinator: String) {
        trace = [Visit(coordinator: coordinator, isIntercepted: true)]
        isHandled = true
    }

    /// The id of the coordinator that handled the event, itself or through one of its screens; `nil` if none did, or if
    /// the screen that handled it has no coordinator.
    public var handledBy: String? {
        guard let last = trace.last, last.isIntercepted else { return nil }
        return last.coordinator
    }
}
