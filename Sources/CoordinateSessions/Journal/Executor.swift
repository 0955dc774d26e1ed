/// A place where code runs: a worker that serves clients, or the lanes.
///
/// Results come from threads of the stores. The code that runs because of one runs on an executor, so no store ever waits
/// for an app.
public protocol Executor: AnyObject, Sendable {
    /// Runs a job there, after those that were enqueued before.
    func enqueue(_ job: @escaping @Sendable () -> Void)

    /// Whether the caller runs there already.
    var isCurrent: Bool { get }
}

extension Executor {
    /// Runs a job there: at once if the caller runs there already.
    @inlinable
    public func run(_ job: @escaping @Sendable () -> Void) {
        if isCurrent { job() } else { enqueue(job) }
    }
}
