internal import Fairness
internal import Synchronization

/// The sessions that each client has created here, and the unused one that is ended for another if the server is full.
///
/// A session can be ended for another if it has accepted no event and was not used for a minute. The client that yields
/// has more than a quarter of the unused sessions: the client that wants another session, or the one with the most. Its
/// least recently used session is ended; if no client has so many, that of all.
final class CreatedSessions: Sendable {
    /// The time in which a used session is not ended for another one, in seconds.
    static let protection = 60
    /// The number of sessions up to which a client has no large part of them.
    private static let handful = 4

    private struct Member {
        let client: UInt64
        /// The last known use, by the monotonic clock; `nil` for a session with an event.
        var use: Int?
    }

    /// Unused sessions by the second of their last known use.
    private struct Uses {
        private var sessions: [Int: Set<SessionID>] = [:]
        private var first = Int.max

        mutating func insert(_ id: SessionID, at second: Int) {
            sessions[second, default: []].insert(id)
            first = min(first, second)
        }

        mutating func remove(_ id: SessionID, at second: Int) {
            sessions[second]?.remove(id)
            if sessions[second]?.isEmpty == true { sessions[second] = nil }
            if sessions.isEmpty { first = .max }
        }

        /// The least recently used session, up to a second.
        mutating func first(upTo second: Int) -> SessionID? {
            while first <= second {
                if let id = sessions[first]?.first { return id }
                first += 1
            }
            return nil
        }
    }

    private struct State {
        let keepsUsed: Bool
        var members: [SessionID: Member] = [:]
        var created = Shares<UInt64>(share: .max)
        var unused = Shares<UInt64>(share: .max)
        var uses = Uses()
        var usesOfClient: [UInt64: Uses] = [:]

        /// Changes the last known use of a session; `nil` if it no longer counts as unused.
        mutating func setUse(of id: SessionID, to use: Int?) {
            guard let member = members[id] else { return }
            if let former = member.use {
                uses.remove(id, at: former)
                usesOfClient[member.client]?.remove(id, at: former)
                unused.add(-1, for: member.client)
            }
            if let use {
                uses.insert(id, at: use)
                usesOfClient[member.client, default: Uses()].insert(id, at: use)
                unused.add(1, for: member.client)
            }
            if unused.amount(of: member.client) == 0 { usesOfClient[member.client] = nil }
            members[id]?.use = use
            if use == nil, !keepsUsed { remove(id) }
        }

        mutating func remove(_ id: SessionID) {
            if let member = members.removeValue(forKey: id) { created.add(-1, for: member.client) }
        }

        /// The least recently used session, of one client or of all, that was not used since a second.
        mutating func leastUsed(of client: UInt64?, upTo second: Int, _ use: (SessionID) -> Int?) -> SessionID? {
            while let id = client.map({ usesOfClient[$0]?.first(upTo: second) }) ?? uses.first(upTo: second) {
                guard let known = members[id]?.use, let last = use(id), last > known else { return id }
                setUse(of: id, to: last)
            }
            return nil
        }
    }

    private let state: Mutex<State>

    /// - Parameter isShared: Whether other servers use the journal. They may end sessions without a notice, so only
    ///   unused ones are kept.
    init(isShared: Bool) {
        state = Mutex(State(keepsUsed: !isShared))
    }

    /// Whether no session can be ended for another one.
    var areAllUsed: Bool { state.withLock { $0.unused.total == 0 } }

    /// Records that a client created a session.
    ///
    /// - Parameter use: The time, by the monotonic clock; `nil` if the session has accepted an event.
    func add(_ id: SessionID, of client: ClientKey, usedAt use: Int?) {
        state.withLock { state in
            if state.members[id] == nil {
                state.members[id] = Member(client: client.number)
                state.created.add(1, for: client.number)
            }
            state.setUse(of: id, to: use)
        }
    }

    /// Records that a session has accepted an event.
    func didAcceptEvent(_ id: SessionID) {
        state.withLock { $0.setUse(of: id, to: nil) }
    }

    /// Removes a session that has ended.
    func remove(_ id: SessionID) {
        state.withLock { state in
            state.setUse(of: id, to: nil)
            state.remove(id)
        }
    }

    /// Whether a client has more than a quarter of a number of sessions, and more than any other.
    func isFlooding(_ client: ClientKey, _ places: Int) -> Bool {
        state.withLock { state in
            state.created.share = max(Self.handful, places / 4) + 1
            return state.created.clientCount > 1 && state.created.isLargest(client.number)
                && state.created.hasShare(client.number)
        }
    }

    /// Chooses the session that is ended for a new one. It no longer counts as unused.
    ///
    /// - Parameters:
    ///   - client: The client that wants the new one.
    ///   - now: The time, by the monotonic clock.
    ///   - use: Returns the last use of a session; `nil` if it is not in memory.
    /// - Returns: The session; `nil` if none can be ended for this client.
    func makeWay(
        for client: ClientKey, at now: Int, lastUse use: (SessionID) -> Int?
    ) -> (id: SessionID, of: ClientKey)? {
        state.withLock { state in
            let second = now - Self.protection
            state.unused.share = max(Self.handful, state.unused.total / 4) + 1
            let yielding = state.unused.yielding(to: client.number)
            var id = state.leastUsed(of: yielding, upTo: second, use)
            // A client that has its share is refused before others lose a session to it.
            if id == nil, yielding != client.number { id = state.leastUsed(of: nil, upTo: second, use) }
            guard let id, let owner = state.members[id]?.client else { return nil }
            state.setUse(of: id, to: nil)
            return (id, ClientKey(number: owner))
        }
    }
}
