internal import Coordinate
internal import Synchronization

/// A session in memory: its tree of coordinators, its version and its encoded route, all made from the entries in the
/// journal.
///
/// All of it is under one lock. The ``SessionMachine`` decides what to do next, and the session does it. The tree can
/// be released whenever it is not to be trusted or not in use, and the whole session whenever nothing holds it: the
/// journal is the truth, and this a cache of it.
///
/// The journal is called with the lock held, and its later results come in through ``tell(_:)``. Promises are fulfilled
/// with nothing locked.
package final class Session: Sendable {
    package let id: SessionID
    /// The values of which its tree is made before any event.
    let beginning: SessionBeginning
    let host: SessionHost
    /// The time of its last use, by the clock that never jumps.
    private let lastUse: Atomic<Int>
    /// The time until which the journal keeps it, as far as the journal was told, by the same clock.
    private let keptUntil: Atomic<Int>
    /// True where it has followers: then it is in use.
    private let hasFollowers = Atomic(false)
    private let isOver = Atomic(false)
    /// The thread that has its lock and may run the app; 0 for none.
    private let holder = Atomic(UInt64(0))
    /// True where it will try again to catch up with the journal.
    private let isOverdue = Atomic(false)
    /// The number of the last requester that used it.
    private let lastRequester = Atomic(Requester.host.number)
    /// The last version of which the keeper knows what is pending.
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
        /// The subscription to other servers' changes, as long as there are followers.
        var subscription: (any JournalSubscription)?
        /// The time of the last event: time does not go back.
        var lastTime: Timestamp
        /// The bytes that its tree and route are charged with.
        var charge = 0
        /// True where the journal had no room for its last event. Then no turn is run only to be discarded.
        var isFull = false
        /// True where the keeper was last told that something is pending.
        var hasNotedWork = false
    }

    /// Makes the session of a head in the journal.
    ///
    /// - Parameter isUsed: True where this is a use; else its last use is the one that the journal knows.
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

    /// Makes a session that is about to be in the journal, with its tree.
    ///
    /// - Parameter expiry: The time until which it is kept, by the clock that never jumps.
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
            discardTree(&state)
            host.budget.charge(-state.charge, to: .trees)
        }
    }

    // MARK: Who uses it

    /// The requester for which its long work is done now.
    var requester: Requester { Requester(number: lastRequester.load(ordering: .relaxed)) }

    /// Notes the requester that uses it.
    func note(_ requester: Requester) {
        // Most are who asked before.
        guard lastRequester.load(ordering: .relaxed) != requester.number else { return }
        lastRequester.store(requester.number, ordering: .relaxed)
    }

    // MARK: Age

    /// Notes a use. The journal is notified so seldom that it costs nothing, and early enough to keep the session.
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

    /// Notes a use where it has followers, and returns true then.
    func touchIfFollowed() -> Bool {
        guard isFollowed else { return false }
        touch()
        return true
    }

    private func keep(until expiry: Int) {
        guard keptUntil.exchange(expiry, ordering: .sequentiallyConsistent) != expiry else { return }
        host.journal.keep(id, until: host.clock.moment(at: expiry))
    }

    /// Tells the journal of the last use, unless the journal knows it: when the session is released, or listed. A
    /// session with followers is in use now.
    func noteUse() {
        if isFollowed { lastUse.store(host.clock.uptime(), ordering: .sequentiallyConsistent) }
        var use: Int
        repeat {
            use = lastUse.load(ordering: .sequentiallyConsistent)
            keep(until: host.expiry(afterUseAt: use))
            // A use in the meantime may have found an older time in the journal late enough, or told it an earlier one.
        } while lastUse.load(ordering: .sequentiallyConsistent) != use
    }

    /// True where it has not been used for so long that it has expired.
    func hasExpired(by now: Int) -> Bool {
        !isFollowed && lastUse.load(ordering: .relaxed) + host.limits.idleTime <= now
    }

    /// The time since which it has not been used, by the clock that never jumps.
    var idleSince: Int {
        isFollowed ? host.clock.uptime() : lastUse.load(ordering: .relaxed)
    }

    /// True where it has followers.
    var isFollowed: Bool { hasFollowers.load(ordering: .relaxed) }

    /// True where it has ended, here or on another server.
    package var hasEnded: Bool { isOver.load(ordering: .relaxed) }

    /// True where nothing is under way, and nobody waits or follows: then it can be released.
    var isIdle: Bool {
        state.withLock { $0.machine.isIdle && $0.followers.isEmpty }
    }

    /// The reason why it changes no more, nil where it does.
    var quarantine: Quarantine? {
        state.withLock { state in
            if case .quarantined(let reason) = state.machine.phase { reason } else { nil }
        }
    }

    /// Takes up what the journal knows of crashes by now.
    func note(_ crash: CrashNote?) {
        guard quarantine?.isOfCrashes ?? false != (crash != nil) else { return }
        tell(.judged(crash))
        if let crash, quarantine == .crashed(crash) { host.noteQuarantine(.crashed(crash)) }
    }

    /// Updates the subscription after a follower was added or removed: the first to come counts as a use, and so does
    /// the last to leave.
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

    /// True where a turn that does not end holds its lock: whoever waited for the lock would be blocked, too.
    var isHeldUp: Bool {
        let holder = holder.load(ordering: .relaxed)
        return holder != 0 && host.app.watch?.isStuck(holder) == true
    }

    private func noteHolder(_ thread: UInt64?) {
        holder.store(thread ?? 0, ordering: .relaxed)
    }

    // MARK: Doing what the machine says

    /// Submits a request. Its promise may be fulfilled before this returns.
    func submit(_ work: SessionWork) {
        tell(.submitted(work))
    }

    /// Gives an input to the machine, and carries out its effects.
    func tell(_ input: SessionMachine<SessionWork>.Input) {
        var outbox = Outbox()
        state.withLock { state in
            noteHolder(host.app.watch?.thread)
            defer { noteHolder(nil) }
            carryOut(state.machine.receive(input), &state, &outbox)
        }
        outbox.deliver()
    }

    /// The deliveries to be made once nothing is locked. The first one needs no allocation.
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
                switch underWay.append(to: host.journal, of: id) {
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

    /// The result of a change by the journal, which this counts.
    private func counted(_ answer: Result<Void, JournalError>) -> Result<Void, JournalError> {
        host.counters.countAnswer(answer)
        return answer
    }

    // MARK: A turn

    /// Runs the request's event as a turn, and makes its entry for the journal.
    private func apply(_ work: SessionWork, _ state: inout State) -> SessionMachine<SessionWork>.Input {
        guard case .event(let injection, _) = work.wish, let tree = state.tree else { return .refused(.hasEnded) }
        guard state.machine.version < host.limits.maximumEvents, !state.isFull else { return .refused(.historyIsFull) }
        guard !host.budget.isFull else { return .refused(.memoryIsFull) }
        do throws(SessionError) {
            let time = max(state.lastTime, host.clock.timestamp())
            let turn = try tree.apply(injection.event, at: time)
            state.underWay = EventUnderWay(
                turn, turn.entry(state.machine.version + 1, at: time, in: tree, for: injection, mark: work.mark))
            return .applied
        } catch {
            return tree.isBroken ? .failed(error) : .refused(error)
        }
    }

    /// Makes the version visible that was just committed.
    private func publish(_ work: SessionWork, _ state: inout State, _ outbox: inout Outbox) {
        guard case .event(let injection, let promise) = work.wish, let underWay = state.underWay,
            let tree = state.tree
        else {
            // The event is in the journal, but the session's state was released meanwhile.
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

    /// Tells the followers that the tree is at a new version.
    private func published(_ version: Int, _ tree: SessionTree, _ state: inout State) {
        state.published = nil
        guard !state.followers.isEmpty else { return }
        state.followers.tell(version, route(of: tree, &state))
        noteFollowers(&state)
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

    /// Charges the tree and its encoded route, as far as their size has changed.
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

    /// The work of catching up that was done before it had to go on on a lane.
    private struct BegunCatchUp {
        /// The time at which the tree was needed; nil where there was one.
        let start: ContinuousClock.Instant?
        /// True where a part of it was done.
        var isBegun = false
        /// The next entries, where they were already requested.
        var coming: HistoryWalk.Page?
    }

    /// Makes the tree where that is quick and needs no waiting.
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
    /// - Returns: The page of entries that the journal does not give at once.
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

    /// Makes the tree on a lane, from all entries in the journal.
    ///
    /// - Parameters:
    ///   - version: The version of the present tree; 0 where there is none.
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

    /// - Parameter beginning: The time at which the tree was needed; nil where there was one.
    private func countWaking(since beginning: ContinuousClock.Instant?) {
        if let beginning { host.counters.countWaking(beginning.duration(to: .now)) }
    }

    /// Tries again when the sessions are next looked after: the followers may not learn of the change in any other way.
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

    /// Replays an entry of the journal, and notifies the followers of it where it is new.
    private func replay(_ entry: JournalEntry, _ state: inout State) throws(SessionError) {
        let tree = try tree(&state)
        // The tree into which the entries before this one were replayed has been released.
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

    /// Releases the followers and the tree. The session is in the journal, and goes on when it is next found.
    func letGo() {
        state.withLock { state in
            state.followers.letGo(hasEnded: false)
            noteFollowers(&state)
            discardTree(&state)
        }
    }
}

/// A session is awaited for its tree, while that is being made.
extension Session: Awaited {
    package var isAwaited: Bool { state.withLock { !$0.followers.isEmpty || $0.machine.isAwaited } }
}

extension Turn {
    /// The entry of this turn.
    ///
    /// - Parameter tree: The tree that has just had the turn.
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

extension Journal {
    /// True where it contains nothing but what this server knows to be in it.
    fileprivate var isAsKnown: Bool { !isShared && !losesAnswers }
}
