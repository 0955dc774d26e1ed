internal import CoordinateSessions
internal import Synchronization

/// Something that is asked of PostgreSQL on a lane.
protocol LaneJob: Sendable {
    /// Tells whoever waits that it was not even tried.
    func refuse()
}

/// A connection with a thread of its own, which does what came as one group.
///
/// What waits there is not held up by a server that does not answer, or cannot be reached: it is refused soon, and at once
/// in an outage that has lasted for a while.
final class Lane<Job: LaneJob>: Sendable {
    typealias Intake = GroupWorker<Job>.Intake

    /// What the thread and its owner share.
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
    ///   - rest: How long to wait for jobs, in seconds; then the work is given an empty group, with a connection or
    ///     without. Nil waits as long as it takes.
    ///   - work: Does a group of jobs, and puts back those that it could not begin.
    init(
        _ name: String, _ link: consuming sending Link, limit: Int = 1_024,
        rest: @autoclosure @escaping @Sendable () -> Double? = nil,
        work: @escaping @Sendable (inout Link, [Job], Intake) -> Void
    ) {
        let shared = Shared(link)
        self.shared = shared
        worker = GroupWorker(
            name: "PostgreSQL \(name)", limit: limit, rest: rest(),
            isReady: { shared.link.withLock { $0.connect() } },
            work: { group, intake in shared.link.withLock { work(&$0, group, intake) } })
    }

    /// Whether it is at work: another lane may be quicker.
    var isBusy: Bool { shared.wait.isWaiting }

    /// Has a job done. Where too much waits, or it is closed, it is refused.
    func add<Value: Sendable>(
        _ make: (Promise<Value, JournalError>) -> Job
    ) -> Future<Value, JournalError> {
        let promise = Promise<Value, JournalError>()
        return worker.add(make(promise)) ? .later(promise) : .failed(.unavailable)
    }

    /// Has a job done that nobody waits for.
    func add(_ job: Job) {
        _ = worker.add(job)
    }

    /// Refuses what waits where the thread has been waiting for the server for long.
    func refuseOverdue() {
        guard shared.wait.isOverdue else { return }
        for job in worker.takeBack() { job.refuse() }
    }

    /// Takes no more jobs, and returns when those it has are done or refused, and the connection is closed.
    func close() {
        worker.close()
        for job in worker.takeBack() { job.refuse() }
        shared.link.withLock { $0.abandon() }
    }
}
