internal import Coordinate
internal import Synchronization

extension Session {
    /// The number of times that a request is tried while other servers are faster.
    static let attemptLimit = 10
    /// The number of times that an entry with an unknown outcome is appended again.
    static let repetitionLimit = 4

    /// The result of an event that was accepted, now or by an earlier request.
    enum Acceptance {
        case outcome(EventOutcome)
        /// The journal has the event already, at this version.
        case repeated(Int)
    }

    /// Accepts one event: runs its turn, and commits it. No effect of it is visible before the journal has it.
    package nonisolated(nonsending) func inject(_ injection: EventInjection) async throws(SessionError) -> EventOutcome
    {
        let acceptance = try await inTurn { () async throws(SessionError) in
            try checkIsOpen()
            if !injection.isTimer, mayHaveDueTimer {
                try await buildTree(for: injection)
                try await fireDueTimers()
            }
            return try await accept(injection)
        }
        switch acceptance {
        case .outcome(let outcome): return outcome
        case .repeated(let version): return try await outcome(of: version, wantsRoute: injection.wantsRoute)
        }
    }

    /// Throws the reason why no request is accepted, if there is one.
    func checkIsOpen() throws(SessionError) {
        if hasEnded { throw .hasEnded }
        if let quarantine { throw quarantine.error }
    }

    /// Accepts an event: runs it, appends its entry to the journal, and publishes the new version. If another server was
    /// faster, it begins again with the entries of that server.
    nonisolated(nonsending) func accept(_ injection: EventInjection) async throws(SessionError) -> Acceptance {
        let mark: UInt64? = host.journal.losesAnswers ? .random(in: 1 ... .max) : nil
        try await buildTree(for: injection)
        for attempt in 1...Self.attemptLimit {
            let underWay: EventUnderWay
            do throws(SessionError) {
                let start = try withState(shows: false) { state throws(SessionError) in
                    try begin(injection, mark, &state)
                }
                switch start {
                case .known(let outcome): return .outcome(outcome)
                case .repeated(let version): return .repeated(version)
                case .turn(let event): underWay = event
                }
            } catch {
                try await reconsider(error, isFirst: attempt == 1)
                continue
            }
            if try await append(underWay) { return .outcome(try publish(underWay, of: injection)) }
            if let version = try await catchUp(afterLosing: mark) { return .repeated(version) }
        }
        throw .tooBusy
    }

    private enum Start {
        case turn(EventUnderWay)
        case known(EventOutcome)
        case repeated(Int)
    }

    /// Checks the conditions of an event, and runs it as a turn.
    private func begin(
        _ injection: EventInjection, _ mark: UInt64?, _ state: inout State
    ) throws(SessionError) -> Start {
        if let retry = injection.retry, let former = try state.retries.entry(of: retry) {
            if let outcome = state.outcome, outcome.version == former.version { return .known(outcome) }
            return .repeated(former.version)
        }
        guard injection.condition.allows(state.version) else { throw .versionConflict(current: state.version) }
        let now = host.clock.uptime()
        if !state.failures.isEmpty {
            if let error = state.failures.refusal(of: injection, at: now) { throw error }
            if state.failures.isOverdrawn(at: now) { throw .tooBusy }
        }
        guard let tree = state.tree else { throw .hasEnded }
        guard state.version < host.limits.maximumEvents, !state.isFull else { throw .historyIsFull }
        guard !host.budget.isFull else { throw .memoryIsFull }
        defer { if tree.isSlow { recordSlowTurn() } }
        do throws(SessionError) {
            let time = max(state.lastTime, host.clock.timestamp())
            if injection.isBoundToScreen { try tree.checkIsOffered(injection.event) }
            let turn = try tree.apply(injection.event, at: time)
            let underWay = EventUnderWay(
                turn, turn.entry(state.version + 1, at: time, in: tree, for: injection, mark: mark))
            state.underWay = underWay
            return .turn(underWay)
        } catch {
            if tree.isBroken {
                state.failures.record(error, of: injection, at: state.version, time: now)
                discardTree(&state)
                show(state)
            }
            throw error
        }
    }

    /// Throws the reason to refuse a request, unless changes by another server may have removed it: then it reads them
    /// first, once.
    func reconsider(_ error: SessionError, isFirst: Bool) async throws(SessionError) {
        if case .tooBusy = error { throw error }
        guard isFirst, host.journal.isShared, quarantine == nil, !isStopping else { throw error }
        let former = shown.version
        try await catchUp()
        if shown.version == former { throw error }
        if isStopping { throw .draining }
    }

