/// A tree of an app's coordinators that processes one event after another, for sessions, the explorer and the catalog.
/// The same events always produce the same tree.
///
/// Releasing it dismantles the tree. The app is not notified, because no user left.
package struct TreeRunner: ~Copyable {
    package let root: CoordinatorNode
    private let seed: UInt64

    /// Creates the tree, without starting it.
    ///
    /// - Parameters:
    ///   - options: The options of the session, as they were recorded.
    ///   - reference: The reference with which the session's tree is started; empty outside a server.
    ///   - key: Its key, likewise.
    ///   - seed: The seed of its random numbers.
    ///   - events: The types of the app's events. Others are not offered.
    ///   - ignored: Called with each option that does not fit the app.
    ///   - stray: Called for each change that the app attempts outside of a turn.
    package init(
        _ app: any CoordinatedApp, options: PlainValue, reference: String = "", key: String? = nil, seed: UInt64,
        events: [ObjectIdentifier], ignored: (PlainValueError) -> Void = { _ in },
        stray: @escaping (Diagnostic) -> Void = { _ in }
    ) {
        let session = app.context(reference: reference, key: key, options: options)
        root = app.makeRootCoordinator(in: session, ignored: ignored)
        root.beHosted(events, stray)
        self.seed = seed
    }

    deinit {
        root.dismantle()
    }

    /// Starts the tree, as the turn of version 0.
    ///
    /// - Throws: The failure of the turn. The tree should not be used afterwards.
    package func start(at time: Timestamp) throws {
        try root.turn(at: TurnMoment(version: 0, now: time, seed: seed)) {
            if root.hasAllItNeeds() { root.start() }
        }
    }

    /// Emits an event at a coordinator, as one turn.
    ///
    /// - Parameters:
    ///   - pending: The id of the work or the timer that ends with this event; `nil` for other events.
    ///   - version: The session's version after the turn.
    ///   - traceparent: The trace that the turn belongs to.
    /// - Returns: The coordinators that the event visited, and the path afterwards.
    /// - Throws: The failure of the turn. The tree should not be used afterwards.
    package func emit(
        _ event: any CoordinateEvents, at coordinator: any Coordinating, outcomeOf pending: String? = nil,
        as version: Int, at time: Timestamp, traceparent: String? = nil
    ) throws -> (dispatch: Dispatch, path: String) {
        let moment = TurnMoment(version: version, now: time, seed: seed, traceparent: traceparent)
        let (dispatch, path) = try root.turn(at: moment) {
            guard let pending else { return coordinator.getRootViewController().emitEvent(event) }
            return root.emit(event, at: coordinator, outcomeOf: pending)
        }
        return (dispatch, path)
    }
}
