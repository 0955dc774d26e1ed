/// The circumstances under which a piece of work runs.
///
/// The task that runs work is cancelled when the coordinator that owns it ends, when its session does, and when
/// its time limit is over: what it brings after that is ignored.
public struct WorkContext: Sendable {
    /// A name of this piece of work that is unique, and the same on every attempt, also after a crash and on another
    /// server. Send it to other services, as an idempotency key for instance, so that they recognise a repetition.
    ///
    /// It contains the session's id, and whoever knows that controls the session.
    public let key: String
    /// The number of the attempt, from 1. It is at least 2 where this server made an earlier one, or a process that is
    /// known to have had the session before. Only the ``key`` tells for certain that something was done already.
    public let attempt: Int
    /// The trace that the work belongs to (https://www.w3.org/TR/trace-context), that of the request that led to it, to
    /// be sent along with the work's own requests. `nil` if that request had none.
    public let traceparent: String?

    /// Creates a context, for tests of the work by itself.
    public init(key: String, attempt: Int = 1, traceparent: String? = nil) {
        self.key = key
        self.attempt = attempt
        self.traceparent = traceparent
    }
}

/// The reason why work failed, in words that its session's clients may read: it is recorded in the journal.
///
/// Work throws one to give a reason. Any other error is logged, and reported as ``unexplained``.
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

    /// The work threw an error that is no ``WorkFailure``.
    public static let unexplained = WorkFailure("It did not work.")
    /// The work took longer than its time limit.
    public static let timedOut = WorkFailure("It took too long.")
    /// The work held a secret, and the process that knew it has died.
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

/// The rule by which work is attempted again after it failed. Only the last failure is reported.
///
/// ```swift
/// perform("prices", retry: .backoff(attempts: 5), { … }, done: …, failed: …)
/// ```
public struct RetryPolicy: Equatable, Sendable {
    /// The most attempts, at least one.
    public let attempts: Int
    /// The pause after the first attempt.
    public let firstPause: Duration
    /// The longest pause.
    public let longestPause: Duration

    /// One attempt.
    public static let never = RetryPolicy(attempts: 1, firstPause: .zero, longestPause: .zero)

    /// Several attempts with pauses in between, each twice as long as the one before it.
    public static func backoff(
        attempts: Int, first: Duration = .seconds(1), longest: Duration = .seconds(60)
    ) -> RetryPolicy {
        RetryPolicy(attempts: max(1, attempts), firstPause: max(.zero, first), longestPause: max(.zero, longest))
    }

    /// The pause after a number of attempts that failed; `nil` if no further one is made.
    package func pause(after failures: Int) -> Duration? {
        guard failures < attempts else { return nil }
        // From the thirtieth on it is the longest one anyway.
        return min(firstPause * (1 << min(failures - 1, 30)), longestPause)
    }
}
