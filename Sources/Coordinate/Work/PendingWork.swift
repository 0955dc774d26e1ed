/// Work or a timer that a turn requested and that has not ended yet.
public struct PendingWork: Equatable, Sendable {
    /// The version of the turn that requested it, and its number in that turn: `12-1`.
    public let id: String
    /// The app's own name for it.
    public let name: String
    /// The id of the coordinator that owns it. By default, the coordinator that requested it.
    public let at: String
    /// The moment at which the timer is due; `nil` for work.
    public let due: Timestamp?

    /// Creates a pending piece of work, or a timer.
    public init(id: String, name: String, at: String, due: Timestamp?) {
        self.id = id
        self.name = name
        self.at = at
        self.due = due
    }
}

/// Work or a timer that a turn requested, with the code to run or the event to emit.
package struct AskedWork: Sendable {
    package enum Task: Sendable {
        case work(WorkBody)
        case timer(any DeclaredEvents)
    }

    package let pending: PendingWork
    package let task: Task
    /// The trace of the turn that requested it; `nil` if the turn had none.
    package let traceparent: String?
}

/// The code of a piece of work, and the events that report its outcomes.
package struct WorkBody: Sendable {
    package let retry: RetryPolicy
    /// The longest duration of one attempt.
    package let timeLimit: Duration
    /// Whether it needs a secret that is lost.
    package let hasLostSecret: Bool
    /// Whether it needs a secret, lost or not. Only the process that received the event with the secret can begin it.
    package let holdsSecret: Bool
    package let run: @Sendable (WorkContext) async throws -> any DeclaredEvents
    package let failed: @Sendable (WorkFailure) -> any DeclaredEvents
    /// The name of the type of its values.
    package let value: String
    /// Creates the event for a value that a test supplies; `nil` if the value is of another type.
    package let done: @Sendable (any Sendable) -> (any DeclaredEvents)?
    /// The types of the events that report its outcomes.
    package let outcomes: [any DeclaredEvents.Type]

    /// - Parameter secret: The secret that the work needs; `nil` if it needs none.
    init<Value: Sendable, Done: DeclaredEvents, Failed: DeclaredEvents>(
        retry: RetryPolicy, timeLimit: Duration, secret: Secret? = nil,
        _ work: @escaping @Sendable (WorkContext) async throws -> Value,
        done: @escaping @Sendable (Value) -> Done, failed: @escaping @Sendable (WorkFailure) -> Failed
    ) {
        self.retry = retry
        self.timeLimit = timeLimit
        hasLostSecret = secret.map { $0.text == nil } ?? false
        holdsSecret = secret != nil
        run = { context in done(try await work(context)) }
        self.failed = failed
        value = "\(Value.self)"
        self.done = { value in (value as? Value).map(done) }
        outcomes = Done.self == Failed.self ? [Done.self] : [Done.self, Failed.self]
    }
}

extension AskedWork {
    /// The names of the events that can report its outcome: a timer's event, or all events of the enums that the work
    /// uses.
    package var outcomes: [String] {
        switch task {
        case .timer(let event): [event.encoded.name]
        case .work(let body): body.outcomes.flatMap { $0.names }
        }
    }
}

extension DeclaredEvents {
    /// The full names of all events of this enum.
    fileprivate static var names: [String] { declaration.cases.map(\.name) }

    /// The full name and the payload. The payload is empty if the case is missing from the declaration.
    package var encoded: (name: String, payload: PlainValue) {
        guard let (declared, payload) = Self.declaration.declared(self) else {
            return (Self.declaration.name(ofMissing: self), .object([]))
        }
        return (declared.name, payload)
    }

    /// The full name and the payload with the texts of its secrets, for a client that sends it.
    package var sent: (name: String, payload: PlainValue) { Secret.$isSent.withValue(true) { encoded } }
}
