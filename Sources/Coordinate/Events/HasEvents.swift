/// An object that can emit events and intercept them: every screen and every coordinator.
public protocol HasEvents: AnyObject {
    /// Emits an event here; it bubbles up until somebody intercepts it.
    ///
    /// - Returns: who was asked, and who handled it.
    @discardableResult
    func emitEvent(_ event: any CoordinateEvents) -> Dispatch

    /// Reacts to an event on its way up. Called by ``emitEvent(_:)``.
    ///
    /// - Returns: true to stop the event here, false to let it bubble on.
    func interceptEvent(_ event: any CoordinateEvents) -> Bool
}
