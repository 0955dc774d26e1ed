internal import Coordinate
internal import Synchronization

// Building the tree from the journal, and releasing it.

extension Session {
    func discardTree(_ state: inout State) {
        state.underWay = nil
        state.retries = RetryWindow()
        guard state.tree != nil else { return }
        state.tree = nil
        state.outcome = nil
        host.counters.countTree(-1)
        chargeTree(&state)
    }

    /// Builds the tree, unless there is one.
    ///
    /// - Parameters:
    ///   - injection: The event that needs it. The tree is not built only to be broken again.
    ///   - version: The least version that the tree must have.
    nonisolated(nonsending) func buildTree(
        for injection: EventInjection? = nil, atLeast version: Int = 0
    ) async throws(SessionError) {
        let needsTree = try withState(shows: false) { state throws(SessionError) in
            if state.hasUsableTree, state.version >= version { return false }
            if let injection, let error = refusalWithoutTree(of: injection, state) { throw error }
            return true
        }
        guard needsTree else { return }
        try await catchUp()
        if isStopping { throw .draining }
    }

    private func refusalWithoutTree(of injection: EventInjection, _ state: borrowing State) -> SessionError? {
        guard !state.failures.isEmpty, injection.condition.allows(state.version) else { return nil }
        let now = host.clock.uptime()
        // If others write to the journal, it may be at another version by now.
        if !host.journal.isShared, let error = state.failures.refusal(of: injection, at: now) { return error }
        return state.failures.isOverdrawn(at: now) ? .tooBusy : nil
    }

    /// Builds the tree, or brings it up to date with the journal: at once if that is quick, else on a lane. It is
    /// abandoned if the task is cancelled and no other request waits.
    ///
    /// - Parameter mark: The mark of an entry that the journal may have; ``State/found`` is its version.
    func catchUp(seeking mark: UInt64? = nil) async throws(SessionError) {
        hasNews.store(false, ordering: .sequentiallyConsistent)
        let journal = host.journal
        let (from, version, isWaking) = withState(shows: false) { state in
            (state.sought, state.found) = (mark, nil)
            return (state.tree?.version ?? 0, state.version, state.tree == nil)
        }
        let start = ContinuousClock.now
        do throws(SessionError) {
            let walk = HistoryWalk(
                over: HistoryPages(of: id, in: journal, after: from, upTo: journal.isAsKnown ? version : nil),
                on: host.scheduler, for: client, isAwaited: { !self.turns.isEmpty })
            let isQuick = journal.isAsKnown && version - from <= HistoryWalk.quickLimit && !isSlow
            let timeHere = try await walk.visitAll(beginningHere: isQuick) { entry throws(SessionError) in
                try self.withState { state throws(SessionError) in try self.replay(entry, &state) }
                return true
            }
            if timeHere > .milliseconds(Int(SessionTree.expectedTime)) { recordSlowTurn() }
            let note = try withState { state throws(SessionError) in
                _ = try tree(&state)
                chargeTree(&state)
                updateTimers(&state)
                return pendingNote(committedAfter: nil, &state)
            }
            if isWaking { host.counters.countWaking(start.duration(to: .now)) }
            notifyKeeper(note)
        } catch {
            didNotCatchUp(error)
            throw error
        }
    }

    private func didNotCatchUp(_ error: SessionError) {
        if case .hasEnded = error { return dismiss() }
        withState { state in
            discardTree(&state)
            state.quarantine = Quarantine(error) ?? state.quarantine
        }
        if let reason = Quarantine(error) {
            host.recordQuarantine(reason)
        } else if case .abandoned = error {
            // Requests that have arrived since begin again.
        } else {
            // They would wait for the same again.
            turns.refuseWaiting(error)
        }
        if isFollowed { catchUpLater() }
    }

    /// Tries again at the next sweep: the followers may not learn of the change in any other way.
    private func catchUpLater() {
        guard !isOverdue.exchange(true, ordering: .relaxed) else { return }
        host.retryList.append { [weak self] in
            guard let self else { return }
            isOverdue.store(false, ordering: .relaxed)
            receiveChange()
        }
    }

    private func tree(_ state: inout State) throws(SessionError) -> SessionTree {
        if let tree = state.tree { return tree }
        guard !hasEnded else { throw .hasEnded }
        guard host.budget.mayWake else { throw .memoryIsFull }
        let tree = try SessionTree(host.app, beginning, of: id)
        state.tree = tree
        host.counters.countTree(1)
        chargeTree(&state)
        return tree
    }

    /// Replays an entry of the journal, and notifies the followers if it is new.
    private func replay(_ entry: JournalEntry, _ state: inout State) throws(SessionError) {
        let tree = try tree(&state)
        try tree.replay(entry)
        chargeTree(&state)
        if let retry = entry.retry { state.retries.record(retry, version: entry.version) }
        if let mark = entry.mark, mark == state.sought {
            state.found = entry.version
            didCommit(entry, in: tree, turnTime: nil)
        }
        state.lastTime = max(state.lastTime, entry.time)
        guard entry.version > state.version else { return }
        state.version = entry.version
        state.failures.removeRefusals()
        didChange(to: entry.version, tree, &state)
    }

    // MARK: Changes by other servers

    /// Handles a possible change by another server.
    func receiveChange() {
        guard !hasNews.exchange(true, ordering: .sequentiallyConsistent) else { return }
        Task(executorPreference: host.executor) { await self.readNews() }
    }

    private func readNews() async {
        do throws(SessionError) {
            try await inTurn(isRequest: false) { () async throws(SessionError) in
                guard hasNews.load(ordering: .sequentiallyConsistent), !isStopping else { return }
                try checkIsOpen()
                try await catchUp()
            }
        } catch {
            hasNews.store(false, ordering: .sequentiallyConsistent)
            if isFollowed, !isStopping { catchUpLater() }
        }
    }
}
