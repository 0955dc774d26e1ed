package import Coordinate
internal import Logging
internal import Synchronization

/// The sessions that are in memory, by their ids; all others are in the journal, and come into memory when they are
/// needed.
///
/// A session that was not used for a while leaves memory again, and in the end it expires in the journal. Each session
/// is in a slot of time; when that is over, it is checked, and moved to a later slot where it was used. So this costs
/// each session a check now and then, and nothing on a request.
///
/// A session is released only while nobody else holds it, so that there are never two objects with one id: whoever
/// finds it holds it for as long as the request takes.
package final class SessionRegistry: Sendable {
    package let host: SessionHost
    package let caretaker: Caretaker
    /// The bytes that wait in imports to be replayed.
    let waitingImports = ByteAllowance()
    /// The width of a slot of time, in seconds.
    private let slotWidth: Int
    /// Sessions are spread over shards, so that threads seldom wait for each other's sessions.
    private let shards = InlineArray<64, Mutex<State>> { _ in Mutex(State()) }

    private let isLettingGo = Atomic(false)
    /// The time, by the clock that never jumps, at which there was last nothing to release, though it was tried.
    private let lastInVain = Atomic(-1)

    /// The state of a shard.
    private struct State {
        var sessions: [SessionID: (session: Session, slot: Int)] = [:]
        var slots: [Int: Set<SessionID>] = [:]
        /// How many sessions have left so far.
        var departures = 0
    }

    /// - Parameter execute: Runs work.
    package init(_ host: SessionHost, running execute: @escaping WorkExecutor = WorkAttempts.inTask) {
        self.host = host
        caretaker = Caretaker(host, running: execute)
        host.keeper.keeper = caretaker
        slotWidth = max(1, min(host.limits.idleTime, host.limits.passivationTime) / 64)
    }

    // MARK: Finding

    /// The session with an id; this counts as a use.
    ///
    /// - Parameter requester: The requester that needs it, for which its long work counts from now on.
    package func find(_ id: SessionID, for requester: Requester = .host) -> Future<Session, SessionError> {
        // Looked for once: another thread may wake it at any moment.
        if let session = inMemory(id) {
            if use(session, for: requester) { return session.isHeldUp ? .failed(.tooBusy) : .now(session) }
            // Where there are other servers, they may have used it since.
            if !host.journal.isShared {
                session.noteUse()
                remove(session)
                return .failed(.hasEnded)
            }
        }
        letGoIfTight()
        return wake(id, for: requester).map(on: host.executor(of: requester)) { session in
            session.note(requester)
            return session
        }
    }

    /// The session with an id where it is in memory and can be used at once; this counts as a use. For requests that
    /// are answered with what it has at hand.
    package func findAtHand(_ id: SessionID, for requester: Requester) -> Session? {
        guard let session = inMemory(id), use(session, for: requester), !session.isHeldUp else { return nil }
        return session
    }

    /// Notes a use of a session; false where it has expired.
    private func use(_ session: Session, for requester: Requester) -> Bool {
        let now = host.clock.uptime()
        guard !session.hasExpired(by: now) else { return false }
        session.touch(at: now)
        session.note(requester)
        return true
    }

    /// The session with an id, without counting as a use.
    func findUnused(_ id: SessionID) -> Future<Session, SessionError> {
        if let session = inMemory(id) {
            let isOver = !host.journal.isShared && session.hasExpired(by: host.clock.uptime())
            return isOver ? .failed(.hasEnded) : .now(session)
        }
        return wake(id, for: .host, isUsed: false)
    }

    /// Brings a session into memory. Another thread may do that as well, and use the session, and let go of it: then
    /// what was read of it before is not what it is now, and is read once more.
    private func wake(
        _ id: SessionID, for requester: Requester, isUsed: Bool = true
    ) -> Future<Session, SessionError> {
        let departures = withState(of: id) { $0.departures }
        return findHead(of: id, for: requester).then(on: host.executor(of: requester)) { result in
            switch result {
            case .failure(let error): return .failed(error)
            case .success(let head):
                // Where there are other servers, a session that is behind catches up.
                let session = self.add(
                    Session(head, host: self.host, isUsed: isUsed), isUsed: isUsed,
                    since: self.host.journal.isShared ? nil : departures)
                return session.map(Future.now) ?? self.wake(id, for: requester, isUsed: isUsed)
            }
        }
    }

    /// The summary of a session, in memory or not, which stays where it is.
    package func summary(of id: SessionID, for requester: Requester = .host) -> Future<SessionSummary, SessionError> {
        let executor = host.executor(of: requester)
        if inMemory(id) != nil {
            return find(id, for: requester).then(on: executor) { result in
                switch result {
                case .success(let session): session.summary(for: requester)
                case .failure(let error): .failed(error)
                }
            }
        }
        return findHead(of: id, for: requester).then(on: executor) { result in
            if case .failure(let error) = result { return .failed(error) }
            let expiry = self.host.expiry(afterUseAt: self.host.clock.uptime())
            self.host.journal.keep(id, until: self.host.clock.moment(at: expiry))
            return self.host.summary(of: id, state: .passive, for: requester)
        }
    }

    /// The session with an id where it is in memory, expired or not; this does not count as a use.
    func inMemory(_ id: SessionID) -> Session? {
        let session = withState(of: id) { $0.sessions[id]?.session }
        return session?.hasEnded == true ? nil : session
    }

    private func findHead(of id: SessionID, for requester: Requester) -> Future<SessionHead, SessionError> {
        host.head(of: id, for: requester).mapResult(on: host.executor(of: requester)) { result in
            result.flatMap { head in
                let now = self.host.clock.moment(at: self.host.clock.uptime())
                return head.expiresAt > now ? .success(head) : .failure(.hasEnded)
            }
        }
    }

    // MARK: Making

    /// The number of sessions, in memory and in the journal alone.
    package var count: Int { host.journal.count }

    /// Whether there is certainly no room for another one. Only a shared journal itself knows that: other servers may have
    /// made room since it was counted.
    package var isFull: Bool { !host.journal.isShared && count >= host.limits.maximumSessions }

    /// The reason why certainly no session can be made, even if some make way; nil where one may be made.
    package var shortage: SessionError? {
        guard isFull || host.budget.isFull, host.newcomers.isEmpty else { return nil }
        return refusal
    }

    /// The error with which a new session is refused where there is no room.
    var refusal: SessionError { isFull ? .tooManySessions : .memoryIsFull }

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - options: The options that were set; the others have their defaults.
    ///   - first: Its first event. Where that is refused, no session is made.
    ///   - client: The requester that wants it: of the sessions that have never taken an event, its own make way first.
    package func begin(
        options: PlainValue = .object([]), with first: EventInjection? = nil, for client: Requester = .host
    ) -> Future<NewSession, SessionError> {
        guard isCrowded(for: client) else { return beginNow(options, first, client) }
        return room(for: client).then(on: host.executor(of: client)) { result in
            if case .failure(let error) = result { return .failed(error) }
            return self.beginNow(options, first, client)
        }
    }

    private func beginNow(
        _ options: PlainValue, _ first: EventInjection?, _ client: Requester
    ) -> Future<NewSession, SessionError> {
        do throws(SessionError) {
            try host.app.checkOptions(options)
            let beginning = host.beginning(options)
            let tree = try SessionTree(host.app, beginning)
            let record = host.record(
                beginning, createdAt: beginning.time, path: tree.path, begun: tree.root.pendingWork)
            var entries: [JournalEntry] = []
            var published: (any EncodedRoute)?
            var outcome: EventOutcome?
            if let first {
                guard first.condition.allows(0) else { throw .versionConflict(current: 0) }
                let turn = try tree.apply(first.event, at: beginning.time)
                let mark: UInt64? = host.journal.losesAnswers ? .random(in: 1 ... .max) : nil
                let entry = turn.entry(1, at: beginning.time, in: tree, for: first, mark: mark)
                entries.append(entry)
                tree.version = 1
                if first.wantsRoute { published = host.route(of: tree, in: record.id) }
                outcome = EventOutcome(
                    version: 1, turn: turn, path: entry.path, leaf: tree.root.visibleLeaf.id, route: published)
            }
            let expiry = host.clock.uptime() + host.limits.idleTime + host.limits.idleTime / 10
            let session = Session(
                record, host: host, tree: tree, retry: first?.retry, published: published, until: expiry)
            return create(record, with: entries, until: expiry, for: client).map(on: host.executor(of: client)) {
                [outcome] in
                if let outcome { self.host.counters.countEvent(isHandled: outcome.turn.dispatch.isHandled) }
                let added = self.add(session) ?? session
                if outcome == nil { self.host.newcomers.add(record.id, of: client, usedAt: self.host.clock.uptime()) }
                added.noteFirstWork(for: client)
                return NewSession(session: added, outcome: outcome)
            }
        } catch {
            return .failed(error)
        }
    }

    /// Makes a session with the first events of another one, without running them.
    ///
    /// - Parameters:
    ///   - withholdsWork: Whether nothing that is pending begins in it. That is so in any case if it is so in the original.
    ///   - client: The requester that wants it.
    package func fork(
        _ original: Session, at version: Int, withholdingWork withholdsWork: Bool = false, for client: Requester = .host
    ) -> Future<SessionSummary, SessionError> {
        host.head(of: original.id, for: client).then(on: host.executor(of: client)) { result in
            switch result {
            case .failure(let error): return .failed(error)
            case .success(let head):
                guard version <= head.version else { return .failed(.unknownVersion(current: head.version)) }
                let crash = self.host.app.crash(keepingFrom: head).map(Quarantine.crashed)
                if let reason = original.quarantine ?? crash, version >= reason.version { return .failed(reason.error) }
                var beginning = head.record.beginning
                if withholdsWork { beginning.isWorkWithheld = true }
                let record = self.host.record(
                    beginning, path: head.record.path, begun: head.record.begun,
                    parent: ForkPoint(session: original.id, version: version))
                return self.create(record, with: [], for: client)
            }
        }
    }

    /// Makes a session from entries that have been replayed.
    func create(
        _ record: SessionRecord, with entries: any Sequence<JournalEntry> & Sendable, for client: Requester
    ) -> Future<SessionSummary, SessionError> {
        room(for: client)
            .then(on: host.executor(of: client)) { result -> Future<Void, SessionError> in
                if case .failure(let error) = result { return .failed(error) }
                let expiry = self.host.expiry(afterUseAt: self.host.clock.uptime())
                return self.create(record, with: entries, until: expiry, for: client)
            }
            .then(on: host.executor(of: client)) { result in
                if case .failure(let error) = result { return .failed(error) }
                if record.parent?.version == 0 {
                    self.host.newcomers.add(record.id, of: client, usedAt: self.host.clock.uptime())
                }
                return self.host.summary(of: record.id, state: .passive, for: client).mapResult(
                    on: self.host.executor(of: client)
                ) { result in
                    // There is such a session, whatever becomes of this.
                    result.mapError { if case .journal = $0 { .journal(.outcomeUnknown) } else { $0 } }
                }
            }
    }

    /// - Parameter attempts: The most sessions that may make way for it. A shared journal asks for that only in its
    ///   result.
    private func create(
        _ record: SessionRecord, with entries: any Sequence<JournalEntry> & Sendable, until expiry: Int,
        for client: Requester, attempts: Int = 4
    ) -> Future<Void, SessionError> {
        host.journal.create(
            record, with: entries, until: host.clock.moment(at: expiry), limit: limit(for: client)
        ).then(on: host.executor(of: client)) { result -> Future<Void, SessionError> in
            self.host.counters.countAnswer(result)
            switch result {
            case .success:
                self.host.newcomers.noteCreation(by: client, at: self.host.clock.uptime())
                self.host.hooks.didBegin(record.id)
                return .now(())
            case .failure(.tooManySessions) where attempts > 0:
                return self.makeWay(for: client).then(on: self.host.executor(of: client)) { hasMade in
                    guard case .success(true) = hasMade else { return .failed(.tooManySessions) }
                    return self.create(record, with: entries, until: expiry, for: client, attempts: attempts - 1)
                }
            case .failure(let error): return .failed(SessionError(error))
            }
        }
    }

    /// Puts a session into memory, unless another thread has done so in the meantime.
    ///
    /// - Parameter departures: The departures from its shard when it was read; nil where they do not matter.
    /// - Returns: The session that is in memory. Nil where none is, and some have left since.
    private func add(_ new: Session, isUsed: Bool = true, since departures: Int? = nil) -> Session? {
        let slot = slot(of: new)
        let session = withState(of: new.id) { state -> Session? in
            if let session = state.sessions[new.id]?.session, !session.hasEnded { return session }
            guard departures == nil || departures == state.departures else { return nil }
            if let former = state.sessions[new.id] { Self.remove(new.id, from: former.slot, &state) }
            state.sessions[new.id] = (new, slot)
            state.slots[slot, default: []].insert(new.id)
            return new
        }
        if isUsed { session?.touch() }
        return session
    }

    // MARK: Ending

    /// Ends a session, if the condition holds.
    package func end(
        _ session: Session, if condition: VersionCondition = .none, for requester: Requester = .host
    ) -> Future<Void, SessionError> {
        session.end(if: condition, for: requester).map(on: host.executor(of: requester)) {
            self.host.newcomers.noteEnd(by: requester)
            self.remove(session)
        }
    }

    /// Takes a session out of memory, where it is there.
    func remove(_ session: Session) {
        withState(of: session.id) { state in
            guard let (known, slot) = state.sessions[session.id], known === session else { return }
            state.sessions[session.id] = nil
            state.departures += 1
            Self.remove(session.id, from: slot, &state)
        }
    }

    /// Releases sessions that were not used for a while, and ends expired ones. Called about once a second.
    package func sweep() {
        letGoIfTight()
        let now = host.clock.uptime()
        for shard in shards.indices {
            let idle = shards[shard].withLock { state in
                let due = state.slots.keys.filter { $0 * slotWidth <= now }
                return due.flatMap { slot in
                    (state.slots.removeValue(forKey: slot) ?? []).compactMap { release($0, now: now, &state) }
                }
            }
            // Outside the lock: freeing trees takes a while.
            for session in idle { session.noteUse() }
        }
        host.journal.expire(by: host.clock.moment(at: now)) { id, app in
            guard app == self.host.app.name else { return }
            self.host.executor.run {
                self.inMemory(id)?.post(.input(.vanished), on: self.host.executor)
                self.host.didEnd(id)
            }
        }
        lookAfterWork()
        host.overdue.tryAgain()
    }

    /// Removes a session that was not used for a while and that nobody else holds; otherwise moves it to a later slot.
    /// A session that is followed counts as used, though no request comes for it.
    ///
    /// - Parameter isPressed: True where memory is short, so that any time without use is long enough.
    private func release(_ id: SessionID, now: Int, isPressed: Bool = false, _ state: inout State) -> Session? {
        guard let index = state.sessions.index(forKey: id) else { return nil }
        let patience = min(host.limits.passivationTime, host.limits.idleTime)
        // Those who follow it use it, and the journal hears of that in time.
        let isFollowed = state.sessions.values[index].session.touchIfFollowed()
        let due = state.sessions.values[index].session.idleSince + (isFollowed ? patience / 2 : patience)
        let isIdle =
            (due <= now || isPressed && !isFollowed) && !state.sessions.values[index].session.isHeldUp
            && state.sessions.values[index].session.isIdle
        if isIdle, isKnownUniquelyReferenced(&state.sessions.values[index].session) {
            state.departures += 1
            return state.sessions.remove(at: index).value.session
        }
        let slot = max(due, now) / slotWidth + 1
        state.sessions.values[index].slot = slot
        state.slots[slot, default: []].insert(id)
        return nil
    }

    /// Releases sessions that are not in use at the moment, those used longest ago first, where memory is nearly used
    /// up: their trees can be made again. It examines some thousands at most, and the following ones next time. Where
    /// it finds none, it does not try again within the same second.
    func letGoIfTight() {
        guard host.budget.hasTreesToSpare, !isLettingGo.exchange(true, ordering: .acquiring) else { return }
        defer { isLettingGo.store(false, ordering: .releasing) }
        let now = host.clock.uptime()
        guard now != lastInVain.load(ordering: .relaxed) else { return }
        var isInVain = true
        for shard in shards.indices where host.budget.hasTreesToSpare {
            let idle = shards[shard].withLock { state -> [Session] in
                guard let slot = state.slots.keys.min(), let ids = state.slots[slot]?.prefix(64) else { return [] }
                return ids.compactMap { id in
                    Self.remove(id, from: slot, &state)
                    return release(id, now: now, isPressed: true, &state)
                }
            }
            for session in idle { session.noteUse() }
            if !idle.isEmpty { isInVain = false }
        }
        if isInVain { lastInVain.store(now, ordering: .relaxed) }
    }

    private static func remove(_ id: SessionID, from slot: Int, _ state: inout State) {
        state.slots[slot]?.remove(id)
        if state.slots[slot]?.isEmpty == true { state.slots[slot] = nil }
    }

    /// The first slot that begins when the session has to be checked, unless it is used until then. It may be followed by
    /// then, and the journal should know that before it expires.
    private func slot(of session: Session) -> Int {
        (session.idleSince + min(host.limits.passivationTime, host.limits.idleTime) / 2) / slotWidth + 1
    }

    /// Calls the body with the shard of an id, under its lock.
    private func withState<Result>(of id: SessionID, _ body: (inout sending State) -> sending Result) -> sending Result
    {
        shards[id.shard(of: shards.count)].withLock(body)
    }

    // MARK: The server's end

    /// Gives up long work, and begins nothing new.
    package func drain() {
        host.lanes.cancel()
        caretaker.close()
        for session in all() { session.drain() }
    }

    /// Releases all sessions. They are in the journal.
    package func letGo() {
        for session in all() {
            session.letGo()
            session.noteUse()
            remove(session)
        }
    }

    /// Refuses the requests that wait behind a turn of a session that does not end.
    package func refuseWaiting(in session: SessionID) {
        inMemory(session)?.refuseWaiting()
    }

    func all() -> [Session] {
        shards.indices.flatMap { shard in shards[shard].withLock { $0.sessions.values.map(\.session) } }
    }
}

/// A session that was made, and the outcome of its first event.
package struct NewSession: Sendable {
    package let session: Session
    package let outcome: EventOutcome?
}

extension SessionHost {
    /// The values of which a new session's tree is made, with the present time.
    func beginning(_ options: PlainValue) -> SessionBeginning {
        SessionBeginning(options: options, seed: .random(in: 0..<(1 << 53)), time: clock.timestamp())
    }

    /// The version 0 of a new session.
    func record(
        _ beginning: SessionBeginning, createdAt: Timestamp? = nil, path: String, begun: [PendingWork],
        parent: ForkPoint? = nil
    ) -> SessionRecord {
        SessionRecord(
            id: .random(), app: app.name, appVersion: app.version, options: beginning.options,
            createdAt: createdAt ?? clock.timestamp(), startedAt: beginning.time, seed: beginning.seed, path: path,
            begun: begun, parent: parent, isWorkWithheld: beginning.isWorkWithheld)
    }
}
