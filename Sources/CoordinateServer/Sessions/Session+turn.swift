internal import Coordinate
internal import Logging

extension Session {
    /// Takes one event: dispatch, settle, commit. Nothing of it can be seen before the journal has it.
    ///
    /// - Parameter wantsRoute: Whether the outcome should hold the route document.
    func inject(_ request: EventRequest, wantsRoute: Bool) throws(SessionError) -> EventOutcome {
        guard let event = host.events.entry(named: request.name) else { throw .unknownEvent(request.name) }
        return try withTree { root, state throws(SessionError) in
            if let link = request.link, !host.leads(link, in: root) {
                throw .unknownPath(known: host.app.routes.patterns)
            }
            let emission = try root.emission(of: event, payload: request.payload, at: request.at)
            let dispatch: Dispatch
            let entry: JournalEntry
            do throws(SessionError) {
                dispatch = try host.emit(emission, in: root)
                entry = JournalEntry(
                    version: state.version + 1, time: host.clock.timestamp(), event: event.name,
                    payload: event.declaredFields(of: request.payload), at: emission.id, handledBy: dispatch.handledBy,
                    path: root.path)
                try append(entry)
            } catch {
                discardTree(&state)
                throw error
            }
            state.version = entry.version
            state.routeBytes = nil
            state.routeResponse = nil
            host.metrics.countEvent(isHandled: dispatch.isHandled)
            return EventOutcome(
                entry: entry, dispatch: dispatch, leaf: root.visibleLeaf.id,
                route: wantsRoute ? routeBytes(of: root, &state) : nil)
        }
    }

    private func append(_ entry: JournalEntry) throws(SessionError) {
        do throws(JournalError) {
            try host.journal.append(entry, to: id)
        } catch {
            throw .journal(error)
        }
    }
}

/// What came of an event.
struct EventOutcome: Sendable {
    let entry: JournalEntry
    let dispatch: Dispatch
    let leaf: String
    /// The route document, where it was asked for.
    let route: [UInt8]?
}

extension AppHost {
    /// Makes a session's tree as it was after so many events: start, and replay.
    func makeTree(of session: SessionID, version: Int) throws(SessionError) -> CoordinatorNode {
        let root = app.makeRootCoordinator()
        do throws(SessionError) {
            try runTurn(in: root) { root.start() }
            try replay(session, upTo: version, in: root)
        } catch {
            _ = try? root.turn { root.stop() }
            throw error
        }
        return root
    }

    private func replay(
        _ session: SessionID, upTo version: Int, in root: CoordinatorNode
    ) throws(SessionError) {
        var replayed = 0
        while replayed < version {
            for entry in try entries(of: session, after: replayed, upTo: version) {
                guard let event = events.entry(named: entry.event) else { throw .unknownEvent(entry.event) }
                let emission = try root.emission(of: event, payload: entry.payload, at: entry.at)
                _ = try emit(emission, in: root)
                replayed = entry.version
            }
        }
    }

    /// Whether a deep link leads anywhere.
    fileprivate func leads(_ link: String, in root: CoordinatorNode) -> Bool {
        guard let path = RoutePath(link) else { return false }
        return app.routes.contains(path, in: root.ownDependencies)
    }

    private func entries(
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

    /// Emits an event as one turn.
    fileprivate func emit(_ emission: Emission, in root: CoordinatorNode) throws(SessionError) -> Dispatch {
        try runTurn(in: root) { emission.coordinator.getRootViewController().emitEvent(emission.event) }
    }

    private func runTurn<Result>(in root: CoordinatorNode, _ body: () -> Result) throws(SessionError) -> Result {
        defer { report(root.diagnostics) }
        do {
            return try root.turn(body)
        } catch Diagnostic.tooManyCoordinators, Diagnostic.tooDeep {
            throw .treeIsFull
        } catch {
            logger.error("The app failed in a turn, which was discarded: \(error)")
            throw .appFailed(error)
        }
    }
}

/// An event about to be emitted at a coordinator.
private struct Emission {
    let event: any CoordinateEvents
    let coordinator: any Coordinating
    /// The coordinator's id.
    let id: String
}

extension CoordinatorNode {
    fileprivate var ownDependencies: (any AppDependenciesProtocol)? {
        (self as? any HasDependenciesProtocol)?.getDependencies()
    }

    /// Finds the coordinator and reads the payload; asked of the root.
    ///
    /// - Parameter id: Of the coordinator to emit at, nil for the visible leaf.
    fileprivate func emission(
        of event: EventCatalog.Entry, payload: PlainValue, at id: String?
    ) throws(SessionError) -> Emission {
        let coordinator = id.map { self.coordinator(withID: $0) } ?? visibleLeaf
        guard let coordinator, coordinator.isStarted else {
            throw .unknownCoordinator(known: startedCoordinators.map(\.id))
        }
        do throws(EventDecodingError) {
            return Emission(
                event: try event.event(from: payload, in: ownDependencies), coordinator: coordinator,
                id: coordinator.id)
        } catch {
            throw .invalidPayload(error)
        }
    }
}
