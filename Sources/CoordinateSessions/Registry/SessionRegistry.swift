internal import Coordinate
internal import Logging
internal import Synchronization

/// The sessions that are in memory, by their ids. All others are in the journal only, and come into memory when they
/// are needed.
///
/// A session that was not used for a while leaves memory again, and in the end it expires in the journal. Each session
/// is in a slot of time. When the slot is over, the session is checked, and moved to a later slot if it was used. So
/// each session costs a check now and then, and a request costs nothing.
///
/// A session is released only while no other code holds it, so that there are never two objects with one id: the code
/// that finds a session holds it for the whole request.
package final class SessionRegistry: Sendable {
    package let host: SessionHost
    package let workScheduler: WorkScheduler
    /// The bytes that wait in imports to be replayed.
    let waitingImports = ByteAllowance()
    /// The width of a slot of time, in seconds.
    private let slotWidth: Int
    /// Sessions are spread over shards, so that threads rarely wait for each other.
    private let shards = InlineArray<64, Mutex<State>> { _ in Mutex(State()) }

    private let isReleasing = Atomic(false)
    /// The time of the last sweep that released nothing, by the monotonic clock.
    private let lastVainSweep = Atomic(-1)

    /// The state of a shard.
    private struct State {
        var sessions: [SessionID: (session: Session, slot: Int)] = [:]
        var slots: [Int: Set<SessionID>] = [:]
        /// The number of sessions that have left so far.
        var departures = 0
    }

    /// - Parameter execute: Runs work.
    package init(_ host: SessionHost, running execute: @escaping WorkExecutor = { await $0.run() }) {
        self.host = host
        workScheduler = WorkScheduler(host, running: execute)
        host.keeper.keeper = workScheduler
        slotWidth = max(1, min(host.limits.idleTime, host.limits.passivationTime) / 64)
    }

    // MARK: Finding

    /// Returns the session with an id. This counts as a use.
    ///
    /// - Parameter client: The client that needs it, and to which the session's long work is assigned from now
    ///   on.
    package func find(_ id: SessionID, for client: ClientKey = .host) async throws(SessionError) -> Session {
        // Looked up once: another thread may wake it at any moment.
        if let session = inMemory(id) {
            if use(session, for: client) {
                guard !session.isHeldUp else { throw .tooBusy }
                return session
            }
            // If the journal is shared, another server may have used the session since.
            guard host.journal.isShared else {
                session.recordUse()
                remove(session)
                throw .hasEnded
            }
        }
        releaseIfNearlyFull()
        let session = try await wake(id, for: client)
        session.recordUse(by: client)
        return session
    }

    /// Returns the session with an id if it is in memory and can be used at once. This counts as a use. For requests
    /// that need only what is in memory.
    package func findInMemory(_ id: SessionID, for client: ClientKey) -> Session? {
        guard let session = inMemory(id), use(session, for: client), !session.isHeldUp else { return nil }
        return session
    }

    /// Notes a use of a session; `false` if it has expired.
    private func use(_ session: Session, for client: ClientKey) -> Bool {
        let now = host.clock.uptime()
        guard !session.hasExpired(by: now) else { return false }
        session.touch(at: now)
        session.recordUse(by: client)
        return true
    }

    /// Returns the session with an id, without counting as a use.
    func findUnused(_ id: SessionID) async throws(SessionError) -> Session {
        guard let session = inMemory(id) else { return try await wake(id, for: .host, isUsed: false) }
        guard host.journal.isShared || !session.hasExpired(by: host.clock.uptime()) else { throw .hasEnded }
        return session
    }

    /// Brings a session into memory. Meanwhile another thread may also load, use and release it. Then the values read
    /// from the journal are out of date, and are read again.
    private func wake(
        _ id: SessionID, for client: ClientKey, isUsed: Bool = true
    ) async throws(SessionError) -> Session {
        while true {
            let departures = withState(of: id) { $0.departures }
            let head = try await findHead(of: id)
            // If the journal is shared, a session that is behind catches up.
            let session = insert(
                Session(head, host: host, isUsed: isUsed), isUsed: isUsed,
                since: host.journal.isShared ? nil : departures)
            if let session { return session }
        }
    }

    /// Puts a session into memory, unless another thread has done so in the meantime.
    ///
    /// - Parameter departures: The departures from its shard when it was read; `nil` if they do not matter.
    /// - Returns: The session that is in memory; `nil` if it is not, and some sessions have left since.
    func insert(_ new: Session, isUsed: Bool = true, since departures: Int? = nil) -> Session? {
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

    /// The summary of a session, without bringing it into memory.
    package func summary(
        of id: SessionID, for client: ClientKey = .host
    ) async throws(SessionError) -> SessionSummary {
        if inMemory(id) != nil { return try await find(id, for: client).summary() }
        _ = try await findHead(of: id)
        host.journal.keep(id, until: host.clock.moment(at: host.expiry(afterUseAt: host.clock.uptime())))
        return try await host.summary(of: id, state: .passive)
    }

    /// The session with an id if it is in memory, expired or not. This does not count as a use.
    func inMemory(_ id: SessionID) -> Session? {
        let session = withState(of: id) { $0.sessions[id]?.session }
        return session?.hasEnded == true ? nil : session
    }

    private func findHead(of id: SessionID) async throws(SessionError) -> SessionHead {
        let head = try await host.head(of: id)
        guard head.expiresAt > host.clock.moment(at: host.clock.uptime()) else { throw .hasEnded }
        return head
    }

    // MARK: Ending

    /// Ends a session, if the condition holds.
    package func end(
        _ session: Session, if condition: VersionCondition = .none
    ) async throws(SessionError) {
        try await session.end(if: condition)
        remove(session)
    }

    /// Changes a session's name and attributes in one step. Does not bring the session into memory.
    ///
    /// - Parameters:
    ///   - name: The name, or `nil` for none; `.none` leaves it as it is.
    ///   - attributes: The new values of some attributes; `nil` removes one.
    package func update(
        _ id: SessionID, name: String?? = .none, attributes: [String: String?] = [:], for client: ClientKey = .host
    ) async throws(SessionError) -> SessionSummary {
        guard host.journal.findsSessions || attributes.isEmpty else { throw .keysUnsupported }
        // Another change can come first.
        for _ in 0..<32 {
            let head = try await host.head(of: id)
            guard head.damage != 0 else { throw .damaged(version: 0) }
            var record = head.record
            if let name { record.name = name }
            for (name, value) in attributes { record.attributes[name] = value }
            guard record.attributes.count <= SessionRecord.maximumAttributes else { throw .tooManyAttributes }
            if record.stored != head.record.stored {
                do throws(JournalError) {
                    try await host.journal.update(record, replacing: head.record)
                } catch .conflict {
                    continue
                } catch {
                    throw SessionError(error)
                }
                inMemory(id)?.updateNames(from: record)
            }
            return try await summary(of: id, for: client)
        }
        throw .tooBusy
    }

    /// Removes a session from memory, if it is there.
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
        releaseIfNearlyFull()
        let now = host.clock.uptime()
        for shard in shards.indices {
            let idle = shards[shard].withLock { state in
                let due = state.slots.keys.filter { $0 * slotWidth <= now }
                return due.flatMap { slot in
                    (state.slots.removeValue(forKey: slot) ?? []).compactMap { release($0, now: now, &state) }
                }
            }
            // Outside the lock, since freeing trees takes a while.
            for session in idle { session.recordUse() }
        }
        host.journal.expire(by: host.clock.moment(at: now)) { id, app in
            guard app == self.host.app.name else { return }
            Task(executorPreference: self.host.executor) { self.vanish(id) }
        }
        lookAfterWork()
        host.retryList.retryAll()
    }

    /// Notes that the journal has ended a session.
    func vanish(_ id: SessionID) {
        inMemory(id)?.vanish()
        host.didEnd(id)
    }

    /// Removes a session that was not used for a while and that no other code holds; otherwise moves it to a later
    /// slot. A session with followers counts as used, even without requests.
    ///
    /// - Parameter isPressed: Whether memory is short, so that any time without use is long enough.
    private func release(_ id: SessionID, now: Int, isPressed: Bool = false, _ state: inout State) -> Session? {
        guard let index = state.sessions.index(forKey: id) else { return nil }
        let patience = min(host.limits.passivationTime, host.limits.idleTime)
        // Followers count as a use, and the journal learns of that in time.
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

    /// Releases sessions that are not in use at the moment, least recently used first, if memory is nearly used up:
    /// their trees can be rebuilt. It examines some thousands at most, and the following ones next time. If it finds
    /// none, it does not try again within the same second.
    func releaseIfNearlyFull() {
        guard host.budget.hasTreesToSpare, !isReleasing.exchange(true, ordering: .acquiring) else { return }
        defer { isReleasing.store(false, ordering: .releasing) }
        let now = host.clock.uptime()
        guard now != lastVainSweep.load(ordering: .relaxed) else { return }
        var isInVain = true
        for shard in shards.indices where host.budget.hasTreesToSpare {
            let idle = shards[shard].withLock { state -> [Session] in
                guard let slot = state.slots.keys.min(), let ids = state.slots[slot]?.prefix(64) else { return [] }
                return ids.compactMap { id in
                    Self.remove(id, from: slot, &state)
                    return release(id, now: now, isPressed: true, &state)
                }
            }
            for session in idle { session.recordUse() }
            if !idle.isEmpty { isInVain = false }
        }
        if isInVain { lastVainSweep.store(now, ordering: .relaxed) }
    }

    private static func remove(_ id: SessionID, from slot: Int, _ state: inout State) {
        state.slots[slot]?.remove(id)
        if state.slots[slot]?.isEmpty == true { state.slots[slot] = nil }
    }

    /// The first slot that begins when the session has to be checked, unless it is used before. It may have followers
    /// by then, and the journal should learn of that before the session expires.
    private func slot(of session: Session) -> Int {
        (session.idleSince + min(host.limits.passivationTime, host.limits.idleTime) / 2) / slotWidth + 1
    }

    /// Calls the body with the shard of an id, under its lock.
    private func withState<Result>(of id: SessionID, _ body: (inout sending State) -> sending Result) -> sending Result
    {
        shards[id.shard(of: shards.count)].withLock(body)
    }

    // MARK: The server's end

    /// Gives up long work, and begins no new work.
    package func drain() {
        host.scheduler.cancel()
        workScheduler.close()
        for session in all() { session.drain() }
    }

    /// Releases all sessions. They are in the journal.
    package func releaseAll() {
        for session in all() {
            session.release()
            session.recordUse()
            remove(session)
        }
    }

    /// Refuses the requests that wait behind a turn of a session that does not return.
    package func refuseWaiting(in session: SessionID) {
        inMemory(session)?.refuseWaiting()
    }

    func all() -> [Session] {
        shards.indices.flatMap { shard in shards[shard].withLock { $0.sessions.values.map(\.session) } }
    }
}
