import CoordinateSessions
import MisbehavingJournal
import Synchronization

/// A client that follows a session, and is notified of every version once, in order, until it leaves. Or it waits for
/// one version that it does not know.
final class Watcher: SessionFollower {
    private struct State {
        var first: Int?
        var last: Int?
        /// The number of versions that it still wants.
        var patience: Int
        var place: FollowerID?
        var session: Session?
        var hasLeft = false
        var hasEnded = false
        var wasReleased = false
    }

    let id: SessionID
    let server: Int
    let request: Int
    private let known: Int?
    private let history: History
    private let state: Mutex<State>

    /// - Parameters:
    ///   - patience: The number of versions that it wants.
    ///   - known: The version after which it wants them, if it waits for one; `nil` if it follows from any.
    init(of id: SessionID, on server: Int, request: Int, patience: Int, knowing known: Int?, in history: History) {
        self.id = id
        self.server = server
        self.request = request
        self.known = known
        self.history = history
        state = Mutex(State(patience: patience))
    }

    /// The version with which it was welcomed.
    var first: Int? { state.withLock { $0.first } }
    var last: Int? { state.withLock { $0.last } }
    /// Whether it is still notified.
    var isFollowing: Bool {
        state.withLock { $0.first != nil && !$0.hasLeft && !$0.hasEnded && !$0.wasReleased }
    }

    func welcome(_ version: Int, _ route: any EncodedRoute) -> Bool {
        history.see(route, version, of: id, by: "follower #\(request)")
        return state.withLock { state in
            state.first = version
            state.last = version
            state.hasLeft = known.map { $0 != version } ?? false
            return !state.hasLeft
        }
    }

    func join(_ session: Session, as place: FollowerID?) {
        let (hasLeft, first) = state.withLock { state in
            state.session = session
            state.place = place
            return (state.hasLeft, state.first)
        }
        if place != nil, let known, known != first {
            history.ledger.violation("follower #\(request) got \(first ?? -1), and follows, although it wanted no more")
        }
        if hasLeft { leave() }
    }

    func leave() {
        let (session, place) = state.withLock { state in
            state.hasLeft = true
            defer { state.session = nil }
            return (state.session, state.place)
        }
        if let place { session?.unfollow(place) }
    }

    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool {
        history.see(route, version, of: id, by: "follower #\(request)")
        let (isNext, isOver, last, wantsMore) = state.withLock { state in
            let last = state.last
            state.last = version
            state.patience -= 1
            // It may leave before it knows its place.
            let isOver = state.hasLeft && state.place != nil || state.hasEnded || state.wasReleased
            if state.patience == 0 { state.hasLeft = true }
            return (version == last.map { $0 + 1 }, isOver, last, state.patience > 0)
        }
        if !isNext { history.ledger.violation("follower #\(request) was notified of \(version) after \(last ?? -1)") }
        if isOver { history.ledger.violation("follower #\(request) was notified of \(version) after it had left") }
        return wantsMore
    }

    func didEnd() {
        state.withLock { $0.hasEnded = true }
        if history.store.contains(id) {
            history.ledger.violation("follower #\(request) was notified of an end that did not happen")
        }
    }

    func wasReleased() {
        state.withLock { $0.wasReleased = true }
    }
}
