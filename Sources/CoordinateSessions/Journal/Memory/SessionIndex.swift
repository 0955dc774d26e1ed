internal import Coordinate
internal import Synchronization

/// The sessions of a journal in memory by their references, keys and attributes.
///
/// It is changed while the shard of the session is locked, so it agrees with the sessions. Texts are compared as bytes:
/// different spellings are different.
final class SessionIndex: Sendable {
    /// A key of an app's session, with an empty name, or an attribute.
    private struct Name: Hashable {
        let app: String
        let name: String
        let text: [UInt8]

        init(_ app: String, _ name: String, _ text: String) {
            (self.app, self.name, self.text) = (app, name, Array(text.utf8))
        }
    }

    private struct State {
        var keys: [Name: SessionID] = [:]
        var attributes: [Name: SortedChunks<SessionUse>] = [:]
    }

    private let state = Mutex(State())
    private let references = InlineArray<64, Mutex<[SessionID: SessionID]>> { _ in Mutex([:]) }

    /// Inserts a session; `false` if another one has its key.
    func insert(_ session: SessionRecord, until expiry: Timestamp) -> Bool {
        if session.key != nil || !session.attributes.isEmpty {
            let isAdded = state.withLock { state in
                if let key = session.key.map({ Name(session.app, "", $0) }) {
                    guard state.keys[key] == nil else { return false }
                    state.keys[key] = session.id
                }
                for (name, value) in session.attributes {
                    state.attributes[Name(session.app, name, value), default: SortedChunks()]
                        .insert(SessionUse(session.id, until: expiry))
                }
                return true
            }
            guard isAdded else { return false }
        }
        setSession(session.id, withReference: session.reference)
        return true
    }

    func remove(_ session: SessionRecord, until expiry: Timestamp) {
        setSession(nil, withReference: session.reference)
        guard session.key != nil || !session.attributes.isEmpty else { return }
        state.withLock { state in
            if let key = session.key { state.keys[Name(session.app, "", key)] = nil }
            for (name, value) in session.attributes {
                let name = Name(session.app, name, value)
                state.attributes[name]?.remove(SessionUse(session.id, until: expiry))
                if state.attributes[name]?.count == 0 { state.attributes[name] = nil }
            }
        }
    }

    /// Changes the moment until which a session is kept.
    func move(_ session: SessionRecord, from former: Timestamp, to expiry: Timestamp) {
        guard !session.attributes.isEmpty else { return }
        state.withLock { state in
            for (name, value) in session.attributes {
                let name = Name(session.app, name, value)
                state.attributes[name]?.remove(SessionUse(session.id, until: former))
                state.attributes[name]?.insert(SessionUse(session.id, until: expiry))
            }
        }
    }

    /// Sets the session with a reference; `nil` if there is none. References have the form of ids.
    private func setSession(_ session: SessionID?, withReference reference: String) {
        guard let reference = SessionID(reference) else { return }
        references[reference.shard(of: references.count)].withLock { $0[reference] = session }
    }

    func session(withKey key: String, of app: String) -> SessionID? {
        state.withLock { $0.keys[Name(app, "", key)] }
    }

    /// The session of any app that has a reference; `nil` if there is none.
    func session(withReference reference: String) -> SessionID? {
        guard let reference = SessionID(reference) else { return nil }
        return references[reference.shard(of: references.count)].withLock { $0[reference] }
    }

    /// Returns sessions that have that attribute of a query which the fewest have, last used first.
    func sessions(for query: SessionQuery, after use: SessionUse?, limit: Int) -> [SessionUse] {
        state.withLock { state in
            let all = query.attributes.map { state.attributes[Name(query.app, $0.key, $0.value)] ?? SortedChunks() }
            return all.min { $0.count < $1.count }?.elements(after: use, limit: limit) ?? []
        }
    }
}

/// A session at its place in a list in which those used last come first.
struct SessionUse: Comparable {
    private let expiresAt: Int
    let id: SessionID

    init(_ id: SessionID, until expiry: Timestamp) {
        (expiresAt, self.id) = (expiry.seconds, id)
    }

    init?(_ position: ListPosition) {
        guard let id = SessionID(position.id) else { return nil }
        (expiresAt, self.id) = (position.expiresAt, id)
    }

    var position: ListPosition { ListPosition(expiresAt: expiresAt, id: id.description) }

    static func < (one: SessionUse, other: SessionUse) -> Bool {
        one.expiresAt != other.expiresAt ? one.expiresAt > other.expiresAt : one.id < other.id
    }
}
