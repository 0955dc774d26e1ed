internal import Coordinate

/// A session that is looked after.
struct TrackedSession {
    let session: Session
    /// The number of the tracked session, counted over all sessions.
    let number: Int
    var note: PendingNote
    /// The number of the lease, counted over all sessions; `nil` before it is granted, and until then nothing
    /// begins.
    var lease: Int?
    /// The time of the last request by which the lease was granted or renewed; `nil` before it is granted.
    var leasedAt: ContinuousClock.Instant?
    var pieces: [String: Piece] = [:]
    /// The subscription to other servers' changes.
    var subscription: (any JournalSubscription)?

    var running: Int { pieces.values.count { $0.isRunning } }

    /// Whether nothing is done for it except waiting to inject refused outcomes again.
    var waits: Bool { !pieces.isEmpty && pieces.values.allSatisfy { $0.refusals > 1 } }

    /// A pending piece of work or timer, and its stage here.
    struct Piece {
        enum Stage {
            /// It waits in line until it may run.
            case waiting
            /// It runs, in a task that may not have begun yet.
            case running(Task<(any DeclaredEvents)?, Never>?)
            /// Its event is on its way into the session.
            case injecting
            /// The session refused its event, which is injected again at a time.
            case refused(any DeclaredEvents, until: Int)
            case injected
        }

        let session: Session
        let asked: AskedWork
        /// Its number, counted over all pieces: another piece with its id is the same work, begun again.
        let number: Int
        /// The number of its first attempt here.
        var attempt: Int
        var stage: Stage
        /// The number of times that its outcome was refused.
        var refusals = 0

        var id: String { asked.pending.id }

        var isRunning: Bool { if case .running = stage { true } else { false } }
    }
}
