/// The rule by which work is attempted again after it failed. Only the last failure is told.
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

    /// The pause after a number of attempts that failed; nil where no further one is made.
    package func pause(after failures: Int) -> Duration? {
        guard failures < attempts else { return nil }
        // From the thirtieth on it is the longest one anyway.
        return min(firstPause * (1 << min(failures - 1, 30)), longestPause)
    }
}
