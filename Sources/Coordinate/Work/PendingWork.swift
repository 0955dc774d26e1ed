/// Work or a timer that a turn asked for and that is not over yet.
public struct PendingWork: Equatable, Sendable {
    /// The version of the turn that asked for it, and its number in that turn: `12-1`.
    public let id: String
    /// The app's own name for it.
    public let name: String
    /// The id of the coordinator that owns it: by default, the one that asked.
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

/// Work or a timer as a turn asked for it: with the code to be run, or the event to be emitted.
package struct AskedWork: Sendable {
    package enum Task: Sendable {
        case work(WorkBody)
        case timer(any DeclaredEvents)
    }

    package let pending: PendingWork
    package let task: Task
    /// The trace of the turn that asked for it, `nil` if the turn had none.
    package let traceparent: String?
}

/// The code of a piece of work, and the events that its outcomes become.
package struct WorkBody: Sendable {
    package let retry: RetryPolicy
    /// The longest that one attempt may take.
    package let timeLimit: Duration
    /// Whether it holds a secret that is lost.
    package let hasLostSecret: Bool
    /// Whether it holds a secret, lost or not: then only the process that saw the event with the secret may begin it.
    package let holdsSecret: Bool
    package let run: @Sendable (WorkContext) async throws -> any DeclaredEvents
    package let failed: @Sendable (WorkFailure) -> any DeclaredEvents
    /// The name of the type of the values that it brings.
    package let value: String
    /// Creates the event of a value that a test says the work brought; `nil` if the value is not of that type.
    package let done: @Sendable (any Sendable) -> (any DeclaredEvents)?
    /// The types of the events that its outcomes become.
    package let outcomes: [any DeclaredEvents.Type]

    /// Returns the types of the events that two closures create.
    static func outcomes<Value, Done: DeclaredEvents, Failed: DeclaredEvents>(
        _ done: (Value) -> Done, _ failed: (WorkFailure) -> Failed
    ) -> [any DeclaredEvents.Type] {
        Done.self == Failed.self ? [Done.self] : [Done.self, Failed.self]
    }
}

extension AskedWork {
    /// The names of the events that can be its outcome: that of a timer, and of work all events of the enums that its
    /// outcomes belong to.
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

    /// The full name and the payload; the name alone where the case is missing from the declaration.
    package var encoded: (name: String, payload: PlainValue) {
        guard let (declared, payload) = Self.declaration.declared(self) else {
            return (Self.declaration.name(ofMissing: self), .object([]))
        }
        return (declared.name, payload)
    }
}
