internal import Coordinate
internal import Synchronization

extension Session {
    /// Runs the request's event as a turn, and creates its entry for the journal.
    func apply(_ work: SessionCommand, _ state: inout State) -> SessionMachine<SessionCommand>.Input {
        guard case .event(let injection, _) = work.operation, let tree = state.tree else { return .refused(.hasEnded) }
        guard state.machine.version < host.limits.maximumEvents, !state.isFull else { return .refused(.historyIsFull) }
        guard !host.budget.isFull else { return .refused(.memoryIsFull) }
        do throws(SessionError) {
            let time = max(state.lastTime, host.clock.timestamp())
            if injection.isBoundToScreen { try tree.checkIsOffered(injection.event) }
            let turn = try tree.apply(injection.event, at: time)
            if tree.isSlow { recordSlowTurn() }
            state.underWay = EventUnderWay(
                turn, turn.entry(state.machine.version + 1, at: time, in: tree, for: injection, mark: work.mark))
            return .applied
        } catch {
            if tree.isSlow { recordSlowTurn() }
            return tree.isBroken ? .failed(error) : .refused(error)
        }
    }

    /// Makes the newly committed version visible.
    func publish(_ work: SessionCommand, _ state: inout State, _ outbox: inout Outbox) {
        guard case .event(let injection, let promise) = work.operation, let underWay = state.underWay,
            let tree = state.tree
        else {
            // The event is in the journal, but the session's state was released meanwhile.
            return outbox.append(work.refuse(.outcomeUnavailable))
        }
        state.underWay = nil
        tree.version = underWay.entry.version
        state.lastTime = underWay.entry.time
        host.counters.countEvent(isHandled: underWay.entry.isHandled)
        if underWay.entry.version == 1 { host.created.didAcceptEvent(id) }
        didCommit(underWay.entry, in: tree, turnTime: tree.turnTime)
        published(underWay.entry.version, tree, &state)
        if underWay.entry.changesPending {
            notifyKeeper(committedAfter: underWay.entry.version - 1, &state) { outbox.append($0) }
        }
        let outcome = EventOutcome(
            version: underWay.entry.version, turn: underWay.turn, path: underWay.entry.path,
            leaf: tree.root.visibleLeaf.id,
            route: injection.wantsRoute ? route(of: tree, &state) : nil, turnTime: tree.turnTime)
        chargeTree(&state)
        if injection.retry != nil { state.outcome = outcome }
        outbox.append(.outcome(.success(outcome), promise))
    }

    /// Reports an event of this server that is in the journal, to whose version the tree is. The lock keeps the reports
    /// in order.
    func didCommit(_ entry: JournalEntry, in tree: SessionTree, turnTime: UInt64?) {
        guard let report = host.hooks.didCommit else { return }
        report(CommittedEvent(entry, (tree.screenName, turnTime), of: names.withLock(\.self)))
    }

    /// Notifies the followers that the tree is at a new version.
    func published(_ version: Int, _ tree: SessionTree, _ state: inout State) {
        state.published = nil
        state.outcome = nil
        guard !state.followers.isEmpty else { return }
        let route = self.route(of: tree, &state)
        show(state)
        state.followers.notify(of: version, route)
        updateSubscription(&state)
    }

    /// The route of the tree's version, encoded at most once.
    func route(of tree: SessionTree, _ state: inout State) -> any EncodedRoute {
        if let published = state.published { return published }
        let route = host.route(of: tree, in: id)
        host.counters.countRouteEncoding()
        state.published = route
        chargeTree(&state)
        return route
    }

    /// Charges the change in size of the tree and its encoded route.
    func chargeTree(_ state: inout State) {
        let charge = MemoryBudget.size(ofTree: state.tree?.root.treeSize ?? 0, route: state.published?.size ?? 0)
        guard charge != state.charge else { return }
        host.budget.charge(charge - state.charge, to: .trees)
        state.charge = charge
    }
}

extension Turn {
    /// The entry of this turn.
    ///
    /// - Parameter tree: The tree that has just run the turn.
    func entry(
        _ version: Int, at time: Timestamp, in tree: SessionTree, for injection: EventInjection, mark: UInt64?
    ) -> JournalEntry {
        JournalEntry(
            version: version, time: time, appVersion: tree.app.version, event: event, payload: payload, at: at,
            isHandled: dispatch.isHandled, handledBy: dispatch.handledBy, path: path, origin: injection.event.origin,
            pending: injection.event.pending, begun: begun, ended: ended, wake: tree.wake(from: time),
            traceparent: injection.event.traceparent, retry: injection.retry, mark: mark)
    }
}
