internal import Fairness
internal import Synchronization

/// The sessions that each client has created here, and the unused one that is ended for another if the server is full.
///
/// A session can be ended for another if it has accepted no event and was not used for a minute. A client with more
/// than a quarter of the unused sessions has its share.
final class CreatedSessions: Sendable {
    /// The time in which a used session is not ended for another one, in seconds.
    static let protection = 60
    /// The number of sessions up to which a client has no large part of them.
    private static let handful = 4

    private struct State {
        /// The clients that created the sessions.
        var creators: [SessionID: UInt64] = [:]
        var created = Shares<UInt64>(share: .max)
        var unused = Holdings<UInt64, SessionID>(Shares(share: .max))

        mutating func insert(_ id: SessionID, of client: ClientKey) {
            guard creators.updateValue(client.number, forKey: id) == nil else { return }
            created.add(1, for: client.number)
        }

        mutating func remove(_ id: SessionID) {
            unused.remove(id)
            if let creator = creators.removeValue(forKey: id) { created.add(-1, for: creator) }
        }
    }

    private let state = Mutex(State())
    private let isShared: Bool

    /// - Parameter isShared: Whether other servers use the journal. They may end sessions without a notice, so only
    ///   unused ones are counted.
    init(isShared: Bool) {
        self.isShared = isShared
    }

    /// Whether no session can be ended for another one.
    var areAllUsed: Bool { state.withLock { $0.unused.shares.total == 0 } }

    /// Records that a client created a session.
    func insert(_ id: SessionID, of client: ClientKey) {
        if !isShared { state.withLock { $0.insert(id, of: client) } }
    }

    /// Records the last use of a session without an event, by the monotonic clock.
    func insertUnused(_ id: SessionID, of client: ClientKey, usedAt use: Int) {
        state.withLock { state in
            state.insert(id, of: client)
            state.unused.insert(id, of: client.number, usedAt: use)
        }
    }

    /// Records that a session has accepted an event.
    func didAcceptEvent(_ id: SessionID) {
        state.withLock { if isShared { $0.remove(id) } else { $0.unused.remove(id) } }
    }

    /// Removes a session that has ended.
    func remove(_ id: SessionID) {
        state.withLock { $0.remove(id) }
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
            state.unused.shares.share = max(Self.handful, state.unused.shares.total / 4) + 1
            let released = state.unused.release(
                for: client.number, unusedSince: now - Self.protection, lastUse: use)
            guard let (id, owner) = released else { return nil }
            if isShared { state.remove(id) }
            return (id, ClientKey(number: owner))
        }
    }
}
