internal import Dispatch
internal import Synchronization

/// Where long work is done, so that no worker is kept by it: a few threads, each of which does a slice of one job and
/// then a slice of the next. So two that take long do not wait for each other, however few the threads are.
package final class Lanes: Sendable {
    /// Work that is done in slices.
    package protocol Job: AnyObject, Sendable {
        /// Does the next slice: a few milliseconds' worth. Never called twice at once.
        func advance() -> Progress
        /// Gives up. It may be called while a slice is being done, and again.
        func cancel()
    }

    package enum Progress {
        /// There is more to do.
        case more
        /// It goes on when it is ``Lanes/resume(_:)``d.
        case paused
        case done
    }

    /// How urgent a job is.
    package enum Urgency {
        /// Somebody wants to look at the past; of these so many may be under way, and no more.
        case patient
        /// A session cannot go on without it.
        case urgent
    }

    /// The most patient jobs under way.
    package static let patientLimit = 32
    /// The most jobs under way.
    private static let limit = 4_096

    private struct State {
        var ready: [any Job] = []
        /// The next one of them.
        var next = 0
        /// The numbers of the lanes on which nothing is done.
        var free: [Int]
        /// All that are under way: ready, being done, or paused.
        var jobs: [ObjectIdentifier: any Job] = [:]
        var patient = 0
        var isCancelled = false
    }

    /// Has something done on a thread that may be kept for a while: that of a lane, by its number.
    package typealias Executor = @Sendable (_ lane: Int, _ work: @escaping @Sendable () -> Void) -> Void

    private let execute: Executor
    private let state: Mutex<State>

    /// - Parameters:
    ///   - count: How many threads work at a time.
    ///   - execute: Where they come from; by default, each lane has one of its own.
    package init(count: Int = 2, on execute: Executor? = nil) {
        state = Mutex(State(free: Array(0..<max(1, count))))
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

    /// Takes a job on; false where there is too much to do already, and nothing is done then.
    func enter(_ job: any Job, _ urgency: Urgency) -> Bool {
        let isIn = state.withLock { state in
            guard state.jobs.count < Self.limit, urgency == .urgent || state.patient < Self.patientLimit else {
                return false
            }
            state.jobs[ObjectIdentifier(job)] = job
            if urgency == .patient { state.patient += 1 }
            return true
        }
        if isIn { resume(job) }
        return isIn
    }

    /// Has a job go on that is in already.
    func resume(_ job: any Job) {
        let lane = state.withLock { state in
            state.ready.append(job)
            return state.free.popLast()
        }
        if let lane { execute(lane) { self.work(on: lane) } }
    }

    /// To be called once by each job that was let in, when it is done or has given up.
    func leave(_ job: any Job, _ urgency: Urgency) {
        state.withLock { state in
            state.jobs[ObjectIdentifier(job)] = nil
            if urgency == .patient { state.patient -= 1 }
        }
    }

    /// Has all jobs give up that are under way, also those that wait for somebody else, and all that still come.
    package func cancel() {
        let jobs = state.withLock { state in
            state.isCancelled = true
            return state.jobs.values
        }
        for job in jobs { job.cancel() }
    }

    private func work(on lane: Int) {
        while true {
            let (job, isCancelled) = state.withLock { state -> ((any Job)?, Bool) in
                guard state.next < state.ready.count else {
                    state.free.append(lane)
                    state.ready = []
                    state.next = 0
                    return (nil, false)
                }
                let job = state.ready[state.next]
                state.next += 1
                if state.next > 64, state.next * 2 > state.ready.count {
                    state.ready.removeFirst(state.next)
                    state.next = 0
                }
                return (job, state.isCancelled)
            }
            guard let job else { return }
            if isCancelled {
                job.cancel()
            } else if case .more = job.advance() {
                state.withLock { $0.ready.append(job) }
            }
        }
    }
}
