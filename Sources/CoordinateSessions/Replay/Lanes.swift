internal import Dispatch
internal import Synchronization

/// Where long work is done, so that no worker is kept by it: a few threads, each of which does a slice of one job and
/// then a slice of the next. So two that take long do not wait for each other, however few the threads are, and whoever
/// asks for much waits for it without others waiting as long.
///
/// What is likely to be quick is begun on the thread that asks (``atOnce(_:)``), and goes on here where it is not done in
/// a moment.
package final class Lanes: Sendable {
    /// Work that is done in slices.
    package protocol Job: AnyObject, Sendable {
        var requester: Requester { get }
        /// Whether anybody still waits for it.
        var isAwaited: Bool { get }
        /// Does part of it. Never called twice at once.
        func advance(within slice: WorkSlice) -> Progress
        /// Gives up, and leaves. It may be called while a slice is being done, and again.
        func giveUp(_ reason: SessionError)
    }

    package enum Progress: Sendable {
        /// There is more to do.
        case more
        /// It goes on when it is ``Lanes/resume(_:)``d.
        case paused
        case done
    }

    /// How urgent a job is.
    package enum Urgency: Sendable {
        /// Somebody wants to look at the past; of these so many may be under way, and no more.
        case patient
        /// A session cannot go on without it.
        case urgent
    }

    /// A turn on a lane.
    private static let slice = Duration.milliseconds(4)
    /// What may be done at once.
    static let quickSlice = Duration.milliseconds(1)
    /// What may be done at once in a short time by all who ask, and how many times that they leave to others meanwhile: a
    /// tenth of one thread in all.
    private static let quickAllowance = Duration.milliseconds(10)
    private static let quickDivisor = 10

    private struct State {
        var roster = LaneRoster()
        /// The numbers of the lanes on which nothing is done.
        var free: [Int]
        var isCancelled = false
    }

    /// Has something done on a thread that may be kept for a while: that of a lane, by its number.
    package typealias Executor = @Sendable (_ lane: Int, _ work: @escaping @Sendable () -> Void) -> Void

    private let execute: Executor
    private let clock: WorkSlice.Clock
    private let state: Mutex<State>
    /// When others have had their time for all that was done at once.
    private let evenAt: Mutex<ContinuousClock.Instant>

    /// - Parameters:
    ///   - count: How many threads work at a time.
    ///   - clock: By which slices are measured.
    ///   - execute: Where they come from; by default, each lane has one of its own.
    package init(
        count: Int = 2, clock: @escaping WorkSlice.Clock = { ContinuousClock.now }, on execute: Executor? = nil
    ) {
        self.clock = clock
        state = Mutex(State(free: Array(0..<max(1, count))))
        evenAt = Mutex(clock())
        if let execute {
            self.execute = execute
        } else {
            // A global queue has a thread a core for everybody, and others need them while we are at work.
            let queues = (0..<max(1, count)).map { DispatchQueue(label: "coordinate.lane.\($0)") }
            self.execute = { lane, work in queues[lane].async(execute: work) }
        }
    }

    /// Whether everything is to come to an end.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    // MARK: At once

    /// Begins something on the caller's thread, which has other clients to go on with.
    ///
    /// - Parameter body: has to end soon after its slice is over.
    /// - Returns: nil where enough was done so of late, and nothing is done.
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

    /// Takes a job on; false where there is too much to do already, and nothing is done then.
    func enter(_ job: any Job, _ urgency: Urgency) -> Bool {
        let now = clock()
        guard state.withLock({ $0.roster.enter(job, urgency, at: now) }) else { return false }
        resume(job)
        return true
    }

    /// Has a job go on that is in already.
    func resume(_ job: any Job) {
        let now = clock()
        let lane = state.withLock { state in
            state.roster.ready(job, at: now)
            return state.free.popLast()
        }
        if let lane { execute(lane) { self.work(on: lane) } }
    }

    /// To be called by each job that was let in, when it is done or has given up.
    func leave(_ job: any Job) {
        state.withLock { $0.roster.leave(job) }
    }

    /// The number of jobs under way: waiting for a lane, on one, or for somebody else.
    package var jobCount: Int { state.withLock { $0.roster.count } }

    /// Has all jobs give up that are under way, also those that wait for somebody else, and all that still come.
    package func cancel() {
        let jobs = state.withLock { state in
            state.isCancelled = true
            return state.roster.jobs
        }
        for job in jobs { job.giveUp(.draining) }
    }

    private func work(on lane: Int) {
        while let (turn, isCancelled) = nextTurn(on: lane) {
            if isCancelled {
                turn.job.giveUp(.draining)
            } else if turn.isOverdue {
                turn.job.giveUp(.tooBusy)
            } else if !turn.job.isAwaited {
                turn.job.giveUp(.givenUp)
            } else {
                advance(turn)
            }
        }
    }

    private func nextTurn(on lane: Int) -> (turn: LaneRoster.Turn, isCancelled: Bool)? {
        let now = clock()
        return state.withLock { state in
            guard let turn = state.roster.next(at: now) else {
                state.free.append(lane)
                return nil
            }
            return (turn, state.isCancelled)
        }
    }

    private func advance(_ turn: LaneRoster.Turn) {
        let slice = WorkSlice(of: Self.slice, by: clock)
        let progress = turn.job.advance(within: slice)
        let now = clock()
        state.withLock { state in
            state.roster.note(slice.start.duration(to: now), for: turn.requester)
            if case .more = progress { state.roster.ready(turn.job, at: now) }
        }
    }
}

/// A short time in which part of a long work is done. Whoever works looks at it often, and stops where it can go on later.
package struct WorkSlice: Sendable {
    /// Tells the time: one that never jumps, or a test's own.
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

    /// The time that it has taken up to now.
    var elapsed: Duration { start.duration(to: clock()) }
}

/// Somebody for whom long work is done. The lanes are shared evenly between requesters, however much each asks for.
///
/// Who they are is the host's business: the same number is the same requester.
package struct Requester: Hashable, Sendable {
    /// The server itself, for what nobody asked for: a timer that is due, for instance.
    package static let host = Requester(number: 0)

    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}
