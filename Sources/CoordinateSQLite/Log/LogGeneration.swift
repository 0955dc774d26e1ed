internal import CoordinateSessions
internal import Synchronization

/// A generation of the log's index: where the entries of some time are, by session.
///
/// It grows while it is the current one, and is let go of as a whole. Whoever reads keeps the ones that there were when
/// it began to: what is forgotten meanwhile, it still knows.
final class LogGeneration: Sendable {
    /// Where an entry is.
    struct Place: Sendable {
        let version: Int
        let id: Int64
        /// How much work is under way after it.
        let pending: Int
    }

    private struct State {
        /// The versions of a session follow one another.
        var places: [SessionID: [Place]] = [:]
        /// Sessions that ended.
        var ended: Set<SessionID> = []
        var count = 0
        var lastID: Int64 = 0
    }

    private let state = Mutex(State())

    /// How many entries it knows.
    var count: Int { state.withLock { $0.count } }

    /// The last id it knows, 0 where it knows none.
    var lastID: Int64 { state.withLock { $0.lastID } }

    /// Adds an entry whose id is larger than all before.
    func add(_ place: Place, of session: SessionID) {
        state.withLock { state in
            state.places[session, default: []].append(place)
            state.count += 1
            state.lastID = place.id
        }
    }

    /// Notes that a session has ended.
    func end(_ session: SessionID) {
        state.withLock { state in _ = state.ended.insert(session) }
    }

    /// Whether it knows that a session has ended.
    func hasEnded(_ session: SessionID) -> Bool { state.withLock { $0.ended.contains(session) } }

    /// Adds all that another one has, which came later.
    func add(_ later: LogGeneration) {
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
    func places(of session: SessionID) -> [Place] { state.withLock { $0.places[session] } ?? [] }

    /// The place of a session's last entry.
    func last(of session: SessionID) -> Place? { state.withLock { $0.places[session]?.last } }

    /// All ids, those of a session side by side, and about in the order in which sessions are in the file.
    var idsBySession: [Int64] {
        let places = state.withLock { $0.places }
        return places.keys.sorted().flatMap { session in (places[session] ?? []).map(\.id) }
    }
}