    /// Appends an entry to the journal: the very same entry again if the journal may have it, since reading proves
    /// nothing while it may still be committed. An append is not cancelled with the request's task.
    ///
    /// - Returns: Whether the journal has it; `false` if an entry of its version was committed before, which may be this
    ///   very one.
    private nonisolated(nonsending) func append(_ underWay: EventUnderWay) async throws(SessionError) -> Bool {
        let span = host.app.tracing?.startSpan("commit", under: underWay.entry.traceparent)
        let result = await appended(underWay.entry)
        span?.end(with: result)
        switch result {
        case .success: return true
        case .failure(.conflict):
            withState { discardTree(&$0) }
            return false
        case .failure(.noSuchSession):
            dismiss()
            throw .hasEnded
        case .failure(let error):
            withState { state in
                if error == .full { state.isFull = true }
                discardTree(&state)
            }
            throw SessionError(error)
        }
    }

    private nonisolated(nonsending) func appended(_ entry: JournalEntry) async -> Result<Void, JournalError> {
        var (isUncertain, repetitions) = (false, 0)
        while true {
            do throws(JournalError) {
                try await host.journal.append(entry, to: id)
                host.counters.countAnswer(.success(()))
                return .success(())
            } catch {
                host.counters.countAnswer(.failure(error))
                isUncertain = isUncertain || error == .outcomeUnknown
                guard isUncertain, error != .conflict, error != .noSuchSession else { return .failure(error) }
                guard entry.mark != nil, repetitions < Self.repetitionLimit, !isStopping else {
                    return .failure(.outcomeUnknown)
                }
                repetitions += 1
            }
        }
    }

    /// Reads what other servers have appended, after the entry of a request was not the next one.
    ///
    /// - Parameter mark: The mark of the entry.
    /// - Returns: The version of the entry, if the journal has it after all.
    private func catchUp(afterLosing mark: UInt64?) async throws(SessionError) -> Int? {
        do throws(SessionError) {
            try await catchUp(seeking: mark)
        } catch .hasEnded {
            throw .hasEnded
        } catch {
            if let version = withState({ $0.found }) { return version }
            throw mark == nil ? error : .journal(.outcomeUnknown)
        }
        if let version = withState({ $0.found }) { return version }
        if isStopping { throw .draining }
        return nil
    }

    /// Makes a newly committed version visible.
    private func publish(_ underWay: EventUnderWay, of injection: EventInjection) throws(SessionError) -> EventOutcome {
        let entry = underWay.entry
        host.counters.countEvent(isHandled: entry.isHandled)
        if entry.version == 1 { host.created.didAcceptEvent(id) }
        let (outcome, note) = try withState { state throws(SessionError) -> (EventOutcome, PendingNote?) in
            state.version = entry.version
            state.failures.removeRefusals()
            guard let tree = state.tree else { throw .outcomeUnavailable }
            if let retry = injection.retry { state.retries.record(retry, version: entry.version) }
            state.underWay = nil
            tree.version = entry.version
            state.lastTime = entry.time
            didCommit(entry, in: tree, turnTime: tree.turnTime)
            if entry.changesPending { updateTimers(&state) }
            didChange(to: entry.version, tree, &state)
            let outcome = EventOutcome(
                version: entry.version, turn: underWay.turn, path: entry.path, leaf: tree.root.visibleLeaf.id,
                route: injection.wantsRoute ? route(of: tree, &state) : nil, turnTime: tree.turnTime)
            chargeTree(&state)
            if injection.retry != nil { state.outcome = outcome }
            return (outcome, entry.changesPending ? pendingNote(committedAfter: entry.version - 1, &state) : nil)
        }
        notifyKeeper(note)
        return outcome
    }

    /// Reports an event of this server that is in the journal, to whose version the tree is. The turn keeps the reports
    /// in order.
    func didCommit(_ entry: JournalEntry, in tree: SessionTree, turnTime: UInt64?) {
        guard let report = host.hooks.didCommit else { return }
        report(CommittedEvent(entry, (tree.screenName, turnTime), of: names.withLock(\.self)))
    }

    /// Notifies the followers that the tree is at a new version.
    func didChange(to version: Int, _ tree: SessionTree, _ state: inout State) {
        state.published = nil
        state.outcome = nil
        guard isFollowed else { return }
        let route = self.route(of: tree, &state)
        show(state)
        notifyFollowers(of: version, route)
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
