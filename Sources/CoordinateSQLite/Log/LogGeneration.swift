internal import CoordinateSessions
internal import Synchronization

/// A generation of the log's index: the places of the entries of some period, by session.
///
/// It grows while it is the current one, and is released as a whole. A reader retains the generations that existed when
/// it began, so it still knows places that are removed meanwhile.
final class LogGeneration: Sendable {
    /// The place of an entry in the log.
    struct Position: Sendable {
        let version: Int
        let id: Int64
        /// The number of pieces of work and timers pending after it.
        let pending: Int
    }

    private struct State {
        /// The places of each session; its versions are consecutive.
        var places: [SessionID: [Position]] = [:]
        /// The sessions that ended.
        var ended: Set<SessionID> = []
        var count = 0
        var lastID: Int64 = 0
    }

    private let state = Mutex(State())

    /// The number of entries in it.
    var count: Int { state.withLock { $0.count } }

    /// The last id in it; 0 if there is none.
    var lastID: Int64 { state.withLock { $0.lastID } }

    /// Appends an entry whose id is larger than all before.
    func append(_ place: Position, of session: SessionID) {
        state.withLock { state in
            state.places[session, default: []].append(place)
            state.count += 1
            state.lastID = place.id
        }
    }

    /// Records that a session has ended.
    func end(_ session: SessionID) {
        state.withLock { state in _ = state.ended.insert(session) }
    }

    /// Whether it records that a session has ended.
    func hasEnded(_ session: SessionID) -> Bool { state.withLock { $0.ended.contains(session) } }

    /// Appends all of another, later generation.
    func append(_ later: LogGeneration) {
        let later = later.state.withLock { $0 }
        state.withLock { state in
            state.ended.formUnion(later.ended)
            guard later.count > 0 else { return }
            for (session, places) in later.places { state.places[session, default: []] += places }
            state.count += later.count
            state.lastID = later.lastID
        }
    }

    /// The places of a session's entries, oldest first.
    func places(of session: SessionID) -> [Position] { state.withLock { $0.places[session] } ?? [] }

    /// The place of a session's last entry.
    func last(of session: SessionID) -> Position? { state.withLock { $0.places[session]?.last } }

    /// All ids, grouped by session, roughly in the order of the sessions in the file.
    var idsBySession: [Int64] {
        let places = state.withLock { $0.places }
        return places.keys.sorted().flatMap { session in (places[session] ?? []).map(\.id) }
    }
}
