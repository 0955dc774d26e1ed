internal import Coordinate
internal import Synchronization

// Reading what the session was at earlier versions, by replaying it.

extension Session {
    /// Returns the route as it was after an event.
    package func route(
        at version: Int, unless known: VersionCondition.Versions? = nil, for client: ClientKey = .host
    ) -> Future<RouteReading, SessionError> {
        before(version, for: client) {
            if known?.contains(version) == true { return .now(.unchanged(version, nil)) }
            return self.formerRoute(at: version, for: client)
                .map(on: self.host.executor(of: client)) { .route(version, $0) }
        }
    }

    /// Returns the routes as they were after two events.
    package func routes(
        at first: Int, and second: Int, for client: ClientKey = .host
    ) -> Future<(older: any EncodedRoute, newer: any EncodedRoute), SessionError> {
        let executor = host.executor(of: client)
        return before(max(first, second), for: client) {
            self.formerRoute(at: max(first, second), for: client).flatMap(on: executor) { newer in
                guard first != second else { return .now((newer, newer)) }
                return self.formerRoute(at: min(first, second), for: client).map(on: executor) { ($0, newer) }
            }
        }
    }

    private func formerRoute(at version: Int, for client: ClientKey) -> Future<any EncodedRoute, SessionError> {
        host.formerRoutes.share(with: .init(session: id, version: version), on: host.executor(of: client)) {
            self.replay(at: version, for: client) { tree, _ in self.host.route(of: tree, in: self.id) }
        }
    }

    /// Calls a closure with the routes after some events, oldest first, until it returns false.
    package func forEachRoute(
        after version: Int, upTo last: Int, for client: ClientKey = .host,
        _ visit: @escaping @Sendable (Int, any EncodedRoute) -> Bool
    ) -> Future<Void, SessionError> {
        guard version < last else { return .now(()) }
        return replay(
            at: last, for: client,
            visit: { tree, entry in
                guard entry.version > version else { return true }
                return visit(entry.version, self.host.route(of: tree, in: self.id))
            }, { _, _ in })
    }

    private func replay<Result: Sendable>(
        at version: Int, for client: ClientKey,
        visit: @escaping @Sendable (SessionTree, JournalEntry) -> Bool = { _, _ in true },
        _ body: @escaping @Sendable (SessionTree, HistoricalReplay.Replayed?) -> Result
    ) -> Future<Result, SessionError> {
        guard !host.budget.isBusy else { return .failed(.tooBusy) }
        let resized: HistoricalReplay.Resized = { [budget = host.budget] former, size in
            let change = MemoryBudget.size(ofTree: size, route: 0) - MemoryBudget.size(ofTree: former, route: 0)
            budget.charge(change, to: .replays)
            return change <= 0 || !budget.isFull
        }
        return HistoricalReplay.at(
            version, of: id, beginning, in: host.journal, of: host.app, on: host.scheduler, resized: resized,
            for: client, executor: host.executor(of: client), isSlow: isSlow, visit: visit, body)
    }

    /// The outcome of an event that is in the journal, reproduced by a replay; with the route if the request wanted it.
    func repeatOutcome(
        _ version: Int, wantsRoute: Bool, on executor: any Executor
    ) -> Future<EventOutcome, SessionError> {
        let client = ClientKey(number: client.number, on: executor)
        return host.formerOutcomes.share(
            with: .init(session: id, version: version, wantsRoute: wantsRoute), on: executor
        ) {
            self.replay(at: version, for: client) { tree, last in
                last.map { entry, turn in
                    let hadRoute = entry.retry.map { !$0.isMinimal } ?? wantsRoute
                    return EventOutcome(
                        version: version, turn: turn, path: tree.path, leaf: tree.root.visibleLeaf.id,
                        route: hadRoute ? self.host.route(of: tree, in: self.id) : nil)
                }
            }.mapResult(on: executor) { result in
                // Only version 0 has no event, and no request can have produced that.
                result.flatMap { $0.map(Result.success) ?? .failure(.unknownVersion(current: version)) }
            }
        }.mapResult(on: executor) { result in
            switch result {
            case .success, .failure(.hasEnded), .failure(.unknownVersion): result
            // The event is in the journal.
            case .failure: .failure(.outcomeUnavailable)
            }
        }
    }

    /// Runs a body on an earlier version, once it is certain that the version exists, and that no later crash is known.
    private func before<Value: Sendable>(
        _ version: Int, for client: ClientKey, _ body: @escaping @Sendable () -> Future<Value, SessionError>
    ) -> Future<Value, SessionError> {
        host.head(of: id, for: client).flatMap(on: host.executor(of: client)) { head in
            guard version <= head.version else { return .failed(.unknownVersion(current: head.version)) }
            if let crash = self.host.app.crash(keepingFrom: head), version >= crash.version {
                return .failed(.crashed(crash))
            }
            return body()
        }
    }
}
