package import Coordinate
internal import Logging
internal import Tracing

/// A tree of coordinators at some version: it was started, and then accepted one event after another.
///
/// All events pass through ``apply(_:)``: new ones, and recorded ones that are replayed to rebuild a tree, to show an
/// earlier version, or for an import. The same events produce the same tree.
package final class SessionTree {
    private let runner: TreeRunner
    /// Whether a turn failed halfway. The tree must not be used then.
    private(set) var isBroken = false
    /// How long its last turn took, in nanoseconds. Turns of a replay do not count.
    private(set) var turnTime: UInt64 = 0
    /// Whether that turn took longer than it should.
    var isSlow: Bool { turnTime > Self.expectedTime * 1_000_000 }
    /// The number of events that it has accepted.
    package internal(set) var version = 0
    /// The path after the last turn.
    private(set) var path = ""
    let app: HostedApp
    /// The session whose tree it is, for the watch; `nil` if the journal has no such session.
    var session: SessionID?
    /// Whether clients post the outcomes of what is pending.
    private let isWorkWithheld: Bool

    /// Builds the app's tree and starts it.
    package init(
        _ app: HostedApp, _ beginning: SessionBeginning, of session: SessionID? = nil
    ) throws(SessionError) {
        self.app = app
        self.session = session
        isWorkWithheld = beginning.isWorkWithheld
        app.watch?.turnBegins(
            WatchedTurn(event: WatchedTurn.start, version: 0, isRepeated: true, session: session))
        runner = TreeRunner(
            app.app, options: beginning.options, reference: beginning.reference, key: beginning.key,
            seed: beginning.seed, events: app.events.types,
            ignored: { option in
                app.report("A session has an option that the app ignores: \(option.field) \(option.message).")
            },
            stray: { app.report($0.description) })
        app.watch?.turnEnds()
        try turn(0, of: WatchedTurn.start, isRepeated: true) { try runner.start(at: beginning.time) }
        path = root.path
    }

    package var root: CoordinatorNode { runner.root }

    /// Emits one event, as one turn: the event bubbles up, and the tree settles.
    ///
    /// - Parameter time: The time of the turn.
    /// - Throws: The problem with the request, before anything is done; or the reason why the turn failed, and then the
    ///   tree ``isBroken``.
    @discardableResult
    package func apply(_ request: EventRequest, at time: Timestamp) throws(SessionError) -> Turn {
        guard isWorkWithheld || !request.isPostedOutcome else { throw .workNotWithheld }
        guard let entry = app.events.entry(named: request.name) else {
            let known = app.events.entries.map(\.name)
            throw .unknownEvent(known: known, nearest: request.name.nearest(among: known))
        }
        if request.isPostedOutcome {
            try checkPosted(request)
        } else if entry.isAppOnly, request.origin == .client, !request.isRecorded {
            throw .eventNotAllowed
        }
        if let link = request.link { try check(link: link) }
        let coordinator = try coordinator(of: request)
        let event: any CoordinateEvents
        do throws(EventDecodingError) {
            if !request.isRecorded { try entry.checkSecrets(of: request.payload) }
            let decoded = try entry.event(from: request.payload, in: dependencies)
            event = entry.hasSecrets ? request.event ?? decoded : decoded
        } catch {
            throw .invalidPayload(error)
        }
        let id = coordinator.id
        let dispatch: Dispatch
        (dispatch, path) = try turn(
            version + 1, of: entry.name, in: request.traceparent, isRepeated: request.isRecorded
        ) {
            try runner.emit(
                event, at: coordinator, outcomeOf: request.pending, as: version + 1, at: time,
                traceparent: request.traceparent)
        }
        let work = root.workChanges
        return Turn(
            event: entry.name, payload: entry.recordedFields(of: request.payload), at: id, dispatch: dispatch,
            path: path, begun: work.begun, ended: work.ended)
    }

    /// Checks that the screen offers an event, for a client that may send no others. It may open any link: the app's
    /// guards decide on links.
    func checkIsOffered(_ request: EventRequest) throws(SessionError) {
        if request.link != nil { return }
        let state = withLiveState { NavigationState(of: $0) }
        let isAtLeaf = request.at.map { $0 == state.leaf } ?? true
        guard request.pending == nil, isAtLeaf, state.offers(request.name, with: request.payload) else {
            var names: [String] = []
            for action in state.offered where !names.contains(action.event) { names.append(action.event) }
            throw .notOffered(names)
        }
    }

    /// Checks that a deep link leads somewhere in the app.
    func check(link: String) throws(SessionError) {
        guard let dead = app.app.routes.explain(link, in: dependencies) else { return }
        throw .unknownPath(known: app.app.routes.patterns, dead)
    }

    /// Checks an outcome that a client posts: its work or timer is pending, the event can be its outcome, and the
    /// request names no coordinator other than the owner.
    private func checkPosted(_ request: EventRequest) throws(SessionError) {
        guard let pending = request.pending, let asked = root.askedWork(pending) else {
            throw .notPending(known: root.pendingWork.map(\.id))
        }
        let outcomes = asked.outcomes
        guard outcomes.contains(request.name) else {
            throw .noOutcome(of: asked.pending.name, known: outcomes, nearest: request.name.nearest(among: outcomes))
        }
        guard let at = request.at, let owner = root.owner(of: pending)?.id, at != owner else { return }
        throw .notAtOwner(owner)
    }

    /// The coordinator that emits a request's event.
    private func coordinator(of request: EventRequest) throws(SessionError) -> any Coordinating {
        if let pending = request.pending {
            if let owner = root.owner(of: pending) { return owner }
            // A recorded event may be the outcome of work that the app no longer requests.
            if !request.isRecorded { throw .workIsOver }
        }
        // Most events are emitted at the visible leaf.
        let leaf = root.visibleLeaf
        let coordinator = request.at.map { $0 == leaf.id ? leaf : root.coordinator(withID: $0) } ?? leaf
        // Links are for the root. Older journals name the screen that was visible, which the app may have renamed.
        if request.link != nil, root.isStarted, coordinator == nil ? request.isRecorded : !request.isRecorded {
            return root
        }
        guard let coordinator, coordinator.isStarted else {
            throw .unknownCoordinator(known: root.startedCoordinators.map(\.id))
        }
        return coordinator
    }

    /// Calls a body with the live state of the tree. Faults in it are logged for the app's author.
    package func withLiveState<Result>(_ body: (LiveState) -> Result) -> Result {
        app.watch?.turnBegins(
            WatchedTurn(event: WatchedTurn.picture, version: version, isRepeated: true, session: session))
        defer { app.watch?.turnEnds() }
        let state = root.liveState
        for fault in state.visible.diagnostics { app.report(fault.description) }
        return body(state)
    }

    /// The name of the visible screen.
    var screenName: String {
        app.watch?.turnBegins(
            WatchedTurn(event: WatchedTurn.picture, version: version, isRepeated: true, session: session))
        defer { app.watch?.turnEnds() }
        return root.visibleLeaf.getRootViewController().name
    }

    /// Removes a piece of work whose outcome is no longer emitted.
    func remove(_ pending: String) {
        root.strikeOff(pending)
    }

    /// The moment from which the session's pending work is due; `nil` if nothing is pending.
    package func wake(from now: Timestamp) -> Timestamp? {
        root.hasPendingWork ? root.pendingWork.wake(from: now) : nil
    }

    /// Runs a body as a turn: in a span, with a note for the watchdog. The app's faults are logged.
    ///
    /// - Parameters:
    ///   - traceparent: The trace to which the turn belongs.
    ///   - isRepeated: Whether this version existed before. If so, the turn is not timed.
    private func turn<Result>(
        _ version: Int, of event: String, in traceparent: String? = nil, isRepeated: Bool, _ body: () throws -> Result
    ) throws(SessionError) -> Result {
        let span = isRepeated ? nil : app.tracing?.startSpan("turn \(event)", under: traceparent)
        defer { span?.end() }
        let start = isRepeated ? nil : app.nanoseconds()
        app.watch?.turnBegins(WatchedTurn(event: event, version: version, isRepeated: isRepeated, session: session))
        defer {
            app.watch?.turnEnds()
            for diagnostic in root.diagnostics { app.report(diagnostic.description) }
            if let start { checkTime(since: start, of: event) }
        }
        do {
            return try body()
        } catch {
            isBroken = true
            switch error {
            case Diagnostic.tooManyCoordinators, Diagnostic.tooDeep:
                throw SessionError.treeIsFull
            case Diagnostic.tooMuchWork:
                throw SessionError.tooMuchWork
            default:
                app.logger.error("The app failed during a turn. The turn was discarded: \(error)")
                throw SessionError.appFailed(error)
            }
        }
    }

    /// The longest time that a turn should take, in milliseconds: it blocks a worker, and all other clients of the worker
    /// wait.
    static let expectedTime: UInt64 = 50

    private func checkTime(since start: UInt64, of event: String) {
        // Not a `Duration`: it counts attoseconds in 128 bits, and its divisions are slow.
        turnTime = app.nanoseconds() - start
        app.turnTimes.record(turnTime)
        guard isSlow else { return }
        app.report(
            "The turn of an event \(event) took longer than \(Self.expectedTime) ms. Move slow code into "
                + "perform(_:_:done:failed:).")
    }

    private var dependencies: (any AppDependenciesProtocol)? {
        root.ownDependencies
    }
}

/// The outcome of one event. It is a class since it is passed on often, and a reference is cheap.
package final class Turn: Sendable {
    package let event: String
    /// The payload without fields that the event does not declare, and without secrets.
    package let payload: PlainValue
    /// The id of the coordinator that emitted it.
    package let at: String
    package let dispatch: Dispatch
    /// The path after the event.
    package let path: String
    /// The work and the timers that it requested.
    package let begun: [PendingWork]
    /// The ids of those that ended with it, apart from the one whose outcome it is.
    package let ended: [String]

    init(
        event: String, payload: PlainValue, at: String, dispatch: Dispatch, path: String, begun: [PendingWork],
        ended: [String]
    ) {
        self.event = event
        self.payload = payload
        self.at = at
        self.dispatch = dispatch
        self.path = path
        self.begun = begun
        self.ended = ended
    }

    /// Creates the outcome of an event that is no longer emitted.
    convenience init(dropped entry: JournalEntry) {
        self.init(
            event: entry.event, payload: entry.payload, at: entry.at, dispatch: Dispatch(),
            path: entry.path, begun: [], ended: [])
    }
}
