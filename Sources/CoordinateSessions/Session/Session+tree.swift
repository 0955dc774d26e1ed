internal import Coordinate
internal import Dispatch
internal import Synchronization

extension Session {
    func discardTree(_ state: inout State) {
        state.underWay = nil
        guard state.tree != nil else { return }
        state.tree = nil
        state.outcome = nil
        host.counters.countTree(-1)
        chargeTree(&state)
    }

    enum QuickTry {
        case done(SessionMachine<SessionCommand>.Input)
        case takesTime(BegunCatchUp)
    }

    /// The part of catching up that was done before a lane continues.
    struct BegunCatchUp {
        /// The time at which the tree was needed; `nil` if there was one.
        let start: ContinuousClock.Instant?
        /// The entries that are still to be replayed.
        var pages: HistoryPages
    }

    /// Builds the tree if that is quick and needs no waiting.
    func catchUpAtOnce(_ state: inout State) -> QuickTry {
        let journal = host.journal
        let (from, version) = (state.tree?.version ?? 0, state.machine.version)
        var begun = BegunCatchUp(
            start: state.tree == nil ? ContinuousClock.now : nil,
            pages: HistoryPages(of: id, in: journal, after: from, upTo: journal.isAsKnown ? version : nil))
        guard journal.isAsKnown, version - from <= HistoryWalk.quickLimit, !isSlow else { return .takesTime(begun) }
        do throws(SessionError) {
            let isDone = try host.scheduler.atOnce { slice throws(SessionError) in
                defer { if slice.elapsed > .milliseconds(Int(SessionTree.expectedTime)) { recordSlowTurn() } }
                repeat {
                    switch try begun.pages.next() {
                    case .entry(let entry): try replay(entry, &state)
                    case .waiting: return false
                    case .end:
                        _ = try tree(&state)
                        return true
                    }
                } while !slice.isOver
                return false
            }
            guard isDone == true else { return .takesTime(begun) }
            countWaking(since: begun.start)
            return .done(.caughtUp(nil))
        } catch {
            recordQuarantine(after: error)
            return .done(.caughtUp(error))
        }
    }

    /// Builds the tree on a lane, from the remaining entries.
    func catchUp(_ begun: BegunCatchUp) {
        HistoryWalk.go(over: begun.pages, expecting: nil, on: host.scheduler, for: client, slices: self) {
            entry throws(SessionError) in
            try self.state.withLock { state throws(SessionError) in try self.replay(entry, &state) }
            return true
        }.whenDelivered(for: self) { result in
            self.post(
                .call { session, state, outbox in session.caughtUp(result, begun, &state, &outbox) },
                on: self.host.scheduler)
        }
    }

    func caughtUp(
        _ result: Result<Void, SessionError>, _ begun: BegunCatchUp, _ state: inout State, _ outbox: inout Outbox
    ) {
        var failure: SessionError?
        do throws(SessionError) {
            try result.get()
            _ = try tree(&state)
            countWaking(since: begun.start)
            notifyKeeper(committedAfter: nil, &state) { outbox.append($0) }
            chargeTree(&state)
        } catch {
            failure = error
            outbox.append { self.recordQuarantine(after: error) }
            if !state.followers.isEmpty { catchUpLater() }
        }
        carryOut(advance(with: .caughtUp(failure), &state), &state, &outbox)
    }

    /// - Parameter beginning: The time at which the tree was needed; `nil` if there was one.
    func countWaking(since beginning: ContinuousClock.Instant?) {
        if let beginning { host.counters.countWaking(beginning.duration(to: .now)) }
    }

    /// Tries again at the next sweep: the followers may not learn of the change in any other way.
    func catchUpLater() {
        guard !isOverdue.exchange(true, ordering: .relaxed) else { return }
        host.retryList.append { [weak self] in
            guard let self else { return }
            isOverdue.store(false, ordering: .relaxed)
            receiveChange()
        }
    }

    func tree(_ state: inout State) throws(SessionError) -> SessionTree {
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
    func replay(_ entry: JournalEntry, _ state: inout State) throws(SessionError) {
        let tree = try tree(&state)
        // The tree into which the earlier entries were replayed has been released.
        guard entry.version == tree.version + 1 else { throw .draining }
        try tree.replay(entry)
        chargeTree(&state)
        let isNew = entry.version > state.machine.version
        _ = state.machine.receive(.learned(version: entry.version, retry: entry.retry, mark: entry.mark))
        if state.machine.found == entry.version { didCommit(entry, in: tree, turnTime: nil) }
        state.lastTime = max(state.lastTime, entry.time)
        if isNew { published(entry.version, tree, &state) }
    }

    func recordQuarantine(after error: SessionError) {
        if let reason = Quarantine(error) { host.recordQuarantine(reason) }
    }
}
