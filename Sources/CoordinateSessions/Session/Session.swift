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
    /// The names by which others know it, as far as this server knows them.
    let names: Mutex<SessionNames>
    let host: SessionHost
    /// The time of its last use, by the monotonic clock.
    let lastUse: Atomic<Int>
    /// The time until which the journal keeps it, as far as the journal was notified, by the same clock.
    let keptUntil: Atomic<Int>
    /// Whether it has followers. If so, it is in use.
    let hasFollowers = Atomic(false)
    let isOver = Atomic(false)
    /// The thread that has its lock and may run the app; 0 for none.
    private let holder = Atomic(UInt64(0))
    /// Whether a retry is scheduled to catch up with the journal.
    let isOverdue = Atomic(false)
    /// The time until which turns begin on a lane, since one took long, by the monotonic clock.
    let slowUntil = Atomic(0)
    /// The number of the last client that used it.
    private let lastClient = Atomic(ClientKey.host.number)
    /// The last version whose pending work the keeper knows.
    let keeperVersion = Atomic(-1)
    /// Locked by the one thread that runs for the session, so no thread waits for it.
    let state: Mutex<State>
    let mailbox: Mutex<Mailbox>

    enum Message: Sendable {
        case input(SessionMachine<SessionCommand>.Input)
        /// Any other operation on the state.
        case call(@Sendable (Session, inout State, inout Outbox) -> Void)
    }

    struct Mailbox {
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
        /// See ``State/nextTimer``.
        let nextTimer: Timestamp?

        init(_ state: borrowing State) {
            nextTimer = state.nextTimer
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
        var keeperHasWork = false
        /// The moment from which a timer of the committed version is to fire, or is not known not to; `nil` for none.
        var nextTimer: Timestamp?
        /// The timers that could not fire, by their ids.
        var delayedTimers: [String: DelayedTimer] = [:]
    }

    /// Creates the session from a head in the journal.
    ///
    /// - Parameter isUsed: Whether this counts as a use; if not, its last use is the one that the journal knows.
    init(_ head: SessionHead, host: SessionHost, isUsed: Bool = true) {
        self.host = host
        id = head.record.id
        beginning = head.record.beginning
        names = Mutex(SessionNames(head.record))
        let now = host.clock.uptime()
        let use = isUsed ? now : host.use(before: head.expiresAt)
        lastUse = Atomic(use)
        keptUntil = Atomic(isUsed ? now : host.expiry(afterUseAt: use))
        let state = State(
            machine: SessionMachine(
                version: head.version, isShared: host.journal.isShared, quarantine: host.quarantine(of: head)),
            lastTime: head.lastEventAt ?? head.record.startedAt,
            // Without a tree, any pending timer may be due.
            nextTimer: head.pending == 0 || beginning.isWorkWithheld ? nil : head.record.startedAt)
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
        names = Mutex(SessionNames(record))
        lastUse = Atomic(host.clock.uptime())
        keptUntil = Atomic(expiry)
        let version = tree.version
        tree.session = id
        var machine = SessionMachine<SessionCommand>(version: version, isShared: host.journal.isShared)
        machine.adoptTree(retry: retry)
        let charge = MemoryBudget.size(ofTree: tree.root.treeSize, route: published?.size ?? 0)
        let state = State(
            machine: machine, tree: tree, published: published, lastTime: record.startedAt, charge: charge,
            nextTimer: beginning.isWorkWithheld ? nil : tree.root.nextTimer)
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

    /// Records the client that uses it.
    func recordUse(by client: ClientKey) {
        // Usually it is the same client as before.
        guard lastClient.load(ordering: .relaxed) != client.number else { return }
        lastClient.store(client.number, ordering: .relaxed)
    }

    // MARK: An app that does not return

    /// Whether a turn does not return, so that other requests would wait as long.
    var isHeldUp: Bool {
        let holder = holder.load(ordering: .relaxed)
        return holder != 0 && host.app.watch?.isStuck(holder) == true
    }

    private func setHolder(_ thread: UInt64?) {
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
            setHolder(host.app.watch?.thread)
            let (shown, queued) = state.withLock { state -> (Shown, SessionCommand?) in
                let queued = process(message, &state, &outbox)
                return (Shown(state), queued)
            }
            setHolder(nil)
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

    /// Shows the state to others while its message is still being processed.
    ///
    /// This comes before any client is notified of a version under the lock, because the client may read that version
    /// at once.
    func show(_ state: borrowing State) {
        let shown = Shown(state)
        mailbox.withLock { $0.shown = shown }
    }

    /// - Returns: A request that the machine keeps until its turn, and that was not in the mailbox before.
    private func process(_ message: Message?, _ state: inout State, _ outbox: inout Outbox) -> SessionCommand? {
        switch message {
        case nil: return nil
        case .call(let body):
            body(self, &state, &outbox)
            return nil
        case .input(let input):
            carryOut(advance(with: input, &state), &state, &outbox)
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

    func recordSlowTurn() {
        slowUntil.store(host.clock.uptime() + Self.slowTime, ordering: .relaxed)
    }

    // MARK: The server's end

    /// Begins no new work, and retries nothing.
    func drain() {
        post(.input(.drained), on: host.stopping)
    }

    /// Releases the followers and the tree. The session is in the journal, and continues when it is next found.
    func release() {
        post(
            .call { session, state, _ in
                state.followers.release(hasEnded: false)
                session.updateSubscription(&state)
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

extension Journal {
    /// Whether this server knows everything that the journal contains.
    var isAsKnown: Bool { !isShared && !losesAnswers }
}
