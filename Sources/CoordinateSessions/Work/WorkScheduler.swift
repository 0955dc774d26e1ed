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

    struct State {
        var sessions: [SessionID: TrackedSession] = [:]
        /// The pieces that wait until they may run, in the order in which they arrived.
        var line: [Piece] = []
        var running = 0
        /// The number of times that sessions were left to the server that may know a secret.
        var secretsAwaited: [SessionID: Int] = [:]
        /// The numbers of tracked sessions, leases and pieces so far.
        var numbers = 0
        var sweeps = 0
        var isClosed = false
        /// What follows from a change, once it is unlocked.
        var afterwards: [@Sendable () -> Void] = []

        /// All sessions that are looked after, oldest first.
        var inOrder: [TrackedSession] { sessions.values.sorted { $0.number < $1.number } }

        mutating func nextNumber() -> Int {
            numbers += 1
            return numbers
        }

        mutating func insert(_ session: Session, _ note: PendingNote) {
            sessions[session.id] = TrackedSession(session: session, number: nextNumber(), note: note)
        }

        /// - Parameter time: The time at which the lease was requested. The journal granted it later.
        mutating func recordLease(of session: SessionID, requestedAt time: ContinuousClock.Instant) {
            let number = nextNumber()
            sessions[session]?.lease = number
            sessions[session]?.leasedAt = time
        }

        /// Moves a piece to its next stage.
        ///
        /// - Returns: Whether it is still pending, and was not begun again since.
        @discardableResult
        mutating func move(_ piece: Piece, to stage: Piece.Stage, refusals: Int = 0) -> Bool {
            guard var moved = sessions[piece.session.id]?.pieces[piece.id], moved.number == piece.number else {
                return false
            }
            running -= moved.isRunning ? 1 : 0
            (moved.stage, moved.refusals) = (stage, refusals)
            running += moved.isRunning ? 1 : 0
            sessions[piece.session.id]?.pieces[piece.id] = moved
            return true
        }
    }

    typealias Piece = TrackedSession.Piece

    let host: SessionHost
    private let execute: WorkExecutor
    let state = Mutex(State())

    /// - Parameter execute: Runs work.
    package init(_ host: SessionHost, running execute: @escaping WorkExecutor = { await $0.run() }) {
        self.host = host
        self.execute = execute
    }

    /// The number of pieces of work under way.
    package var running: Int { state.withLock { $0.running } }

    /// The sessions that are looked after, and whose lease this server holds as far as it knows.
    package var leased: [SessionID] {
        state.withLock { state in state.inOrder.filter { $0.lease != nil }.map(\.session.id) }
    }

    /// Changes the state under the lock, and does what follows once it is unlocked.
    @discardableResult
    func act<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        let (result, afterwards) = state.withLock { state in
            let result = change(&state)
            startWaiting(&state)
            defer { state.afterwards = [] }
            return (result, state.afterwards)
        }
        for step in afterwards { step() }
        return result
    }

    // MARK: Notes

    func update(_ note: PendingNote, of session: Session) {
        act { state in
            // A session that has ended was removed, or is about to be.
            guard !state.isClosed, !session.hasEnded, session.recordKnownWork(upTo: note.version) else { return }
            guard let tracked = state.sessions[session.id] else {
                guard hasWorkNow(note) else { return }
                state.insert(session, note)
                return requestLease(of: session, &state)
            }
            state.sessions[session.id]?.note = note.keepingSecrets(of: tracked.note)
            guard host.journal.isShared, tracked.lease != nil, hasNews(note, since: tracked.note) else {
                return reconcile(session.id, &state)
            }
            // Meanwhile nothing may have been pending, which would have ended the lease.
            state.sessions[session.id]?.lease = nil
            requestLease(of: session, &state)
        }
    }

    func cancelWork(of session: SessionID) {
        act { state in
            state.secretsAwaited[session] = nil
            end(session, &state)
        }
    }

    /// Looks after a session that was leased because its work is due.
    ///
    /// - Parameter time: The time at which the lease was requested.
    func lookAfter(_ session: Session, leasedAt time: ContinuousClock.Instant) async throws(SessionError) {
        let note = try await session.pendingWork()
        act { state in
            // There may be nothing to do, whatever the journal reports.
            guard !state.isClosed, hasWorkNow(note) else { return leaveAlone(session.id, because: nil, state) }
            // The server that knows the secret may only have been slower: it requests the lease again within a second.
            if host.journal.isShared, state.sessions[session.id] == nil, note.hasSecret(lost: true),
                state.secretsAwaited[session.id] ?? 0 < Self.secretPatience
            {
                state.secretsAwaited[session.id, default: 0] += 1
                return leaveAlone(session.id, because: nil, state)
            }
            if state.sessions[session.id] == nil { state.insert(session, note) }
            state.secretsAwaited[session.id] = nil
            state.recordLease(of: session.id, requestedAt: time)
        }
        follow(session)
        act { state in reconcile(session.id, isFiring: true, &state) }
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
        let renewsLeases = act { state in
            state.sweeps += 1
            // Most of these were looked after by other servers.
            if state.sweeps.isMultiple(of: Self.secretMemory) { state.secretsAwaited = [:] }
            let now = host.clock.uptime()
            for tracked in state.inOrder {
                if tracked.lease == nil { requestLease(of: tracked.session, &state) }
                for name in tracked.note.work.map(\.pending.id) {
                    guard let piece = tracked.pieces[name], case .refused(let event, let time) = piece.stage,
                        time <= now
                    else { continue }
                    inject([(event, piece)], &state)
                }
                reconcile(tracked.session.id, isFiring: true, &state)
            }
            return state.sweeps.isMultiple(of: 2)
        }
        if renewsLeases { Task.immediate(executorPreference: host.executor) { await self.renewLeases() } }
    }

    /// Begins no more work, and cancels what is under way: other servers, or a later process, begin it again.
    package func close() {
        act { state in
            state.isClosed = true
            for session in state.sessions.keys { end(session, &state) }
        }
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

    /// Begins what is pending and not under way, and cancels what is under way and not pending.
    ///
    /// - Parameter isFiring: Whether to inject events that need no work. That happens once a second, and not within the
    ///   commit that requested them: a timer that sets the next one at once would never end.
    func reconcile(_ id: SessionID, isFiring: Bool = false, _ state: inout State) {
        guard var tracked = state.sessions[id], tracked.lease != nil else { return }
        let pending = Set(tracked.note.work.map(\.pending.id))
        for (name, piece) in tracked.pieces where !pending.contains(name) {
            cancel(piece, &state)
            tracked.pieces[name] = nil
        }
        let now = host.clock.timestamp()
        var events: [(any DeclaredEvents, of: Piece)] = []
        for asked in tracked.note.work.inOrderOfTime where tracked.pieces[asked.pending.id] == nil {
            var piece = Piece(
                session: tracked.session, asked: asked, number: state.nextNumber(), attempt: 1, stage: .waiting)
            switch asked.task {
            case .timer(let event):
                guard let due = asked.pending.due, due <= now else { continue }
                events.append((event, piece))
            case .work(let body) where body.hasLostSecret: events.append((body.failed(.secretLost), piece))
            case .work:
                if !tracked.note.isNew(asked.pending) { piece.attempt = 2 }
                tracked.pieces[piece.id] = piece
                state.line.append(piece)
            }
        }
        if isFiring { for (_, piece) in events { tracked.pieces[piece.id] = piece } }
        state.sessions[id] = tracked
        if isFiring, !events.isEmpty { inject(events, &state) }
        let isOver = tracked.pieces.values.allSatisfy { if case .injected = $0.stage { true } else { false } }
        if isOver, events.isEmpty { end(id, &state) }
    }

    /// Releases a session, and gives its lease back.
    private func end(_ id: SessionID, _ state: inout State) {
        if state.sessions[id]?.lease != nil { host.journal.endLeases(of: [id]) }
        remove(id, &state)
    }

    func remove(_ id: SessionID, _ state: inout State) {
        guard let tracked = state.sessions.removeValue(forKey: id) else { return }
        for piece in tracked.pieces.values { cancel(piece, &state) }
        // Releasing it may acquire the lock.
        state.afterwards.append { withExtendedLifetime(tracked) {} }
    }

    private func cancel(_ piece: Piece, _ state: inout State) {
        guard case .running(let work) = piece.stage else { return }
        state.running -= 1
        // This may run code of the app.
        if let work { state.afterwards.append { work.cancel() } }
    }

    /// Begins waiting work, up to the limit of work under way.
    private func startWaiting(_ state: inout State) {
        var index = 0
        while index < state.line.count, state.running < host.limits.maximumWork {
            let piece = state.line[index]
            guard let tracked = state.sessions[piece.session.id], tracked.pieces[piece.id]?.number == piece.number
            else {
                state.line.remove(at: index)
                continue
            }
            guard tracked.running < Self.sessionLimit, isSure(tracked) else {
                index += 1
                continue
            }
            state.line.remove(at: index)
            state.move(piece, to: .running(nil))
            state.afterwards.append { Task(executorPreference: self.host.executor) { await self.run(piece) } }
        }
    }

    // MARK: Doing it

    /// Runs a piece of work, and injects its outcome.
    private func run(_ piece: Piece) async {
        let session = piece.session
        guard case .work(let body) = piece.asked.task, act({ $0.move(piece, to: .running(nil)) }) else { return }
        host.counters.countWork()
        let attempts = WorkAttempts(
            body, of: piece.asked, key: session.key(of: piece.id), in: session.context, first: piece.attempt, host.app,
            alarm: host.clock.alarm)
        // It begins once it can be cancelled.
        let (isKnown, known) = AsyncStream<Void>.makeStream()
        let work = Task(executorPreference: host.executor) { [execute] in
            for await _ in isKnown {}
            return Task.isCancelled ? nil : await execute(attempts)
        }
        guard act({ $0.move(piece, to: .running(work)) }) else { return work.cancel() }
        known.finish()
        guard let event = await work.value, act({ $0.move(piece, to: .injecting) }) else { return }
        await inject(event, of: piece)
    }

    /// Injects events of a session in a task, one after the other.
    private func inject(_ events: [(any DeclaredEvents, of: Piece)], _ state: inout State) {
        for (_, piece) in events { state.move(piece, to: .injecting, refusals: piece.refusals) }
        state.afterwards.append {
            Task(executorPreference: self.host.executor) {
                for (event, piece) in events { await self.inject(event, of: piece) }
            }
        }
    }

    /// Injects the outcome of a piece of work, or the event of a timer. If it is refused, a later sweep injects it again.
    private func inject(_ event: any DeclaredEvents, of piece: Piece) async {
        let (id, asked) = (piece.session.id, piece.asked)
        var refusal: SessionError?
        do throws(SessionError) {
            _ = try await piece.session.inject(event, of: asked)
        } catch {
            refusal = error
        }
        act { state in
            switch refusal {
            case nil, .workIsOver: guard state.move(piece, to: .injected) else { return }
            case .hasEnded: return end(id, &state)
            case let error?:
                let refusals = piece.refusals + 1
                let event = refusals == 1 ? substitute(for: event, of: asked, error) : event
                let time = host.clock.uptime() + error.pause(after: refusals)
                guard state.move(piece, to: .refused(event, until: time), refusals: refusals) else { return }
                report(error, asked)
            }
            reconcile(id, &state)
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
