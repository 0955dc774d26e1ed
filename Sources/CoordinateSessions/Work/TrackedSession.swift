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
            case waiting
            /// It runs; with the function that gives it up.
            case running(@Sendable () -> Void)
            /// Its event is on its way into the session, or will be injected again at a time.
            case injecting(any DeclaredEvents, at: Int?)
            case injected
        }

        let asked: AskedWork
        /// The number of its first attempt here.
        let attempt: Int
        var stage: Stage
        /// The number of times that its outcome was refused.
        var refusals = 0

        var isRunning: Bool { if case .running = stage { true } else { false } }
    }
}
