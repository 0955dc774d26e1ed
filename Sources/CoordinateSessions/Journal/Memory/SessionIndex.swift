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
        var attributes: [Name: SessionsByUse] = [:]
    }

    private let state = Mutex(State())
    private let references = InlineArray<64, Mutex<[SessionID: SessionID]>> { _ in Mutex([:]) }

    /// Adds a session; `false` if another one has its key.
    func add(_ session: SessionRecord, until expiry: Timestamp) -> Bool {
        if session.key != nil || !session.attributes.isEmpty {
            let isAdded = state.withLock { state in
                if let key = session.key.map({ Name(session.app, "", $0) }) {
                    guard state.keys[key] == nil else { return false }
                    state.keys[key] = session.id
                }
                for (name, value) in session.attributes {
                    state.attributes[Name(session.app, name, value), default: SessionsByUse()]
                        .insert(SessionUse(session.id, until: expiry))
                }
                return true
            }
            guard isAdded else { return false }
        }
        note(session.id, by: session.reference)
        return true
    }

    func remove(_ session: SessionRecord, until expiry: Timestamp) {
        note(nil, by: session.reference)
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

    /// Notes that a session with attributes is kept until another moment.
    func move(_ session: SessionRecord, from former: Timestamp, to expiry: Timestamp) {
        state.withLock { state in
            for (name, value) in session.attributes {
                let name = Name(session.app, name, value)
                state.attributes[name]?.remove(SessionUse(session.id, until: former))
                state.attributes[name]?.insert(SessionUse(session.id, until: expiry))
            }
        }
    }

    /// Notes the session with a reference. References have the form of ids.
    private func note(_ session: SessionID?, by reference: String) {
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

    /// Returns sessions that have that attribute of a query which the fewest have, last used first, after a position.
    func sessions(for query: SessionQuery, after position: ListPosition?, limit: Int) -> [SessionUse] {
        state.withLock { state in
            let all = query.attributes.map { state.attributes[Name(query.app, $0.key, $0.value)] ?? SessionsByUse() }
            return all.min { $0.count < $1.count }?.sessions(after: position.flatMap(SessionUse.init), limit: limit)
                ?? []
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

    fileprivate init?(_ position: ListPosition) {
        guard let id = SessionID(position.id) else { return nil }
        (expiresAt, self.id) = (position.expiresAt, id)
    }

    var position: ListPosition { ListPosition(expiresAt: expiresAt, id: id.description) }

    static func < (one: SessionUse, other: SessionUse) -> Bool {
        one.expiresAt != other.expiresAt ? one.expiresAt > other.expiresAt : one.id < other.id
    }
}

/// Sessions in the order of their last use, in chunks, so that a change moves few of them.
struct SessionsByUse {
    private static let maximumSize = 512

    /// Sorted; none is empty.
    private var chunks: [[SessionUse]] = []
    private(set) var count = 0

    mutating func insert(_ use: SessionUse) {
        count += 1
        guard !chunks.isEmpty else { return chunks.append([use]) }
        let index = chunk(of: use)
        chunks[index].insert(use, at: chunks[index].partitioningIndex { $0 >= use })
        guard chunks[index].count > Self.maximumSize else { return }
        let middle = chunks[index].count / 2
        chunks.insert(Array(chunks[index][middle...]), at: index + 1)
        chunks[index].removeSubrange(middle...)
    }

    mutating func remove(_ use: SessionUse) {
        guard !chunks.isEmpty else { return }
        let index = chunk(of: use)
        let place = chunks[index].partitioningIndex { $0 >= use }
        guard place < chunks[index].count, chunks[index][place] == use else { return }
        count -= 1
        chunks[index].remove(at: place)
        if chunks[index].isEmpty { chunks.remove(at: index) }
    }

    /// Returns the sessions after one, at most `limit`.
    func sessions(after use: SessionUse?, limit: Int) -> [SessionUse] {
        guard !chunks.isEmpty else { return [] }
        let index = use.map(chunk) ?? 0
        var found: [SessionUse] = []
        for chunk in chunks[index...] where found.count < limit {
            let start = use.map { use in chunk.partitioningIndex { $0 > use } } ?? 0
            found += chunk[start...].prefix(limit - found.count)
        }
        return found
    }

    /// The chunk to which a session belongs: the last one that does not begin after it.
    private func chunk(of use: SessionUse) -> Int {
        max(0, chunks.partitioningIndex { $0[0] > use } - 1)
    }
}

extension Array {
    /// The index of the first element for which a condition holds; the condition holds for all later ones.
    fileprivate func partitioningIndex(_ condition: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
