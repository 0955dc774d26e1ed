/// The context in which a piece of work runs: its key, its attempt and its trace.
///
/// The host cancels the task that runs the work when the owning coordinator or the session ends, and when the time
/// limit is over. It ignores any later result.
public struct WorkContext: Sendable {
    /// A unique name of this piece of work, the same on every attempt, even after a crash or on another server. Send it
    /// to other services, for example as an idempotency key, so that they recognize a repetition.
    ///
    /// It begins with the session's reference and grants nothing.
    public let key: String
    /// The number of the attempt, from 1. It is at least 2 if this server made an earlier attempt, or if another
    /// process is known to have had the session before. Only the ``key`` reliably identifies a repetition.
    public let attempt: Int
    /// The trace of the request that led to the work (https://www.w3.org/TR/trace-context); `nil` if that request had
    /// none. Send it with the work's own requests.
    public let traceparent: String?
    /// The session that the work belongs to, with its own reference and key. A fork's coordinators know those with which
    /// the original began instead: see ``CoordinatorNode/sessionContext``.
    public let session: SessionContext

    /// Creates a context, for tests of the work by itself.
    public init(
        key: String, attempt: Int = 1, traceparent: String? = nil, session: SessionContext = SessionContext()
    ) {
        self.key = key
        self.attempt = attempt
        self.traceparent = traceparent
        self.session = session
    }
}

/// The reason why work failed, as a text for the session's clients. It is recorded in the journal.
///
/// Work throws one to give a reason. The host logs any other error, and reports it as ``unexplained``.
///
/// ```swift
/// guard answer.status == 200 else { throw WorkFailure("The shop is closed.") }
/// ```
public struct WorkFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, for the user.
    public let reason: String

    /// Creates a failure.
    public init(_ reason: String) {
        self.reason = reason
    }

    /// The work threw an error that is not a ``WorkFailure``.
    public static let unexplained = WorkFailure("It did not work.")
    /// The work exceeded its time limit.
    public static let timedOut = WorkFailure("It took too long.")
    /// The work needed a secret, and the process that knew it has ended.
    public static let secretLost = WorkFailure("It was interrupted.")

    public var description: String { reason }
}

extension WorkFailure: PlainValueConvertible {
    public static let plainType = PlainType.string
    public var plainValue: PlainValue { .string(reason) }

    public static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> WorkFailure {
        WorkFailure(try String.resolve(value, in: dependencies))
    }
}

/// The rule by which failed work is attempted again. Only the last failure is reported.
///
/// ```swift
/// perform("prices", retry: .backoff(attempts: 5), { … }, done: …, failed: …)
/// ```
public struct RetryPolicy: Equatable, Sendable {
    /// The maximum number of attempts, at least one.
    public let attempts: Int
    /// The pause after the first attempt.
    public let firstPause: Duration
    /// The longest pause.
    public let longestPause: Duration

    /// One attempt.
    public static let never = RetryPolicy(attempts: 1, firstPause: .zero, longestPause: .zero)

    /// Returns a policy of several attempts, with pauses that double each time.
    public static func backoff(
        attempts: Int, first: Duration = .seconds(1), longest: Duration = .seconds(60)
    ) -> RetryPolicy {
        RetryPolicy(attempts: max(1, attempts), firstPause: max(.zero, first), longestPause: max(.zero, longest))
    }

    /// Returns the pause after a number of failed attempts; `nil` if there is no further attempt.
    package func pause(after failures: Int) -> Duration? {
        guard failures < attempts else { return nil }
        // The limit of 30 prevents an overflow.
        return min(firstPause * (1 << min(failures - 1, 30)), longestPause)
    }
}
