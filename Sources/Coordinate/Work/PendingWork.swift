/// Work or a timer that a turn asked for and that is not over yet.
public struct PendingWork: Equatable, Sendable {
    /// The version that asked for it and its place there: `12-1`.
    public let id: String
    /// The app's own name for it.
    public let name: String
    /// The id of the coordinator that asked.
    public let at: String
    /// The moment at which the timer is due; nil for work.
    public let due: Timestamp?

    /// Makes one as it was asked for.
    public init(id: String, name: String, at: String, due: Timestamp?) {
        self.id = id
        self.name = name
        self.at = at
        self.due = due
    }
}

/// Work or a timer as a turn asked for it: with what is to be run, or emitted.
package struct AskedWork: Sendable {
    package enum Task: Sendable {
        case work(WorkBody)
        case timer(any DeclaredEvents)
    }

    package let pending: PendingWork
    package let task: Task
    /// The trace of the turn that asked, nil where it had none.
    package let traceparent: String?
}

/// Something to be run, and the events that its outcomes become.
package struct WorkBody: Sendable {
    package let retry: RetryPolicy
    /// The longest that one attempt may take.
    package let timeLimit: Duration
    /// Whether it holds a secret, and that is lost.
    package let hasLostSecret: Bool
    /// Whether it holds a secret, lost or not: then it is begun by nobody who did not see the event that had it.
    package let holdsSecret: Bool
    package let run: @Sendable (WorkContext) async throws -> any DeclaredEvents
    package let failed: @Sendable (WorkFailure) -> any DeclaredEvents
    /// The event for a value that somebody says it brought; nil where that is not of the type it brings.
    package let done: @Sendable (any Sendable) -> (any DeclaredEvents)?
}

extension DeclaredEvents {
    /// The full name and the payload; the name alone where the case is missing from the declaration.
    package var encoded: (name: String, payload: PlainValue) {
        guard let (declared, payload) = Self.declaration.declared(self) else {
            return (Self.declaration.name(ofMissing: self), .object([]))
        }
        return (declared.name, payload)
    }
}
