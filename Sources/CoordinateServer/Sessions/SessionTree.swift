internal import Coordinate
internal import Logging

/// A tree of coordinators as it is after so many events: started, and then given one event after another.
///
/// New events, recorded ones that make a tree again, that lead back in time, that are imported or tried out: all of them
/// come through ``apply(_:)``. The same events make the same tree.
final class SessionTree {
    let root: CoordinatorNode
    /// Whether a turn failed halfway. What the tree says then is not to be trusted.
    private(set) var isBroken = false
    private let host: AppHost

    /// Makes the app's tree and starts it.
    init(host: AppHost) throws(SessionError) {
        self.host = host
        root = host.app.makeRootCoordinator()
        try turn { root.start() }
    }

    /// Makes the tree as it was after a session's first events.
    ///
    /// - Parameter visit: is shown each of the entries.
    /// - Throws: ``SessionError/takesLong`` and what ``apply(_:)`` throws.
    convenience init(
        host: AppHost, replaying session: SessionID, upTo version: Int, visit: (JournalEntry) -> Void = { _ in }
    ) throws(SessionError) {
        try Patience.check(events: version)
        try self.init(host: host)
        var last: JournalEntry?
        try host.forEachEntry(of: session, upTo: version) { entry throws(SessionError) in
            try apply(EventRequest(repeating: entry))
            visit(entry)
            last = entry
        }
        guard let last, last.path != root.path else { return }
        host.report("The app is not deterministic: the same events led to \(last.path) before, and to \(root.path) now")
    }

    /// Stopping lets go of screens that hold their coordinators strongly. An app that fails here fails in vain.
    deinit {
        _ = try? root.turn { root.stop() }
    }

    /// Emits one event, as one turn: dispatch and settle.
    ///
    /// - Throws: what is wrong with the request, before anything is done; or how the turn failed, and then the tree
    ///   ``isBroken``.
    @discardableResult
    func apply(_ request: EventRequest) throws(SessionError) -> Turn {
        guard let entry = host.events.entry(named: request.name) else {
            let known = host.events.entries.map(\.name)
            throw .unknownEvent(known: known, nearest: Spelling.nearest(to: request.name, among: known))
        }
        if let link = request.link, !leads(link) { throw .unknownPath(known: host.app.routes.patterns) }
        let coordinator = request.at.map { root.coordinator(withID: $0) } ?? root.visibleLeaf
        guard let coordinator, coordinator.isStarted else {
            throw .unknownCoordinator(known: root.startedCoordinators.map(\.id))
        }
        let event: any CoordinateEvents
        do throws(EventDecodingError) {
            event = try entry.event(from: request.payload, in: dependencies)
        } catch {
            throw .invalidPayload(error)
        }
        let id = coordinator.id
        let dispatch = try turn { coordinator.getRootViewController().emitEvent(event) }
        return Turn(
            event: entry.name, payload: entry.declaredFields(of: request.payload), at: id, dispatch: dispatch)
    }

    private func turn<Result>(_ body: () -> Result) throws(SessionError) -> Result {
        defer { for diagnostic in root.diagnostics { host.report(diagnostic.description) } }
        do {
            return try root.turn(body)
        } catch {
            isBroken = true
            switch error {
            case Diagnostic.tooManyCoordinators, Diagnostic.tooDeep:
                throw SessionError.treeIsFull
            default:
                host.logger.error("The app failed in a turn, which was discarded: \(error)")
                throw SessionError.appFailed(error)
            }
        }
    }

    /// Whether a deep link leads anywhere.
    private func leads(_ link: String) -> Bool {
        guard let path = RoutePath(link) else { return false }
        return host.app.routes.contains(path, in: dependencies)
    }

    private var dependencies: (any AppDependenciesProtocol)? {
        (root as? any HasDependenciesProtocol)?.getDependencies()
    }
}

/// What became of one event.
struct Turn: Sendable {
    let event: String
    /// Without what the event does not declare.
    let payload: PlainValue
    /// The id of the coordinator it was emitted at.
    let at: String
    let dispatch: Dispatch
}

extension AppHost {
    /// Shows a session's first entries, oldest first.
    func forEachEntry(
        of session: SessionID, upTo version: Int, _ body: (JournalEntry) throws(SessionError) -> Void
    ) throws(SessionError) {
        var after = 0
        while after < version {
            let entries = try entries(of: session, after: after, upTo: version)
            for entry in entries { try body(entry) }
            after += entries.count
        }
    }

    /// The next of a session's entries that are known to be there, oldest first.
    func entries(
        of session: SessionID, after version: Int, upTo last: Int
    ) throws(SessionError) -> [JournalEntry] {
        do throws(JournalError) {
            let entries = try journal.read(session, after: version, limit: min(last - version, 1_000))
            guard !entries.isEmpty else { throw .unavailable }
            return entries
        } catch {
            throw .journal(error)
        }
    }
}
