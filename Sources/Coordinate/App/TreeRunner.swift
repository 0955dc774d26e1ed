/// A tree of an app's coordinators that takes one event after another, for sessions, the explorer and the catalog. The same
/// events make the same tree.
///
/// When it is released, the tree is taken apart. No user has left then, so the app hears nothing of it.
package struct TreeRunner: ~Copyable {
    package let root: CoordinatorNode
    private let seed: UInt64

    /// Creates the tree, without starting it.
    ///
    /// - Parameters:
    ///   - options: The options of the session, as they were recorded.
    ///   - seed: The seed of its random numbers.
    ///   - events: The types of the app's events. Others are not offered.
    ///   - ignored: Called with each option that does not fit the app.
    ///   - stray: Called with what is done outside of a turn.
    package init(
        _ app: any CoordinatedApp, options: PlainValue, seed: UInt64, events: [ObjectIdentifier],
        ignored: (PlainValueError) -> Void = { _ in }, stray: @escaping (Diagnostic) -> Void = { _ in }
    ) {
        root = app.makeRootCoordinator(recorded: options, ignored)
        root.beHosted(events, stray)
        self.seed = seed
    }

    deinit {
        root.dismantle()
    }

    /// Starts the tree, as the turn of version 0.
    ///
    /// - Throws: The failure of the turn: the tree should not be used any further.
    package func start(at time: Timestamp) throws {
        try root.turn(at: TurnMoment(version: 0, now: time, seed: seed)) {
            if root.hasAllItNeeds() { root.start() }
        }
    }

    /// Emits an event at a coordinator, as one turn.
    ///
    /// - Parameters:
    ///   - pending: The id of the work or the timer whose outcome the event is; nil for other events.
    ///   - version: The version to which the turn leads.
    ///   - traceparent: The trace to which the turn belongs.
    /// - Returns: Who handled it, and the path afterwards.
    /// - Throws: The failure of the turn: the tree should not be used any further.
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
