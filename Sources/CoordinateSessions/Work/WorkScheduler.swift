internal import Coordinate
internal import Logging
internal import Synchronization

/// The keeper of pending work: it begins work after its commit, fires timers, injects the outcomes, and prevents other
/// servers from doing the same.
///
/// The trees decide what is pending. After each change the scheduler gets a list of everything pending, begins new
/// work, cancels work that is no longer pending, and releases the session when nothing is left to do now. While it
/// looks after a session it holds the journal's lease on it, and follows the changes by other servers.
///
/// An outcome is an event that is refused if its work is no longer pending. So the session accepts it once, even if two
/// servers have run the work.
package final class WorkScheduler: WorkKeeper {
    /// The most pieces of work under way for one session.
    static let sessionLimit = 16
    /// The number of times that a session with a lost secret is left to the server that may know the secret.
    private static let secretPatience = 2
    /// The number of sweeps after which those counts are reset.
    private static let secretMemory = 60

    private struct State {
        var sessions: [SessionID: TrackedSession] = [:]
        /// The pieces that wait until they may run, in the order in which they arrived.
        var line: [(session: SessionID, piece: String)] = []
        var running = 0
        /// The number of times that sessions were left to the server that may know a secret.
        var secretsAwaited: [SessionID: Int] = [:]
        var numbers = 0
        var leases = 0
        var sweeps = 0
        var isClosed = false

        /// All sessions that are looked after, oldest first.
        var inOrder: [(id: SessionID, tracked: TrackedSession)] {
            sessions.map { ($0.key, $0.value) }.sorted { $0.tracked.number < $1.tracked.number }
        }

        mutating func insert(_ session: Session, _ note: PendingNote) {
            numbers += 1
            sessions[session.id] = TrackedSession(session: session, number: numbers, note: note)
        }

        /// - Parameter time: The time at which the lease was requested. The journal granted it later.
        mutating func recordLease(of session: SessionID, requestedAt time: ContinuousClock.Instant) {
            leases += 1
            sessions[session]?.lease = leases
            sessions[session]?.leasedAt = time
        }
    }

    /// An action that must run without a lock held.
    private enum Effect {
        case awaitLease(Future<Bool, JournalError>, of: Session)
        case inject(Session, AskedWork, any DeclaredEvents)
        case follow(Session)
        /// Cancels work, which may run code of the app.
        case cancel(@Sendable () -> Void)
        /// Releases a tracked session. Doing that may acquire the lock under which it was removed.
        case release(TrackedSession)
    }

    private let host: SessionHost
    private let execute: WorkExecutor
    private let state = Mutex(State())

    /// - Parameter execute: Runs work.
    package init(_ host: SessionHost, running execute: @escaping WorkExecutor = WorkAttempts.inTask) {
        self.host = host
        self.execute = execute
    }

    /// The number of pieces of work under way.
    package var running: Int { state.withLock { $0.running } }

    /// The sessions that are looked after, and whose lease this server holds as far as it knows.
    package var leased: [SessionID] {
        state.withLock { state in state.inOrder.filter { $0.tracked.lease != nil }.map(\.id) }
    }

    // MARK: Notes

    func update(_ note: PendingNote, of session: Session) {
        act { state in
            // A session that has ended was removed, or is about to be.
            guard !state.isClosed, !session.hasEnded, session.recordKnownWork(upTo: note.version) else { return [] }
            guard let tracked = state.sessions[session.id] else {
                guard hasWorkNow(note) else { return [] }
                state.insert(session, note)
                return [lease(session)]
            }
            state.sessions[session.id]?.note = note.keepingSecrets(of: tracked.note)
            guard host.journal.isShared, tracked.lease != nil, hasNews(note, since: tracked.note) else {
                return reconcile(session.id, &state)
            }
            // Meanwhile nothing may have been pending, which would have ended the lease.
            state.sessions[session.id]?.lease = nil
            return [lease(session)]
        }
    }

    func cancelWork(of session: SessionID) {
        act { state in
            state.secretsAwaited[session] = nil
            return end(session, &state)
        }
    }

    /// Looks after a session that was leased because its work is due.
    ///
    /// - Parameter time: The time at which the lease was requested.
    func lookAfter(_ leased: Session, leasedAt time: ContinuousClock.Instant) {
        leased.pendingWork().whenDone(on: host.executor) { result in
            self.act { state in
                guard !state.isClosed, case .success(let note) = result, self.hasWorkNow(note) else {
                    // There is nothing to do, whatever the journal reports, or it cannot be done.
                    if state.sessions[leased.id] == nil { self.leaveAlone(leased.id, after: result) }
                    return []
                }
                // The server that knows the secret may only have been slower: it requests the lease again within a
                // second.
                if self.host.journal.isShared, state.sessions[leased.id] == nil, note.hasSecret(lost: true),
                    state.secretsAwaited[leased.id] ?? 0 < Self.secretPatience
                {
                    state.secretsAwaited[leased.id, default: 0] += 1
                    self.host.journal.backOff([leased.id], from: self.host.clock.timestamp())
                    return []
                }
                if state.sessions[leased.id] == nil { state.insert(leased, note) }
                state.secretsAwaited[leased.id] = nil
                state.recordLease(of: leased.id, requestedAt: time)
                return [.follow(leased)] + self.reconcile(leased.id, isFiring: true, &state)
            }
        }
    }

    /// Gives back the lease of a session that was not looked after. If the session itself is the reason, it backs off,
    /// longer each time, so that sessions whose work cannot be done do not delay others.
    func leaveAlone<Value>(_ session: SessionID, after result: Result<Value, SessionError>) {
        switch result {
        case .failure(.journal), .failure(.draining), .failure(.abandoned): host.journal.endLeases(of: [session])
        case .success, .failure: host.journal.backOff([session], from: host.clock.timestamp())
        }
    }

    /// The number of further sessions that can be looked after at present. Sessions that only wait to inject refused
    /// outcomes again do not count, up to the same limit.
    var vacancies: Int {
        state.withLock { state in
            let limit = host.limits.maximumWork * 4
            let waiting = state.sessions.values.count { $0.waits }
            return state.isClosed ? 0 : max(0, limit - state.sessions.count + min(limit, waiting))
        }
    }

    /// Fires due timers, injects refused outcomes again, and renews leases. Called about once a second.
    package func sweep() {
        act { state in
            state.sweeps += 1
            // Most of these were looked after by other servers.
            if state.sweeps.isMultiple(of: Self.secretMemory) { state.secretsAwaited = [:] }
            let now = host.clock.uptime()
            var effects: [Effect] = []
            for (id, tracked) in state.inOrder {
                if tracked.lease == nil { effects.append(lease(tracked.session)) }
                for name in tracked.note.work.map(\.pending.id) {
                    guard let piece = tracked.pieces[name], case .injecting(let event, let time?) = piece.stage,
                        time <= now
                    else { continue }
                    state.sessions[id]?.pieces[name]?.stage = .injecting(event, at: nil)
                    effects.append(.inject(tracked.session, piece.asked, event))
                }
                effects += reconcile(id, isFiring: true, &state)
            }
            return effects
        }
        if state.withLock({ $0.sweeps.isMultiple(of: 2) }) { renewLeases() }
    }

    /// Begins no more work, and cancels what is under way: other servers, or a later process, begin it again.
    package func close() {
        act { state in
            state.isClosed = true
            return state.sessions.keys.flatMap { end($0, &state) }
        }
    }

    // MARK: Leases

    /// Requests a lease. Requests to the journal are made in the order in which they were decided, so that giving back
    /// a lease never ends one that was requested later.
    private func lease(_ session: Session) -> Effect {
        .awaitLease(host.journal.lease(session.id), of: session)
    }

    private func awaitLease(_ lease: Future<Bool, JournalError>, of session: Session) {
        let time = host.clock.instant()
        lease.whenDone(on: host.executor) { result in
            self.act { state in
                guard let tracked = state.sessions[session.id] else {
                    if (try? result.get()) != false { self.host.journal.endLeases(of: [session.id]) }
                    return []
                }
                switch result {
                case .success(true):
                    state.recordLease(of: session.id, requestedAt: time)
                    return [.follow(session)] + self.reconcile(session.id, &state)
                case .success(false):
                    // No other server can do work that needs a secret. The next sweep requests the lease again.
                    return tracked.note.hasSecret(lost: false) ? [] : self.remove(session.id, &state)
                case .failure:
                    // The session may be leased nevertheless.
                    self.host.journal.endLeases(of: [session.id])
                    return self.remove(session.id, &state)
                }
            }
        }
    }

    private func renewLeases() {
        let leased = state.withLock { state in state.inOrder.filter { $0.tracked.lease != nil } }
        guard !leased.isEmpty else { return }
        let leases = Dictionary(uniqueKeysWithValues: leased.map { ($0.id, $0.tracked.lease) })
        let time = host.clock.instant()
        host.journal.renewLeases(of: leased.map(\.id)).whenDone(on: host.executor) { result in
            guard case .success(let kept) = result else { return }
            let lost = Set(leases.keys).subtracting(kept)
            self.act { state in
                for id in kept where state.sessions[id]?.lease == leases[id] { state.sessions[id]?.leasedAt = time }
                // Sessions that were leased anew since are excluded.
                return lost.filter { state.sessions[$0]?.lease == leases[$0] }.flatMap { self.remove($0, &state) }
            }
        }
    }

    private func follow(_ session: Session) {
        guard host.journal.isShared, state.withLock({ $0.sessions[session.id]?.subscription == nil }) else { return }
        let subscription = host.journal.follow(session.id) { [weak session] in session?.receiveChange() }
        state.withLock { $0.sessions[session.id]?.subscription = subscription }
        // Changes may have arrived after the tree was brought up to date, and before the subscription began.
        session.receiveChange()
    }

    // MARK: Deciding what to do

    /// Whether something has to be done now.
    private func hasWorkNow(_ note: PendingNote) -> Bool {
        let now = host.clock.timestamp()
        return note.work.contains { $0.pending.due.map { $0 <= now } ?? true }
    }

    /// Whether something is pending that was not pending before.
    private func hasNews(_ note: PendingNote, since former: PendingNote) -> Bool {
        let known = Set(former.work.map(\.pending.id))
        return note.work.contains { !known.contains($0.pending.id) }
    }

    /// Changes the state under the lock, and carries out the resulting effects once it is unlocked.
    private func act(_ change: (inout State) -> [Effect]) {
        let effects = state.withLock { state in change(&state) + startWaiting(&state) }
        for effect in effects {
            switch effect {
            case .awaitLease(let lease, let session): awaitLease(lease, of: session)
            case .inject(let session, let asked, let event): inject(session, asked, event)
            case .follow(let session): follow(session)
            case .cancel(let cancel): cancel()
            case .release: break
            }
        }
    }

    /// Begins what is pending and not under way, and cancels what is under way and not pending.
    ///
    /// - Parameter isFiring: Whether to inject events that need no work. That happens once a second, and not within the
    ///   commit that requested them: a timer that sets the next one at once would never end.
    private func reconcile(_ id: SessionID, isFiring: Bool = false, _ state: inout State) -> [Effect] {
        guard var tracked = state.sessions[id], tracked.lease != nil else { return [] }
        var effects: [Effect] = []
        let pending = Set(tracked.note.work.map(\.pending.id))
        for (name, piece) in tracked.pieces where !pending.contains(name) {
            effects += cancel(piece, &state)
            tracked.pieces[name] = nil
        }
        let now = host.clock.timestamp()
        var isDone = true
        for asked in tracked.note.work.inOrderOfTime where tracked.pieces[asked.pending.id] == nil {
            let name = asked.pending.id
            let event: any DeclaredEvents
            switch asked.task {
            case .timer(let timer):
                guard let due = asked.pending.due, due <= now else { continue }
                event = timer
            case .work(let body) where body.hasLostSecret: event = body.failed(.secretLost)
            case .work:
                let attempt = tracked.note.isNew(asked.pending) ? 1 : 2
                tracked.pieces[name] = TrackedSession.Piece(asked: asked, attempt: attempt, stage: .waiting)
                state.line.append((id, name))
                continue
            }
            isDone = false
            guard isFiring else { continue }
            tracked.pieces[name] = TrackedSession.Piece(asked: asked, attempt: 1, stage: .injecting(event, at: nil))
            effects.append(.inject(tracked.session, asked, event))
        }
        isDone = isDone && tracked.pieces.values.allSatisfy { if case .injected = $0.stage { true } else { false } }
        state.sessions[id] = tracked
        return isDone ? effects + end(id, &state) : effects
    }

    /// Releases a session, and gives its lease back.
    private func end(_ id: SessionID, _ state: inout State) -> [Effect] {
        if state.sessions[id]?.lease != nil { host.journal.endLeases(of: [id]) }
        return remove(id, &state)
    }

    private func remove(_ id: SessionID, _ state: inout State) -> [Effect] {
        guard let tracked = state.sessions.removeValue(forKey: id) else { return [] }
        return tracked.pieces.values.flatMap { cancel($0, &state) } + [.release(tracked)]
    }

    private func cancel(_ piece: TrackedSession.Piece, _ state: inout State) -> [Effect] {
        guard case .running(let cancelWork) = piece.stage else { return [] }
        state.running -= 1
        return [.cancel(cancelWork)]
    }

    /// Begins waiting work, up to the limit of work under way.
    private func startWaiting(_ state: inout State) -> [Effect] {
        var index = 0
        while index < state.line.count, state.running < host.limits.maximumWork {
            let (id, name) = state.line[index]
            guard let tracked = state.sessions[id], let piece = tracked.pieces[name], case .waiting = piece.stage,
                case .work(let body) = piece.asked.task
            else {
                state.line.remove(at: index)
                continue
            }
            guard tracked.running < Self.sessionLimit, isSure(tracked) else {
                index += 1
                continue
            }
            state.line.remove(at: index)
            state.running += 1
            host.counters.countWork()
            let attempts = WorkAttempts(
                body, of: piece.asked, key: tracked.session.key(of: name), in: tracked.session.context,
                first: piece.attempt, host.app, alarm: host.clock.alarm)
            let cancelWork = execute(attempts) { event in self.finished(name, of: tracked.session, event) }
            state.sessions[id]?.pieces[name]?.stage = .running(cancelWork)
        }
        return []
    }

    /// Whether the lease is certainly valid. If it may have run out, other servers may run the work, and no more begins
    /// here.
    private func isSure(_ tracked: TrackedSession) -> Bool {
        guard host.journal.isShared else { return true }
        guard let leasedAt = tracked.leasedAt else { return false }
        return leasedAt.duration(to: host.clock.instant()) < .seconds(host.journal.leaseTime)
    }

    // MARK: Outcomes

    private func finished(_ name: String, of session: Session, _ event: any DeclaredEvents) {
        act { state in
            guard let piece = state.sessions[session.id]?.pieces[name], piece.isRunning else { return [] }
            state.running -= 1
            state.sessions[session.id]?.pieces[name]?.stage = .injecting(event, at: nil)
            return [.inject(session, piece.asked, event)]
        }
    }

    private func inject(_ session: Session, _ asked: AskedWork, _ event: any DeclaredEvents) {
        session.inject(event, of: asked).whenDone(on: host.executor) { result in
            self.act { state in
                let name = asked.pending.id
                // It may be under way once more: then it was cancelled and begun again, in between.
                guard var piece = state.sessions[session.id]?.pieces[name],
                    case .injecting(_, at: nil) = piece.stage
                else { return [] }
                switch result {
                case .success, .failure(.workIsOver):
                    piece.stage = .injected
                case .failure(.hasEnded):
                    return self.end(session.id, &state)
                case .failure(let error):
                    piece.refusals += 1
                    let event = piece.refusals == 1 ? self.substitute(for: event, of: asked, error) : event
                    piece.stage = .injecting(event, at: self.host.clock.uptime() + error.pause(after: piece.refusals))
                    self.report(error, asked)
                }
                state.sessions[session.id]?.pieces[name] = piece
                return self.reconcile(session.id, &state)
            }
        }
    }

    /// The event that replaces one that the app cannot decode, and that would otherwise be injected forever.
    private func substitute(
        for event: any DeclaredEvents, of asked: AskedWork, _ error: SessionError
    ) -> any DeclaredEvents {
        switch (error, asked.task) {
        case (.invalidPayload, .work(let body)), (.unknownEvent, .work(let body)): body.failed(.unexplained)
        default: event
        }
    }

    private func report(_ error: SessionError, _ asked: AskedWork) {
        guard !error.isPassing else { return }
        host.app.report("The outcome of \(asked.pending.name) cannot be reported yet. Retrying: \(error)")
    }
}

extension SessionError {
    /// The longest pause before a refused outcome is injected again, in seconds.
    private static let longestPause = 60

    /// Whether the cause may be over soon.
    fileprivate var isPassing: Bool {
        if case .memoryIsFull = self { false } else { isOfServer }
    }

    /// The pause before an outcome is injected again that was refused some number of times, in seconds.
    func pause(after refusals: Int) -> Int {
        isPassing ? 1 : min(1 << min(refusals, 6), Self.longestPause)
    }
}
