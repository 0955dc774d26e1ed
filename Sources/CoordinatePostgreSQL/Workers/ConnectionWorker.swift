internal import CoordinateSessions
internal import Synchronization

/// A job for PostgreSQL on a worker.
protocol ConnectionJob: Sendable {
    /// Reports to the caller that the job was not tried.
    func refuse()
}

/// A connection with its own thread, which does all jobs that have arrived meanwhile as one group.
///
/// A server that does not respond or cannot be reached does not block the waiting jobs: they are refused soon, and at
/// once in an outage that has lasted for a while.
final class ConnectionWorker<Job: ConnectionJob>: Sendable {
    typealias Intake = GroupWorker<Job>.Intake

    /// The state that the thread and its owner share.
    private final class Shared: Sendable {
        let link: Mutex<Link>
        let wait: Wait

        init(_ link: consuming sending Link) {
            wait = link.wait
            self.link = Mutex(link)
        }
    }

    private let shared: Shared
    private let worker: GroupWorker<Job>

    /// - Parameters:
    ///   - idleTime: The time, in seconds, for which to wait for jobs; then the work gets an empty group, with a
    ///     connection or without. `nil` waits without a limit.
    ///   - work: Does a group of jobs, and puts back those that it could not begin.
    init(
        _ name: String, _ link: consuming sending Link, limit: Int = 1_024,
        idleTime: @autoclosure @escaping @Sendable () -> Double? = nil,
        work: @escaping @Sendable (inout Link, [Job], Intake) -> Void
    ) {
        let shared = Shared(link)
        self.shared = shared
        worker = GroupWorker(
            name: "pg-\(name)", limit: limit, idleTime: idleTime(),
            isReady: { shared.link.withLock { $0.connect() } },
            work: { group, intake in shared.link.withLock { work(&$0, group, intake) } })
    }

    /// Whether the worker is waiting for the server. Another worker may be faster.
    var isBusy: Bool { shared.wait.isWaiting }

    /// Appends a job, and returns the result with which it resumes its caller. Cancellation has no effect.
    ///
    /// - Throws: ``JournalError/unavailable`` if too many jobs wait, or the worker is closed.
    func result<Value: Sendable>(of job: (JournalCaller<Value>) -> Job) async throws(JournalError) -> Value {
        try await worker.result(of: job)
    }

    /// Appends a job without a caller that waits for its result.
    func append(_ job: Job) {
        _ = worker.append(job)
    }

    /// Refuses the jobs that wait if the thread has been waiting for the server for too long.
    func refuseOverdue() {
        guard shared.wait.isOverdue else { return }
        for job in worker.removeWaiting() { job.refuse() }
    }

    /// Accepts no more jobs, and returns when the accepted ones are done or refused, and the connection is closed.
    func close() {
        worker.close()
        for job in worker.removeWaiting() { job.refuse() }
        shared.link.withLock { $0.abandon() }
    }
}
