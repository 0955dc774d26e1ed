internal import DequeModule
package import Dispatch
internal import Foundation
internal import Synchronization

/// The threads for long work, so that it blocks no worker. Each of the few threads does a slice of one job and then a
/// slice of the next, so two long jobs do not wait for each other. A client with many jobs delays its own jobs
/// rather than those of others.
///
/// Work that is likely to be quick begins on the caller's thread (``atOnce(_:)``), and continues here if it takes
/// longer than a moment.
package final class FairScheduler: Sendable {
    /// Work that is done in slices.
    package protocol Job: AnyObject, Sendable {
        var client: ClientKey { get }
        /// Whether any caller waits for the job.
        var isAwaited: Bool { get }
        /// Does part of the job. It is never called twice at once.
        func advance(within slice: WorkSlice) -> SliceResult
        /// Ends without a result, and leaves the lanes. It may be called during a slice, and repeatedly.
        func cancel(_ reason: StopReason)
    }

    /// The reason why the scheduler stops a job.
    package enum StopReason: Sendable {
        /// It has waited too long.
        case tooBusy
        /// All callers that waited for it have left.
        case abandoned
        /// The server stops.
        case draining
    }

    package enum SliceResult: Sendable {
        /// The job is not done yet.
        case more
        /// The job continues after ``FairScheduler/resume(_:)``.
        case paused
        case done
    }

    /// The longest time that work may take on the caller's thread.
    static let quickSlice = Duration.milliseconds(1)
    /// The time that work on callers' threads may take in a burst. Afterwards the threads serve others for a multiple
    /// of it, so that such work takes a tenth of one thread in all.
    private static let quickAllowance = Duration.milliseconds(10)
    private static let quickDivisor = 10

    private struct State {
        var queue = JobQueue()
        /// The closures that wait for a lane, oldest first.
        var closures: Deque<@Sendable () -> Void> = []
        /// Whether the last turn was that of a closure: jobs and closures alternate.
        var isAfterClosure = false
        /// The numbers of the idle lanes.
        var free: [Int]
        var isCancelled = false

        /// Takes an idle lane, if there is something to do.
        mutating func freeLane() -> Int? { queue.hasWork || !closures.isEmpty ? free.popLast() : nil }
    }

    /// Runs a closure on a thread that may be blocked for a while: the thread of a lane, by its number.
    package typealias Threads = @Sendable (_ lane: Int, _ work: @escaping @Sendable () -> Void) -> Void

    private let execute: Threads
    private let clock: WorkSlice.Clock
    private let longestStart: DispatchTimeInterval
    private let state: Mutex<State>
    /// The time at which the callers' threads have served others for long enough.
    private let evenAt: Mutex<ContinuousClock.Instant>

    /// - Parameters:
    ///   - count: The number of threads.
    ///   - clock: The clock that measures slices.
    ///   - longestStart: The time after which a job is canceled if it has not started because of others of its client.
    ///   - execute: Runs the work of a lane on a thread; by default, each lane has one of its own.
    package init(
        count: Int = 2, clock: @escaping WorkSlice.Clock = { ContinuousClock.now },
        longestStart: DispatchTimeInterval = .seconds(1), on execute: Threads? = nil
    ) {
        self.clock = clock
        self.longestStart = longestStart
        state = Mutex(State(free: Array(0..<max(1, count))))
        evenAt = Mutex(clock())
        if let execute {
            self.execute = execute
        } else {
            // The threads of a global queue are few, one per core, and other code needs them at the same time.
            let queues = (0..<max(1, count)).map { DispatchQueue(label: "coordinate.lane.\($0)") }
            self.execute = { lane, work in queues[lane].async(execute: work) }
        }
    }

    /// Whether all jobs are canceled.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    // MARK: At once

    /// Begins work on the caller's thread, which has other clients to serve.
    ///
    /// - Parameter body: The work. It must return soon after its slice is over.
    /// - Returns: The result; `nil` if callers' threads have done enough such work recently, and then nothing is done.
    func atOnce<Result, Failure: Error>(
        _ body: (WorkSlice) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let slice = WorkSlice(of: Self.quickSlice, by: clock)
        let isAllowed = evenAt.withLock { $0 <= slice.start + Self.quickAllowance * Self.quickDivisor }
        guard isAllowed else { return nil }
        defer {
            let elapsed = slice.elapsed
            evenAt.withLock { $0 = max($0, slice.start) + elapsed * Self.quickDivisor }
        }
        return try body(slice)
    }

    // MARK: Later

    private static let starts = DispatchQueue(label: "coordinate.starts")

    /// Accepts a job; `false` if there are too many already, and then nothing is done.
    func enter(_ job: any Job) -> Bool {
        let (isIn, isBehindOthers, lane) = state.withLock { state in
            guard state.queue.enter(job) else { return (false, false, Int?.none) }
            return (true, state.queue.hasSeveral(job.client), state.freeLane())
        }
        begin(lane)
        if isBehindOthers {
            Self.starts.asyncAfter(deadline: .now() + longestStart) { [weak self, weak job] in
                guard let self, let job, state.withLock({ $0.queue.isWaiting(job) }) else { return }
                job.cancel(.tooBusy)
            }
        }
        return isIn
    }

    /// Continues a paused job.
    func resume(_ job: any Job) {
        begin(
            state.withLock { state in
                state.queue.ready(job)
                return state.freeLane()
            })
    }

    /// Removes a job from the lanes. Each job calls it when it is done or canceled.
    func leave(_ job: any Job) {
        begin(
            state.withLock { state in
                state.queue.leave(job)
                return state.freeLane()
            })
    }

    private func begin(_ lane: Int?) {
        if let lane { execute(lane) { self.work(on: lane) } }
    }

    /// The number of jobs under way: waiting for a lane, on one, or paused.
    package var jobCount: Int { state.withLock { $0.queue.count } }

    /// Cancels all jobs under way, paused ones included, and all later jobs.
    package func cancel() {
        let jobs = state.withLock { state in
            state.isCancelled = true
            return state.queue.jobs
        }
        for job in jobs { job.cancel(.draining) }
    }

    /// Does the next piece of work, and reschedules the lane while there is more.
    private func work(on lane: Int) {
        guard let next = next(on: lane) else { return }
        switch next {
        case .closure(let body): body()
        case .job(let job, isCancelled: true): job.cancel(.draining)
        case .job(let job, _) where !job.isAwaited: job.cancel(.abandoned)
        case .job(let job, _): advance(job)
        }
        execute(lane) { self.work(on: lane) }
    }

    private enum Next {
        case closure(@Sendable () -> Void)
        case job(any Job, isCancelled: Bool)
    }

    private func next(on lane: Int) -> Next? {
        state.withLock { state in
            if !state.isAfterClosure, let closure = state.closures.popFirst() {
                state.isAfterClosure = true
                return .closure(closure)
            }
            state.isAfterClosure = false
            if let job = state.queue.next() { return .job(job, isCancelled: state.isCancelled) }
            if let closure = state.closures.popFirst() { return .closure(closure) }
            state.free.append(lane)
            return nil
        }
    }

    private func advance(_ job: any Job) {
        let slice = WorkSlice(of: JobQueue.turn, by: clock)
        let progress = job.advance(within: slice)
        let elapsed = slice.elapsed
        state.withLock { state in
            state.queue.charge(elapsed, to: job.client)
            if case .more = progress { state.queue.ready(job) }
        }
    }
}

extension FairScheduler: TaskExecutor {
    /// Runs a job of a task on a lane.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs a closure on a lane, even after ``cancel()``. It should take no longer than a slice.
    package func run(_ body: @escaping @Sendable () -> Void) {
        begin(
            state.withLock { state in
                state.closures.append(body)
                return state.freeLane()
            })
    }
}

/// A short time in which part of a long job is done. The job checks it often, and stops at a point from which it can
/// continue later.
package struct WorkSlice: Sendable {
    /// A clock: the monotonic one, or a test's own.
    package typealias Clock = @Sendable () -> ContinuousClock.Instant

    let start: ContinuousClock.Instant
    private let end: ContinuousClock.Instant
    private let clock: Clock

    init(of length: Duration, by clock: @escaping Clock) {
        self.clock = clock
        start = clock()
        end = start + length
    }

    package var isOver: Bool { clock() >= end }

    /// The time since it began.
    var elapsed: Duration { start.duration(to: clock()) }
}

/// A client, or another source of work. All clients have the same share of the lanes, however much each requests.
///
/// The host assigns the numbers: the same number is the same client.
package struct ClientKey: Hashable, Sendable {
    /// The server itself, for work without a client, such as a timer.
    package static let host = ClientKey(number: 0)

    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}
