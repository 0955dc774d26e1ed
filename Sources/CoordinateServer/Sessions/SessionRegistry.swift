internal import Synchronization

/// Every session there is, by its id: found, added and removed in constant time, however many there are.
///
/// Idle sessions lose their trees, and in the end expire. Each waits in a slot of time for its turn to be looked at, and
/// moves on to a later slot then. So this costs each session a look now and then, and nothing on a request.
final class SessionRegistry: Sendable {
    private let limit: Int
    private let clock: ServerClock
    /// The width of a slot of time, in seconds.
    private let slotWidth: Int
    private let total = Atomic(0)
    /// Sessions are spread over shards, so that those on different threads seldom wait for each other.
    private let shards = (0..<64).map { _ in Shard() }

    private final class Shard: Sendable {
        let state = Mutex(State())
    }

    private struct State {
        var sessions: [SessionID: (session: Session, slot: Int)] = [:]
        var slots: [Int: Set<SessionID>] = [:]
    }

    /// - Parameters:
    ///   - limit: The most sessions there may be.
    ///   - limits: How long one may be idle.
    init(limit: Int, limits: Limits, clock: ServerClock) {
        self.limit = limit
        self.clock = clock
        slotWidth = max(1, min(limits.idleTime, limits.passivationTime) / 64)
    }

    var count: Int { total.load(ordering: .relaxed) }

    /// The session with an id, which is now in use; nil where there is none, or none any more.
    func find(_ id: SessionID) -> Session? {
        let session = shard(of: id).state.withLock { $0.sessions[id]?.session }
        guard let session else { return nil }
        guard session.expiry > clock.uptime() else {
            end(id)
            return nil
        }
        session.touch()
        return session
    }

    func add(_ session: Session) throws(SessionError) {
        guard total.wrappingAdd(1, ordering: .relaxed).newValue <= limit else {
            total.wrappingSubtract(1, ordering: .relaxed)
            throw .tooManySessions
        }
        let slot = slot(of: session, now: clock.uptime())
        shard(of: session.id).state.withLock { state in
            state.sessions[session.id] = (session, slot)
            state.slots[slot, default: []].insert(session.id)
        }
    }

    /// Whether there is room for another session.
    var isFull: Bool { count >= limit }

    /// Ends a session.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func end(_ id: SessionID) -> Bool {
        let removed = shard(of: id).state.withLock { state in
            let removed = state.sessions.removeValue(forKey: id)
            if let slot = removed?.slot { Self.remove(id, from: slot, &state) }
            return removed?.session
        }
        guard let removed else { return false }
        total.wrappingSubtract(1, ordering: .relaxed)
        removed.end()
        return true
    }

    /// Ends the sessions that have been idle for too long, and drops the trees of those idle for a while. Called now
    /// and then.
    func sweep() {
        let now = clock.uptime()
        for shard in shards {
            let idle = shard.state.withLock { state in
                let due = state.slots.keys.filter { $0 * slotWidth <= now }
                return due.flatMap { slot in
                    (state.slots.removeValue(forKey: slot) ?? []).compactMap { postpone($0, now: now, &state) }
                }
            }
            // Both let the app stop its trees, which takes a while: nobody has to wait for it at the shard.
            for session in idle {
                if session.expiry <= now { end(session.id) } else { session.passivate() }
            }
        }
    }

    /// Ends all sessions.
    func endAll() {
        for shard in shards {
            for id in shard.state.withLock({ Array($0.sessions.keys) }) { end(id) }
        }
    }

    /// Moves a session on to the slot in which it is due the next time.
    ///
    /// - Returns: the session where it is due now.
    private func postpone(_ id: SessionID, now: Int, _ state: inout State) -> Session? {
        guard let session = state.sessions[id]?.session else { return nil }
        let slot = slot(of: session, now: now)
        state.sessions[id]?.slot = slot
        state.slots[slot, default: []].insert(id)
        return min(session.expiry, session.passivation) <= now ? session : nil
    }

    private static func remove(_ id: SessionID, from slot: Int, _ state: inout State) {
        state.slots[slot]?.remove(id)
        if state.slots[slot]?.isEmpty == true { state.slots[slot] = nil }
    }

    /// The first slot that begins when there is something to do about the session, unless it is used until then.
    private func slot(of session: Session, now: Int) -> Int {
        let passivation = session.passivation <= now ? now + session.host.limits.passivationTime : session.passivation
        return min(session.expiry, passivation) / slotWidth + 1
    }

    private func shard(of id: SessionID) -> Shard {
        shards[id.shard(of: shards.count)]
    }
}
