internal import Coordinate
internal import Synchronization

/// One coordinator tree with its version and its published route: what the app makes of the entries in the journal.
///
/// All of it is under one lock. What happens when is the ``SessionMachine``'s business; this does what it says. The tree
/// can be let go of whenever it is not to be trusted or not in use, and the whole session whenever nobody holds it: the
/// journal is the truth, and this a cache of it.
///
/// The journal is called with the lock held, and what it answers later comes in through ``tell(_:)``. Whoever waits for
/// something is told with nothing locked.
package final class Session: Sendable {
    package let id: SessionID
    /// The things that its tree is made of before any event.
    let beginning: SessionBeginning
    let host: SessionHost
    /// When it was last asked for, by the clock that never jumps.
    private let lastUse: Atomic<Int>
    /// Until when the journal keeps it, as far as it was told, by the same clock.
    private let keptUntil: Atomic<Int>
    /// Whether somebody is told of what happens: then it is in use.
    private let hasFollowers = Atomic(false)
    private let isOver = Atomic(false)
    /// The thread that has its lock and runs the app; 0 for none.
    private let holder = Atomic(UInt64(0))
    /// Whether it is to have another try at catching up.
    private let isOverdue = Atomic(false)
    /// The number of who asked for it last.
    private let lastRequester = Atomic(Requester.host.number)
    /// The last version of which its keeper knows what is pending.
    let notedVersion = Atomic(-1)
    let state: Mutex<State>

    struct State {
        var machine: SessionMachine<SessionWork>
        /// Nil before the first use, after a failed turn, and in the end.
        var tree: SessionTree?
        var underWay: EventUnderWay?
        /// The route of the committed version, encoded when it is first needed.
        var published: (any EncodedRoute)?
        var followers = Followers()
        /// Tells of other servers, as long as somebody follows.
        var subscription: (any JournalSubscription)?
        /// The time of the last event: time does not go back.
        var lastTime: Timestamp
        /// What its tree and route are charged with, in bytes.
        var charge = 0
        /// Whether the journal had no room for its last event. Then no turn is made only to be discarded.
        var isFull = false
        /// Whether its keeper was told of something pending.
        var hasNotedWork = false
    }

    /// A session that is in the journal.
    ///
    /// - Parameter isUsed: Whether it is used now; else it was last used as far as the journal knows.
    init(_ head: SessionHead, host: SessionHost, isUsed: Bool = true) {
        self.host = host
        id = head.record.id
        beginning = head.record.beginning
        let now = host.clock.uptime()
        let use = isUsed ? now : host.use(before: head.expiresAt)
        lastUse = Atomic(use)
        keptUntil = Atomic(isUsed ? now : host.expiry(afterUseAt: use))
        state = Mutex(
            State(
                machine: SessionMachine(
                    version: head.version, isShared: host.journal.isShared, quarantine: host.quarantine(of: head)),
                lastTime: head.lastEventAt ?? head.record.startedAt))
    }

    /// A session that is about to be in the journal, with its tree.
    ///
    /// - Parameter expiry: Until when it is kept, by the clock that never jumps.
    init(
        _ record: SessionRecord, host: SessionHost, tree: sending SessionTree, retry: Retry?,
        published: (any EncodedRoute)?,
        until expiry: Int
    ) {
        self.host = host
        id = record.id
        beginning = record.beginning
        lastUse = Atomic(host.clock.uptime())
        keptUntil = Atomic(expiry)
        let version = tree.version
        tree.session = id
        var machine = SessionMachine<SessionWork>(version: version, isShared: host.journal.isShared)
        machine.adoptTree(retry: retry)
        let charge = MemoryBudget.size(ofTree: tree.root.treeSize, route: published?.size ?? 0)
        state = Mutex(
            State(
                machine: machine, tree: tree, published: published, lastTime: record.startedAt, charge: charge))
        host.counters.countTree(1)
        host.budget.charge(charge, to: .trees)
    }

    deinit {
        state.withLock { state in
            if state.tree != nil { host.counters.countTree(-1) }
            host.budget.charge(-state.charge, to: .trees)
        }
    }

    // MARK: Who uses it

    /// For whom it does now what takes long.
    var requester: Requester { Requester(number: lastRequester.load(ordering: .relaxed)) }

    /// Notes who asks for it.
    func note(_ requester: Requester) {
        // Most are who asked before.
        guard lastRequester.load(ordering: .relaxed) != requester.number else { return }
        lastRequester.store(requester.number, ordering: .relaxed)
    }

    // MARK: Age

    /// Notes that it is in use. The journal is told so seldom that it costs nothing, and so early that it is never late.
    func touch() {
        touch(at: host.clock.uptime())
    }

    func touch(at now: Int) {
        // Most requests are not the first one of their second.
        if lastUse.load(ordering: .relaxed) != now { lastUse.store(now, ordering: .sequentiallyConsistent) }
        let idleTime = host.limits.idleTime
        if keptUntil.load(ordering: .sequentiallyConsistent) < now + idleTime {
            keep(until: now + idleTime + idleTime / 10)
        }
    }

    /// Notes that it is in use where somebody follows it, and returns whether that is so.
    func touchIfFollowed() -> Bool {
        guard isFollowed else { return false }
        touch()
        return true
    }

    private func keep(until expiry: Int) {
        guard keptUntil.exchange(expiry, ordering: .sequentiallyConsistent) != expiry else { return }
        host.journal.keep(id, until: host.clock.moment(at: expiry))
    }

    /// Tells the journal when it was last used, unless that is what it knows: now that it is let go of, or listed. Whoever
    /// follows it uses it now.
    func noteUse() {
        if isFollowed { lastUse.store(host.clock.uptime(), ordering: .sequentiallyConsistent) }
        var use: Int
        repeat {
            use = lastUse.load(ordering: .sequentiallyConsistent)
            keep(until: host.expiry(afterUseAt: use))
            // Who used it meanwhile may have left it at what the journal was told before, or told it too early.
        } while lastUse.load(ordering: .sequentiallyConsistent) != use
    }

    /// Whether it has not been used for so long that it has expired.
    func hasExpired(by now: Int) -> Bool {
        !isFollowed && lastUse.load(ordering: .relaxed) + host.limits.idleTime <= now
    }

    /// Since when nobody has used it, by the clock that never jumps.
    var idleSince: Int {
        isFollowed ? host.clock.uptime() : lastUse.load(ordering: .relaxed)
    }

    /// Whether somebody is told of what happens.
    var isFollowed: Bool { hasFollowers.load(ordering: .relaxed) }

    /// Whether it has come to its end, here or elsewhere.
    package var hasEnded: Bool { isOver.load(ordering: .relaxed) }

    /// Whether nothing is under way, and nobody waits or follows: then it can be let go of.
    var isIdle: Bool {
        state.withLock { $0.machine.isIdle && $0.followers.isEmpty }
    }

    /// Why it changes no more, nil where it does.
    var quarantine: Quarantine? {
        state.withLock { state in
            if case .quarantined(let reason) = state.machine.phase { reason } else { nil }
        }
    }

    /// Notes what the journal knows of crashes by now.
    func note(_ crash: CrashNote?) {
        guard quarantine?.isOfCrashes ?? false != (crash != nil) else { return }
        tell(.judged(crash))
        if let crash, quarantine == .crashed(crash) { host.noteQuarantine(.crashed(crash)) }
    }

    /// To be called whenever somebody came or left: the first one to come uses it, and the last one who leaves.
    func noteFollowers(_ state: inout State) {
        if state.followers.isEmpty {
            if hasFollowers.exchange(false, ordering: .relaxed) { touch() }
            state.subscription = nil
        } else if !hasFollowers.exchange(true, ordering: .relaxed) {
            touch()
            state.subscription = host.journal.follow(id) { [weak self] in self?.tell(.changedElsewhere) }
        }
    }

    // MARK: An app that does not come to an end

    /// Whether a turn keeps it that does not end: whoever waited for its lock would wait with it.
    var isHeldUp: Bool {
        let holder = holder.load(ordering: .relaxed)
        return holder != 0 && host.app.watch?.isStuck(holder) == true
    }

    private func noteHolder(_ thread: UInt64?) {
        holder.store(thread ?? 0, ordering: .relaxed)
    }

    // MARK: Doing what the machine says

    /// Hands a request in. It is told when it is done, which may be before this returns.
    func submit(_ work: SessionWork) {
        tell(.submitted(work))
    }

    /// Tells the machine what happened, and does what it says.
    func tell(_ input: SessionMachine<SessionWork>.Input) {
        var outbox = Outbox()
        state.withLock { state in
            noteHolder(host.app.watch?.thread)
            defer { noteHolder(nil) }
            carryOut(state.machine.receive(input), &state, &outbox)
        }
        outbox.deliver()
    }

    /// What is to be done once nothing is locked. The first thing takes no memory of its own.
    private struct Outbox: Sendable {
        private var first: Delivery?
        private var rest: [Delivery] = []

        mutating func add(_ delivery: Delivery) {
            if first == nil { first = delivery } else { rest.append(delivery) }
        }

        mutating func add(_ body: @escaping @Sendable () -> Void) {
            add(.call(body))
        }

        func deliver() {
            first?.deliver()
            for delivery in rest { delivery.deliver() }
        }
    }

    private func carryOut(
        _ effects: Effects<SessionWork>, _ state: inout State, _ outbox: inout Outbox
    ) {
        var effects = effects
        while let effect = effects.popFirst() {
            switch effect {
            case .apply(let work): effects.append(state.machine.receive(apply(work, &state)))
            case .append:
                guard let underWay = state.underWay else { continue }
                switch host.journal.append(underWay.entry, to: id) {
                case .now(let result):
                    if case .failure(.full) = result { state.isFull = true }
                    effects.append(state.machine.receive(.appended(counted(result))))
                case .later(let promise): outbox.add { promise.whenDone { self.tell(.appended(self.counted($0))) } }
                }
            case .publish(let work): publish(work, &state, &outbox)
            case .show(let work):
                if case .look(let show, _, _) = work.wish { outbox.add(show(self, &state)) }
            case .retell(let work, let version):
                if case .event(let injection, let promise) = work.wish {
                    outbox.add { self.retell(version, wantsRoute: injection.wantsRoute).whenDone(promise.fulfil) }
                }
            case .refuse(let work, let error): outbox.add(work.refuse(error))
            case .discard: discardTree(&state)
            case .catchUp:
                switch catchUpAtOnce(&state) {
                case .done(let input):
                    noteWork(committedAfter: nil, &state) { outbox.add($0) }
                    chargeTree(&state)
                    effects.append(state.machine.receive(input))
                case .takesTime(let begun):
                    let (tree, version) = (state.tree?.version ?? 0, state.machine.version)
                    outbox.add { self.catchUp(from: tree, knowing: version, begun) }
                }
            case .end(_, let version):
                switch host.journal.end(id, at: version) {
                case .now(let result):
                    if case .success = result { outbox.add { self.host.didEnd(self.id) } }
                    effects.append(state.machine.receive(.endAnswered(counted(result))))
                case .later(let promise):
                    outbox.add {
                        promise.whenDone { result in
                            if case .success = result { self.host.didEnd(self.id) }
                            self.tell(.endAnswered(self.counted(result)))
                        }
                    }
                }
            case .confirmEnd(let work):
                if case .end(_, let promise) = work.wish { outbox.add { promise.fulfil(.success(())) } }
            case .dismiss:
                isOver.store(true, ordering: .relaxed)
                state.followers.letGo(hasEnded: true)
                noteFollowers(&state)
                state.published = nil
                discardTree(&state)
                if let keeper = host.keeper.keeper { outbox.add { keeper.forget(self.id) } }
            }
        }
    }

    /// The journal's answer to a change, now that it is counted.
    private func counted(_ answer: Result<Void, JournalError>) -> Result<Void, JournalError> {
        host.counters.countAnswer(answer)
        return answer
    }

    // MARK: A turn

    /// Runs the request's event as a turn, and makes the entry of it that the journal is to have.
    private func apply(_ work: SessionWork, _ state: inout State) -> SessionMachine<SessionWork>.Input {
        guard case .event(let injection, _) = work.wish, let tree = state.tree else { return .refused(.hasEnded) }
        guard state.machine.version < host.limits.maximumEvents, !state.isFull else { return .refused(.historyIsFull) }
        guard !host.budget.isFull else { return .refused(.memoryIsFull) }
        do throws(SessionError) {
            let time = max(state.lastTime, host.clock.timestamp())
            let turn = try tree.apply(injection.event, at: time)
            let entry = host.entry(
                version: state.machine.version + 1, time: time, turn, tree, injection, mark: work.mark)
            state.underWay = EventUnderWay(turn, entry)
            return .applied
        } catch {
            return tree.isBroken ? .failed(error) : .refused(error)
        }
    }

    /// Lets everybody see the version that was just committed.
    private func publish(_ work: SessionWork, _ state: inout State, _ outbox: inout Outbox) {
        guard case .event(let injection, let promise) = work.wish, let underWay = state.underWay,
            let tree = state.tree
        else {
            // It is in the journal, and the session was let go of meanwhile.
            return outbox.add(work.refuse(.journal(.outcomeUnknown)))
        }
        state.underWay = nil
        tree.version = underWay.entry.version
        state.lastTime = underWay.entry.time
        host.counters.countEvent(isHandled: underWay.entry.isHandled)
        if underWay.entry.version == 1 { host.newcomers.remove(id) }
        published(underWay.entry.version, tree, &state)
        if underWay.entry.changesPending {
            noteWork(committedAfter: underWay.entry.version - 1, &state) { outbox.add($0) }
        }
        let outcome = EventOutcome(
            version: underWay.entry.version, turn: underWay.turn, path: underWay.entry.path,
            leaf: tree.root.visibleLeaf.id,
            route: injection.wantsRoute ? route(of: tree, &state) : nil)
        chargeTree(&state)
        outbox.add(.outcome(.success(outcome), promise))
    }

    /// Tells those who follow that the tree is at a new version.
    private func published(_ version: Int, _ tree: SessionTree, _ state: inout State) {
        state.published = nil
        guard !state.followers.isEmpty else { return }
        state.followers.tell(version, route(of: tree, &state))
        noteFollowers(&state)
    }

    /// The route of the tree's version, encoded at most once.
    func route(of tree: SessionTree, _ state: inout State) -> any EncodedRoute {
        if let published = state.published { return published }
        let route = host.encode(tree.navigationState, id, tree.version)
        host.counters.countRouteEncoding()
        state.published = route
        chargeTree(&state)
        return route
    }

    /// Charges the tree, and the route that was encoded of it, as far as that has changed.
    private func chargeTree(_ state: inout State) {
        let charge = MemoryBudget.size(ofTree: state.tree?.root.treeSize ?? 0, route: state.published?.size ?? 0)
        guard charge != state.charge else { return }
        host.budget.charge(charge - state.charge, to: .trees)
        state.charge = charge
    }

    // MARK: The tree

    private func discardTree(_ state: inout State) {
        state.underWay = nil
        guard state.tree != nil else { return }
        state.tree = nil
        host.counters.countTree(-1)
        chargeTree(&state)
    }

    private enum QuickTry {
        case done(SessionMachine<SessionWork>.Input)
        case takesTime(BegunCatchUp)
    }

    /// How far it came before it had to go on on a lane.
    private struct BegunCatchUp {
        /// When the tree was needed; nil where there was one.
        let start: ContinuousClock.Instant?
        /// Whether a part of it was done.
        var isBegun = false
        /// The next entries, where they were asked for already.
        var coming: HistoryWalk.Page?
    }

    /// Makes the tree where that is quick and nobody has to be waited for.
    private func catchUpAtOnce(_ state: inout State) -> QuickTry {
        var begun = BegunCatchUp(start: state.tree == nil ? ContinuousClock.now : nil)
        let (from, version) = (state.tree?.version ?? 0, state.machine.version)
        guard host.journal.isAsKnown, version - from <= HistoryWalk.quickLimit else { return .takesTime(begun) }
        do throws(SessionError) {
            let isDone = try host.lanes.atOnce { slice throws(SessionError) in
                begun.isBegun = true
                begun.coming = try replay(from..<version, within: slice, &state)
                guard begun.coming == nil, state.tree?.version ?? 0 == version else { return false }
                _ = try tree(&state)
                return true
            }
            guard isDone == true else { return .takesTime(begun) }
            countWaking(since: begun.start)
            return .done(.caughtUp(nil))
        } catch {
            note(error)
            return .done(.caughtUp(error))
        }
    }

    /// Replays entries for as long as there is time.
    ///
    /// - Returns: those that the journal does not give at once.
    private func replay(
        _ versions: Range<Int>, within slice: WorkSlice, _ state: inout State
    ) throws(SessionError) -> HistoryWalk.Page? {
        var position = versions.lowerBound
        while position < versions.upperBound {
            let limit = min(versions.upperBound - position, HistoryWalk.quickPageLimit)
            let read = host.journal.read(id, after: position, limit: limit)
            guard let page = read.result else { return HistoryWalk.Page(entries: read, limit: limit) }
            let entries = try page.mapError(SessionError.init).get()
            guard !entries.isEmpty else { throw .journal(.unavailable) }
            for entry in entries {
                try replay(entry, &state)
                if slice.isOver { return nil }
            }
            position += entries.count
        }
        return nil
    }

    /// Makes the tree on a lane, with whatever is in the journal.
    ///
    /// - Parameters:
    ///   - version: That of the tree that is there; 0 where there is none.
    ///   - known: The last version that is known to be in the journal.
    private func catchUp(from version: Int, knowing known: Int, _ begun: BegunCatchUp) {
        let journal = host.journal
        HistoryWalk.go(
            journal, of: id, after: version, upTo: journal.isAsKnown ? known : nil,
            expecting: begun.isBegun ? nil : known - version, on: host.lanes, .urgent, for: requester,
            first: begun.coming
        ) { entry throws(SessionError) in
            try self.state.withLock { state throws(SessionError) in
                self.noteHolder(self.host.app.watch?.thread)
                defer { self.noteHolder(nil) }
                try self.replay(entry, &state)
            }
            return true
        }.whenDone(for: self) { result in
            var noted: (@Sendable () -> Void)?
            let (error, isFollowed) = self.state.withLock { state -> (SessionError?, Bool) in
                do throws(SessionError) {
                    try result.get()
                    _ = try self.tree(&state)
                    self.countWaking(since: begun.start)
                    self.noteWork(committedAfter: nil, &state) { noted = $0 }
                    self.chargeTree(&state)
                    return (nil, false)
                } catch {
                    return (error, !state.followers.isEmpty)
                }
            }
            if let error { self.note(error) }
            if isFollowed { self.catchUpLater() }
            self.tell(.caughtUp(error))
            noted?()
        }
    }

    /// - Parameter beginning: When the tree was needed; nil where there was one.
    private func countWaking(since beginning: ContinuousClock.Instant?) {
        if let beginning { host.counters.countWaking(beginning.duration(to: .now)) }
    }

    /// Has another try when the sessions are looked after next: those who follow may hear of it from nobody else.
    private func catchUpLater() {
        guard !isOverdue.exchange(true, ordering: .relaxed) else { return }
        host.overdue.add { [weak self] in
            guard let self else { return }
            isOverdue.store(false, ordering: .relaxed)
            tell(.changedElsewhere)
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

    /// Takes an entry of the journal, and tells those who follow of it where it is new.
    private func replay(_ entry: JournalEntry, _ state: inout State) throws(SessionError) {
        let tree = try tree(&state)
        // The tree that the entries before it were for has been let go of.
        guard entry.version == tree.version + 1 else { throw .draining }
        try tree.replay(entry)
        let isNew = entry.version > state.machine.version
        _ = state.machine.receive(.learned(version: entry.version, retry: entry.retry, mark: entry.mark))
        state.lastTime = max(state.lastTime, entry.time)
        if isNew { published(entry.version, tree, &state) }
    }

    private func note(_ error: SessionError) {
        if let reason = Quarantine(error) { host.noteQuarantine(reason) }
    }

    // MARK: The server's end

    /// Begins nothing new, and tries nothing again.
    func drain() {
        tell(.drained)
    }

    /// Lets go of those who follow, and of the tree. The session is in the journal, and goes on when it is next found.
    func letGo() {
        state.withLock { state in
            state.followers.letGo(hasEnded: false)
            noteFollowers(&state)
            discardTree(&state)
        }
    }
}

/// Its tree, while that is being made.
extension Session: Awaited {
    package var isAwaited: Bool { state.withLock { !$0.followers.isEmpty || $0.machine.isAwaited } }
}

extension SessionHost {
    /// What the journal is to have of a turn.
    func entry(
        version: Int, time: Timestamp, _ turn: Turn, _ tree: SessionTree, _ injection: EventInjection, mark: UInt64?
    ) -> JournalEntry {
        JournalEntry(
            version: version, time: time, appVersion: app.version, event: turn.event, payload: turn.payload,
            at: turn.at, isHandled: turn.dispatch.isHandled, handledBy: turn.dispatch.handledBy, path: turn.path,
            origin: injection.event.origin, pending: injection.event.pending, begun: turn.begun, ended: turn.ended,
            wake: tree.wake(from: time), traceparent: injection.event.traceparent, retry: injection.retry, mark: mark)
    }
}

extension Journal {
    /// Whether it has nothing but what this server knows to be in it.
    fileprivate var isAsKnown: Bool { !isShared && !losesAnswers }
}
