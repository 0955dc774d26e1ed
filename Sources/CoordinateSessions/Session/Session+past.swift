package import Coordinate
internal import Synchronization

// Reading what the session was at earlier versions, by replaying it.

extension Session {
    /// Returns the route as it was after an event.
    package func route(
        at version: Int, unless known: VersionCondition.Versions? = nil, for client: ClientKey = .host
    ) async throws(SessionError) -> RouteReading {
        try await checkExists(version)
        if known?.contains(version) == true { return .unchanged(version, nil) }
        return .route(version, try await formerRoute(at: version, for: client))
    }

    /// Returns the routes as they were after two events.
    package func routes(
        at first: Int, and second: Int, for client: ClientKey = .host
    ) async throws(SessionError) -> (older: any EncodedRoute, newer: any EncodedRoute) {
        try await checkExists(max(first, second))
        let newer = try await formerRoute(at: max(first, second), for: client)
        return (first == second ? newer : try await formerRoute(at: min(first, second), for: client), newer)
    }

    private func formerRoute(at version: Int, for client: ClientKey) async throws(SessionError) -> any EncodedRoute {
        try await host.formerRoutes.share(with: .init(session: id, version: version), on: host.scheduler) {
            () throws(SessionError) in
            try await self.replay(at: version, for: client) { tree, _ in self.host.route(of: tree, in: self.id) }
        }
    }

    /// Calls a closure with the routes after some events, oldest first, until it returns false.
    package func forEachRoute(
        after version: Int, upTo last: Int, for client: ClientKey = .host,
        _ visit: @escaping @Sendable (Int, any EncodedRoute) -> Bool
    ) async throws(SessionError) {
        guard version < last else { return }
        try await replay(
            at: last, for: client,
            visit: { tree, entry in
                guard let entry, entry.version > version else { return true }
                return visit(entry.version, self.host.route(of: tree, in: self.id))
            }, { _, _ in })
    }

    /// Calls a closure with what the session showed before any event, and after each one with that event, until it
    /// returns false.
    package func forEachState(
        upTo last: Int, for client: ClientKey = .host,
        _ visit: @escaping @Sendable (VisibleState, JournalEntry?) -> Bool
    ) async throws(SessionError) {
        try await checkExists(last)
        try await replay(
            at: last, for: client, visit: { tree, entry in visit(tree.withLiveState { $0.visible }, entry) },
            { _, _ in })
    }

    private func replay<Result: Sendable>(
        at version: Int, for client: ClientKey, visit: @escaping HistoricalReplay.Visit = { _, _ in true },
        _ body: @Sendable (SessionTree, HistoricalReplay.Replayed?) -> Result
    ) async throws(SessionError) -> Result {
        guard !host.budget.isBusy else { throw .tooBusy }
        let resized: HistoricalReplay.Resized = { [budget = host.budget] former, size in
            let change = MemoryBudget.size(ofTree: size, route: 0) - MemoryBudget.size(ofTree: former, route: 0)
            budget.charge(change, to: .replays)
            return change <= 0 || !budget.isFull
        }
        return try await HistoricalReplay.at(
            version, of: id, beginning, in: host.journal, of: host.app, on: host.scheduler, resized: resized,
            for: client, isSlow: isSlow, visit: visit, body)
    }

    /// The outcome of an event that is in the journal, reproduced by a replay; with the route if the request wanted it.
    func outcome(of version: Int, wantsRoute: Bool) async throws(SessionError) -> EventOutcome {
        let client = client
        do throws(SessionError) {
            return try await host.formerOutcomes.share(
                with: .init(session: id, version: version, wantsRoute: wantsRoute), on: host.scheduler
            ) { () throws(SessionError) in
                let outcome = try await self.replay(at: version, for: client) { tree, last in
                    last.map { entry, turn in
                        let hadRoute = entry.retry.map { !$0.isMinimal } ?? wantsRoute
                        return EventOutcome(
                            version: version, turn: turn, path: tree.path, leaf: tree.root.visibleLeaf.id,
                            route: hadRoute ? self.host.route(of: tree, in: self.id) : nil)
                    }
                }
                // Only version 0 has no event, and no request can have produced that.
                guard let outcome else { throw .unknownVersion(current: version) }
                return outcome
            }
        } catch {
            switch error {
            case .hasEnded, .unknownVersion: throw error
            // The event is in the journal.
            default: throw .outcomeUnavailable
            }
        }
    }

    /// Checks that a version exists, and that no later crash is known.
    private func checkExists(_ version: Int) async throws(SessionError) {
        let head = try await host.head(of: id)
        guard version <= head.version else { throw .unknownVersion(current: head.version) }
        if let crash = host.app.crash(keepingFrom: head), version >= crash.version { throw .crashed(crash) }
    }
}
