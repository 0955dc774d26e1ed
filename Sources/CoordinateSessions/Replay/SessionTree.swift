package import Coordinate
internal import Logging

/// A tree of coordinators as it is after so many events: started, and then given one event after another.
///
/// New events, recorded ones that make a tree again, that lead back in time, that are imported or tried out: all of them
/// come through ``apply(_:)``. The same events make the same tree.
package final class SessionTree {
    package let root: CoordinatorNode
    /// Whether a turn failed halfway. What the tree says then is not to be trusted.
    private(set) var isBroken = false
    /// How many recorded events it has replayed, or taken.
    var version = 0
    let app: HostedApp

    /// Makes the app's tree and starts it.
    package init(_ app: HostedApp) throws(SessionError) {
        self.app = app
        root = app.app.makeRootCoordinator()
        try turn { root.start() }
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
    package func apply(_ request: EventRequest) throws(SessionError) -> Turn {
        guard let entry = app.events.entry(named: request.name) else {
            let known = app.events.entries.map(\.name)
            throw .unknownEvent(known: known, nearest: Spelling.nearest(to: request.name, among: known))
        }
        if let link = request.link, !leads(link) { throw .unknownPath(known: app.app.routes.patterns) }
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
        defer { for diagnostic in root.diagnostics { app.report(diagnostic.description) } }
        do {
            return try root.turn(body)
        } catch {
            isBroken = true
            switch error {
            case Diagnostic.tooManyCoordinators, Diagnostic.tooDeep:
                throw SessionError.treeIsFull
            default:
                app.logger.error("The app failed in a turn, which was discarded: \(error)")
                throw SessionError.appFailed(error)
            }
        }
    }

    /// Whether a deep link leads anywhere.
    private func leads(_ link: String) -> Bool {
        guard let path = RoutePath(link) else { return false }
        return app.app.routes.contains(path, in: dependencies)
    }

    private var dependencies: (any AppDependenciesProtocol)? {
        (root as? any HasDependenciesProtocol)?.getDependencies()
    }
}

/// What became of one event.
package struct Turn: Sendable {
    package let event: String
    /// Without what the event does not declare.
    package let payload: PlainValue
    /// The id of the coordinator it was emitted at.
    package let at: String
    package let dispatch: Dispatch
}

extension Turn {
    /// Nothing: the event is not emitted any more.
    init(dropped entry: JournalEntry) {
        self.init(event: entry.event, payload: entry.payload, at: entry.at, dispatch: Dispatch())
    }
}
