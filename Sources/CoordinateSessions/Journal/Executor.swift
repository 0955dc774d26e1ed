/// A place where code runs: a worker that serves clients, or the lanes.
///
/// Stores deliver results on their own threads. The code that handles a result runs on an executor, so no store waits
/// for an app.
public protocol Executor: AnyObject, Sendable {
    /// Runs a job on this executor, after the jobs that were enqueued before.
    func enqueue(_ job: @escaping @Sendable () -> Void)

    /// Whether the caller already runs on this executor.
    var isCurrent: Bool { get }
}

extension Executor {
    /// Runs a job on this executor: at once if the caller already runs there.
    @inlinable
    public func run(_ job: @escaping @Sendable () -> Void) {
        if isCurrent { job() } else { enqueue(job) }
    }
}
