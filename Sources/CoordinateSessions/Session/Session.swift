internal import Coordinate
internal import Dispatch
internal import Synchronization

/// A session in memory: its tree of coordinators, its version and its encoded route, all derived from the entries in
/// the journal.
///
/// The ``SessionMachine`` decides what to do next, and the session does it. The journal is the truth, and the session a
/// cache of it: its tree can be released when it is not in use or must not be used, and the whole session when nothing
/// holds it.
///
/// ## Where it runs
///
/// Other code sends a session messages by posting them. If nothing runs for the session, the message is processed on
/// its executor: at once if the caller runs there. Otherwise it waits in the mailbox, and the thread that runs for the
/// session processes it: for a millisecond, then a lane continues. So at most one thread runs for a session, and no
/// thread waits for one.
///
/// ``Shown`` contains everything that other code may read without waiting. It is updated after each message.
package final class Session: Sendable {
    package let id: SessionID
    /// The values with which it began.
    let beginning: SessionBeginning
    let host: SessionHost
    /// The time of its last use, by the monotonic clock.
    private let lastUse: Atomic<Int>
    /// The time until which the journal keeps it, as far as the journal was notified, by the same clock.
    private let keptUntil: Atomic<Int>
    /// Whether it has followers. If so, it is in use.
    private let hasFollowers = Atomic(false)
    private let isOver = Atomic(false)
    /// The thread that has its lock and may run the app; 0 for none.
    private let holder = Atomic(UInt64(0))
    /// Whether a retry is scheduled to catch up with the journal.
    private let isOverdue = Atomic(false)
    /// The time until which turns begin on a lane, since one took long, by the monotonic clock.
    private let slowUntil = Atomic(0)
    /// The number of the last client that used it.
    private let lastClient = Atomic(ClientKey.host.number)
    /// The last version whose pending work the keeper knows.
    let notedVersion = Atomic(-1)
    /// Locked by the one thread that runs for the session, so no thread waits for it.
    let state: Mutex<State>
    private let mailbox: Mutex<Mailbox>

    enum Message: Sendable {
        case input(SessionMachine<SessionCommand>.Input)
        /// Any other operation on the state.
        case call(@Sendable (Session, inout State, inout Outbox) -> Void)
    }

    private struct Mailbox {
        var messages: [Message] = []
        /// Whether a thread runs for the session, or is about to.
        var isRunning = false
        var shown: Shown
        /// The requests that the machine keeps until their turn.
        var waiting: [SessionCommand] = []
    }

    /// The state that others can read without waiting, as of the last message that was processed.
    struct Shown: Sendable {
        let version: Int
        let published: (any EncodedRoute)?
        /// Whether the published route belongs to the version, and no other server can have changed it.
        let isReadable: Bool
        /// Whether nothing is under way, and there are no waiting requests or followers.
        let isIdle: Bool
        let hasTree: Bool
        /// The path of the tree; `nil` while something is under way, or without a tree.
        let path: String?
        let quarantine: Quarantine?

        init(_ state: borrowing State) {
            version = state.machine.version
            published = state.published
            isReadable = state.machine.isReadable
            isIdle = state.machine.isIdle && state.followers.isEmpty
            hasTree = state.tree != nil
            path = state.machine.isSettled ? state.tree?.path : nil
            quarantine = if case .quarantined(let reason) = state.machine.phase { reason } else { nil }
        }
    }

    struct State {
        var machine: SessionMachine<SessionCommand>
        /// The tree; `nil` before the first use, after a failed turn, and after the end.
        var tree: SessionTree?
        var underWay: EventUnderWay?
        /// The route of the committed version, encoded when it is first needed.
        var published: (any EncodedRoute)?
        var followers = Followers()
        /// The subscription to other servers' changes, while there are followers.
        var subscription: (any JournalSubscription)?
        /// The time of the last event. Times do not go back.
        var lastTime: Timestamp
        /// The bytes that are charged for its tree and route.
        var charge = 0
        /// The outcome of the event that led to the version, if its request can be repeated.
        var outcome: EventOutcome?
        /// Whether the journal had no room for its last event. If so, no further turn runs, since it would be
        /// discarded.
        var isFull = false
        /// Whether the keeper was last notified that something is pending.
        var hasNotedWork = false
    }

    /// Creates the session from a head in the journal.
    ///
    /// - Parameter isUsed: Whether this counts as a use; if not, its last use is the one that the journal knows.
    init(_ head: SessionHead, host: SessionHost, isUsed: Bool = true) {
        self.host = host
        id = head.record.id
        beginning = head.record.beginning
        let now = host.clock.uptime()
        let use = isUsed ? now : host.use(before: head.expiresAt)
        lastUse = Atomic(use)
        keptUntil = Atomic(isUsed ? now : host.expiry(afterUseAt: use))
        let state = State(
            machine: SessionMachine(
                version: head.version, isShared: host.journal.isShared, quarantine: host.quarantine(of: head)),
            lastTime: head.lastEventAt ?? head.record.startedAt)
        mailbox = Mutex(Mailbox(shown: Shown(state)))
        self.state = Mutex(state)
    }

    /// Creates a session that is about to be in the journal, with its tree.
    ///
    /// - Parameter expiry: The time until which it is kept, by the monotonic clock.
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
        var machine = SessionMachine<SessionCommand>(version: version, isShared: host.journal.isShared)
        machine.adoptTree(retry: retry)
        let charge = MemoryBudget.size(ofTree: tree.root.treeSize, route: published?.size ?? 0)
        let state = State(
            machine: machine, tree: tree, published: published, lastTime: record.startedAt, charge: charge)
        mailbox = Mutex(Mailbox(shown: Shown(state)))
        self.state = Mutex(state)
        host.counters.countTree(1)
        host.budget.charge(charge, to: .trees)
    }

    deinit {
        state.withLock { state in
            discardTree(&state)
            host.budget.charge(-state.charge, to: .trees)
        }
    }

    // MARK: Clients

    /// The client to which its long work is assigned now.
    var client: ClientKey { ClientKey(number: lastClient.load(ordering: .relaxed)) }

    /// Notes the client that uses it.
    func note(_ client: ClientKey) {
        // Usually it is the same client as before.
        guard lastClient.load(ordering: .relaxed) != client.number else { return }
        lastClient.store(client.number, ordering: .relaxed)
    }

    // MARK: Age

    /// Notes a use. The journal is notified so rarely that it costs nothing, and early enough to keep the session.
    func touch() {
        touch(at: host.clock.uptime())
    }

    func touch(at now: Int) {
        // Most requests are not the first one of their second.
        if lastUse.load(ordering: .relaxed) != now { lastUse.store(now, ordering: .sequentiallyConsistent) }
        let idleTime = host.limits.idleTime
        // The next note of a session with followers may be a few seconds late.
        let reserve = isFollowed ? Self.sweepTime : 0
        if keptUntil.load(ordering: .sequentiallyConsistent) < now + idleTime + reserve {
            keep(until: now + idleTime + max(idleTime / 10, 2 * reserve))
        }
    }

    /// Notes a use if it has followers. Returns whether it has.
    func touchIfFollowed() -> Bool {
        guard isFollowed else { return false }
        touch()
        return true
    }

    /// The longest time between two checks of a session with followers, in addition to half of its idle time, in
    /// seconds.
    private static let sweepTime = 4

    private func keep(until expiry: Int) {
        guard keptUntil.exchange(expiry, ordering: .sequentiallyConsistent) != expiry else { return }
        host.journal.keep(id, until: host.clock.moment(at: expiry))
    }

    /// Notifies the journal of the last use, unless the journal knows it: when the session is released, or listed. A
    /// session with followers is in use now.
    func noteUse() {
        if isFollowed { lastUse.store(host.clock.uptime(), ordering: .sequentiallyConsistent) }
        var use: Int
        repeat {
            use = lastUse.load(ordering: .sequentiallyConsistent)
            keep(until: host.expiry(afterUseAt: use))
            // A concurrent use may have seen an older time in the journal that was late enough, or written an earlier
            // one.
        } while lastUse.load(ordering: .sequentiallyConsistent) != use
    }

    /// Whether it has not been used for so long that it has expired.
    func hasExpired(by now: Int) -> Bool {
        !isFollowed && lastUse.load(ordering: .relaxed) + host.limits.idleTime <= now
    }

    /// The time since which it has not been used, by the monotonic clock.
    var idleSince: Int {
        isFollowed ? host.clock.uptime() : lastUse.load(ordering: .relaxed)
    }

    /// Whether it has followers.
    var isFollowed: Bool { hasFollowers.load(ordering: .relaxed) }

    /// Whether it has ended, here or on another server.
    package var hasEnded: Bool { isOver.load(ordering: .relaxed) }

    /// The state that is known without waiting.
    var shown: Shown { mailbox.withLock { $0.shown } }

    /// Whether nothing is under way, and there are no waiting requests or followers. If so, it can be released.
    var isIdle: Bool {
        mailbox.withLock { !$0.isRunning && $0.messages.isEmpty && $0.shown.isIdle }
    }

    /// The reason why it accepts no more events; `nil` if it does.
    var quarantine: Quarantine? { shown.quarantine }

    /// Applies the crashes that the journal knows by now.
    func note(_ crash: CrashNote?, on executor: any Executor) {
        guard quarantine?.isOfCrashes ?? false != (crash != nil) else { return }
        post(
            .call { session, state, outbox in
                session.carryOut(state.machine.receive(.judged(crash)), &state, &outbox)
                guard let crash, Shown(state).quarantine == .crashed(crash) else { return }
                outbox.add { session.host.noteQuarantine(.crashed(crash)) }
            }, on: executor)
    }

    /// Updates the subscription after a follower was added or removed. Adding the first and removing the last count as
    /// uses.
    func noteFollowers(_ state: inout State) {
        if state.followers.isEmpty {
            if hasFollowers.exchange(false, ordering: .relaxed) { touch() }
            state.subscription = nil
        } else if !hasFollowers.exchange(true, ordering: .relaxed) {
            touch()
            state.subscription = host.journal.follow(id) { [weak self] in self?.noteChange() }
        }
    }

    /// Notes that other servers may have changed the session.
    func noteChange() {
        post(.input(.changedElsewhere), on: host.executor)
    }

    // MARK: An app that does not return

    /// Whether a turn does not return, so that other requests would wait as long.
    var isHeldUp: Bool {
        let holder = holder.load(ordering: .relaxed)
        return holder != 0 && host.app.watch?.isStuck(holder) == true
    }

    private func noteHolder(_ thread: UInt64?) {
        holder.store(thread ?? 0, ordering: .relaxed)
    }

    /// Refuses the requests that wait behind a turn that does not return. They no longer begin.
    package func refuseWaiting() {
        let waiting = mailbox.withLock { mailbox in
            defer { mailbox.waiting = [] }
            return mailbox.waiting
        }
        for work in waiting where work.withdraw() { work.refuse(.tooBusy).deliver() }
    }

    // MARK: Messages

    /// Submits a request. Its promise may be fulfilled before this returns.
    func submit(_ work: SessionCommand) {
        post(.input(.submitted(work)), on: work.executor)
    }

    /// Posts a message: it is processed at once if the caller runs on the executor, and nothing runs for the session.
    /// It never waits.
    func post(_ message: Message, on executor: any Executor) {
        let isAtOnce = executor.isCurrent && !isSlow
        let next = mailbox.withLock { mailbox -> Posting in
            if isAtOnce, !mailbox.isRunning {
                mailbox.isRunning = true
                return .runsNow
            }
            if case .input(.submitted(let work)) = message {
                let limit = SessionMachine<SessionCommand>.waitingLimit
                if mailbox.waiting.count >= limit { mailbox.waiting.removeAll { !$0.isWaiting } }
                guard mailbox.waiting.count < limit else { return .isRefused(work) }
                mailbox.waiting.append(work)
            }
            mailbox.messages.append(message)
            defer { mailbox.isRunning = true }
            return mailbox.isRunning ? .isProcessedByOther : .runsLater
        }
        switch next {
        case .runsNow: run(message)
        case .runsLater: (isSlow ? host.executor : executor).enqueue { self.run(nil) }
        case .isProcessedByOther: break
        case .isRefused(let work): work.refuse(.tooBusy).deliver()
        }
    }

    /// The next step for a message.
    private enum Posting {
        case runsNow, runsLater, isProcessedByOther
        case isRefused(SessionCommand)
    }

    /// The longest time for which a thread processes messages from others, in nanoseconds.
    private static let longestHelp: UInt64 = 1_000_000

    /// Processes a message, and those that wait, as the only thread that runs for the session.
    private func run(_ first: Message?) {
        var message = first
        /// The time at which a lane takes over.
        var end: UInt64?
        while true {
            var outbox = Outbox()
            noteHolder(host.app.watch?.thread)
            let (shown, queued) = state.withLock { state -> (Shown, SessionCommand?) in
                let queued = process(message, &state, &outbox)
                return (Shown(state), queued)
            }
            noteHolder(nil)
            message = mailbox.withLock { mailbox -> Message? in
                mailbox.shown = shown
                if let queued { mailbox.waiting.append(queued) }
                guard mailbox.messages.isEmpty else { return mailbox.messages.removeFirst() }
                mailbox.isRunning = false
                if shown.isIdle, !mailbox.waiting.isEmpty { mailbox.waiting = [] }
                return nil
            }
            outbox.deliver()
            guard let next = message else { return }
            let now = DispatchTime.now().uptimeNanoseconds
            if now >= end ?? .max || isSlow && !host.executor.isCurrent {
                mailbox.withLock { $0.messages.insert(next, at: 0) }
                return host.executor.enqueue { self.run(nil) }
            }
            end = end ?? now + Self.longestHelp
        }
    }

    /// - Returns: A request that the machine keeps until its turn, and that was not in the mailbox before.
    private func process(_ message: Message?, _ state: inout State, _ outbox: inout Outbox) -> SessionCommand? {
        switch message {
        case nil: return nil
        case .call(let body):
            body(self, &state, &outbox)
            return nil
        case .input(let input):
            carryOut(state.machine.receive(input), &state, &outbox)
            guard case .submitted(let work) = input, work.isWaiting, !state.machine.isIdle else { return nil }
            return work
        }
    }

    /// Begins to run for the session on a lane, for a slice of a replay.
    ///
    /// - Returns: Whether nothing else runs.
    func beginSlice() -> Bool {
        mailbox.withLock { mailbox in
            guard !mailbox.isRunning else { return false }
            mailbox.isRunning = true
            return true
        }
    }

    /// Ends a slice, and processes the messages that have arrived meanwhile.
    func endSlice() {
        run(nil)
    }

    /// Whether its turns begin on a lane, since one took long recently.
    var isSlow: Bool {
        let end = slowUntil.load(ordering: .relaxed)
        return end != 0 && host.clock.uptime() < end
    }

    /// The time for which turns begin on a lane after one that took long, in seconds.
    private static let slowTime = 30

    private func noteSlowTurn() {
        slowUntil.store(host.clock.uptime() + Self.slowTime, ordering: .relaxed)
    }

    // MARK: Doing what the machine decides

    /// The deliveries to make once nothing is locked. The first one needs no allocation.
    struct Outbox: Sendable {
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
        _ effects: Effects<SessionCommand>, _ state: inout State, _ outbox: inout Outbox
    ) {
        var effects = effects
        while let effect = effects.popFirst() {
            switch effect {
            case .apply(let work):
                let input = work.begin() ? apply(work, &state) : .refused(.tooBusy)
                effects.append(state.machine.receive(input))
            case .append(let work):
                guard let underWay = state.underWay else { continue }
                switch underWay.append(to: host.journal, of: id) {
                case .now(let result):
                    if case .failure(.full) = result { state.isFull = true }
                    effects.append(state.machine.receive(.appended(counted(result))))
                case .later(let promise):
                    outbox.add {
                        promise.handOver { result in
                            self.post(.input(.appended(self.counted(result))), on: work.executor)
                        }
                    }
                }
            case .publish(let work): publish(work, &state, &outbox)
            case .show(let work):
                _ = work.begin()
                if case .look(let show, _, _) = work.operation { outbox.add(show(self, &state)) }
            case .retell(let work, let version):
                _ = work.begin()
                if case .event(let injection, let promise) = work.operation {
                    if let outcome = state.outcome, outcome.version == version {
                        outbox.add(.outcome(.success(outcome), promise))
                        continue
                    }
                    outbox.add {
                        self.retell(version, wantsRoute: injection.wantsRoute, on: work.executor)
                            .handOver(promise.fulfil)
                    }
                }
            case .refuse(let work, let error):
                _ = work.begin()
                outbox.add(work.refuse(error))
            case .discard: discardTree(&state)
            case .catchUp:
                switch catchUpAtOnce(&state) {
                case .done(let input):
                    noteWork(committedAfter: nil, &state) { outbox.add($0) }
                    chargeTree(&state)
                    effects.append(state.machine.receive(input))
                case .takesTime(let begun): outbox.add { self.catchUp(begun) }
                }
            case .end(let work, let version):
                guard work.begin() else {
                    effects.append(state.machine.receive(.endAnswered(.failure(.unavailable))))
                    continue
                }
                switch host.journal.end(id, at: version) {
                case .now(let result): effects.append(ended(result, &state, &outbox))
                case .later(let promise):
                    outbox.add {
                        promise.handOver { result in
                            self.post(
                                .call { session, state, outbox in
                                    session.carryOut(session.ended(result, &state, &outbox), &state, &outbox)
                                }, on: work.executor)
                        }
                    }
                }
            case .confirmEnd(let work):
                if case .end(_, let promise) = work.operation { outbox.add { promise.fulfil(.success(())) } }
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

    /// Handles the journal's result of an end.
    private func ended(
        _ result: Result<Void, JournalError>, _ state: inout State, _ outbox: inout Outbox
    ) -> Effects<SessionCommand> {
        if case .success = result { outbox.add { self.host.didEnd(self.id) } }
        return state.machine.receive(.endAnswered(counted(result)))
    }

    /// Counts the journal's result of a change, and returns it.
    private func counted(_ answer: Result<Void, JournalError>) -> Result<Void, JournalError> {
        host.counters.countAnswer(answer)
        return answer
    }

    // MARK: A turn

    /// Runs the request's event as a turn, and creates its entry for the journal.
    private func apply(_ work: SessionCommand, _ state: inout State) -> SessionMachine<SessionCommand>.Input {
        guard case .event(let injection, _) = work.operation, let tree = state.tree else { return .refused(.hasEnded) }
        guard state.machine.version < host.limits.maximumEvents, !state.isFull else { return .refused(.historyIsFull) }
        guard !host.budget.isFull else { return .refused(.memoryIsFull) }
        do throws(SessionError) {
            let time = max(state.lastTime, host.clock.timestamp())
            let turn = try tree.apply(injection.event, at: time)
            if tree.isSlow { noteSlowTurn() }
            state.underWay = EventUnderWay(
                turn, turn.entry(state.machine.version + 1, at: time, in: tree, for: injection, mark: work.mark))
            return .applied
        } catch {
            if tree.isSlow { noteSlowTurn() }
            return tree.isBroken ? .failed(error) : .refused(error)
        }
    }

    /// Makes the newly committed version visible.
    private func publish(_ work: SessionCommand, _ state: inout State, _ outbox: inout Outbox) {
        guard case .event(let injection, let promise) = work.operation, let underWay = state.underWay,
            let tree = state.tree
        else {
            // The event is in the journal, but the session's state was released meanwhile.
            return outbox.add(work.refuse(.cannotRetell))
        }
        state.underWay = nil
        tree.version = underWay.entry.version
        state.lastTime = underWay.entry.time
        host.counters.countEvent(isHandled: underWay.entry.isHandled)
        if underWay.entry.version == 1 { host.evictionQueue.remove(id) }
        published(underWay.entry.version, tree, &state)
        if underWay.entry.changesPending {
            noteWork(committedAfter: underWay.entry.version - 1, &state) { outbox.add($0) }
        }
        let outcome = EventOutcome(
            version: underWay.entry.version, turn: underWay.turn, path: underWay.entry.path,
            leaf: tree.root.visibleLeaf.id,
            route: injection.wantsRoute ? route(of: tree, &state) : nil)
        chargeTree(&state)
        if injection.retry != nil { state.outcome = outcome }
        outbox.add(.outcome(.success(outcome), promise))
    }

    /// Notifies the followers that the tree is at a new version.
    private func published(_ version: Int, _ tree: SessionTree, _ state: inout State) {
        state.published = nil
        state.outcome = nil
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

    /// Charges the change in size of the tree and its encoded route.
    private func chargeTree(_ state: inout State) {
        let charge = MemoryBudget.size(ofTree: state.tree?.root.treeSize ?? 0, route: state.published?.size ?? 0)
        guard charge != state.charge else { return }
        host.budget.charge(charge - state.charge, to: .trees)
        state.charge = charge
    }

    // MARK: The tree

    fileprivate func discardTree(_ state: inout State) {
        state.underWay = nil
        guard state.tree != nil else { return }
        state.tree = nil
        state.outcome = nil
        host.counters.countTree(-1)
        chargeTree(&state)
    }

    private enum QuickTry {
        case done(SessionMachine<SessionCommand>.Input)
        case takesTime(BegunCatchUp)
    }

    /// The part of catching up that was done before a lane continues.
    private struct BegunCatchUp {
        /// The time at which the tree was needed; `nil` if there was one.
        let start: ContinuousClock.Instant?
        /// The entries that are still to be replayed.
        var pages: HistoryPages
    }

    /// Builds the tree if that is quick and needs no waiting.
    private func catchUpAtOnce(_ state: inout State) -> QuickTry {
        let journal = host.journal
        let (from, version) = (state.tree?.version ?? 0, state.machine.version)
        var begun = BegunCatchUp(
            start: state.tree == nil ? ContinuousClock.now : nil,
            pages: HistoryPages(of: id, in: journal, after: from, upTo: journal.isAsKnown ? version : nil))
        guard journal.isAsKnown, version - from <= HistoryWalk.quickLimit, !isSlow else { return .takesTime(begun) }
        do throws(SessionError) {
            let isDone = try host.scheduler.atOnce { slice throws(SessionError) in
                defer { if slice.elapsed > .milliseconds(Int(SessionTree.expectedTime)) { noteSlowTurn() } }
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
            note(error)
            return .done(.caughtUp(error))
        }
    }

    /// Builds the tree on a lane, from the remaining entries.
    private func catchUp(_ begun: BegunCatchUp) {
        HistoryWalk.go(over: begun.pages, expecting: nil, on: host.scheduler, .urgent, for: client, slices: self) {
            entry throws(SessionError) in
            try self.state.withLock { state throws(SessionError) in try self.replay(entry, &state) }
            return true
        }.handOver(for: self) { result in
            self.post(
                .call { session, state, outbox in session.caughtUp(result, begun, &state, &outbox) },
                on: self.host.scheduler)
        }
    }

    private func caughtUp(
        _ result: Result<Void, SessionError>, _ begun: BegunCatchUp, _ state: inout State, _ outbox: inout Outbox
    ) {
        var failure: SessionError?
        do throws(SessionError) {
            try result.get()
            _ = try tree(&state)
            countWaking(since: begun.start)
            noteWork(committedAfter: nil, &state) { outbox.add($0) }
            chargeTree(&state)
        } catch {
            failure = error
            outbox.add { self.note(error) }
            if !state.followers.isEmpty { catchUpLater() }
        }
        carryOut(state.machine.receive(.caughtUp(failure)), &state, &outbox)
    }

    /// - Parameter beginning: The time at which the tree was needed; `nil` if there was one.
    private func countWaking(since beginning: ContinuousClock.Instant?) {
        if let beginning { host.counters.countWaking(beginning.duration(to: .now)) }
    }

    /// Tries again at the next sweep: the followers may not learn of the change in any other way.
    private func catchUpLater() {
        guard !isOverdue.exchange(true, ordering: .relaxed) else { return }
        host.retryList.add { [weak self] in
            guard let self else { return }
            isOverdue.store(false, ordering: .relaxed)
            noteChange()
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
        // The tree into which the earlier entries were replayed has been released.
        guard entry.version == tree.version + 1 else { throw .draining }
        try tree.replay(entry)
        chargeTree(&state)
        let isNew = entry.version > state.machine.version
        _ = state.machine.receive(.learned(version: entry.version, retry: entry.retry, mark: entry.mark))
        state.lastTime = max(state.lastTime, entry.time)
        if isNew { published(entry.version, tree, &state) }
    }

    private func note(_ error: SessionError) {
        if let reason = Quarantine(error) { host.noteQuarantine(reason) }
    }

    // MARK: The server's end

    /// Begins no new work, and retries nothing.
    func drain() {
        post(.input(.drained), on: host.stopping)
    }

    /// Releases the followers and the tree. The session is in the journal, and continues when it is next found.
    func letGo() {
        post(
            .call { session, state, _ in
                state.followers.letGo(hasEnded: false)
                session.noteFollowers(&state)
                session.discardTree(&state)
            }, on: host.stopping)
    }
}

/// A session is awaited for its tree while the tree is being built.
extension Session: Awaited, HistoryWalk.Slices {
    package var isAwaited: Bool {
        if mailbox.withLock({ !$0.messages.isEmpty }) { return true }
        return state.withLockIfAvailable { !$0.followers.isEmpty || $0.machine.isAwaited } ?? true
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

extension Journal {
    /// Whether this server knows everything that the journal contains.
    fileprivate var isAsKnown: Bool { !isShared && !losesAnswers }
}
