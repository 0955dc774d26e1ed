internal import Dispatch
internal import SeededGenerator
internal import Synchronization

/// The order of a journal's work. A job never runs within the call that schedules it.
public protocol Schedule: Sendable {
    /// Schedules a job to run soon.
    func soon(_ job: @escaping @Sendable () -> Void)
    /// Schedules a job to run after many others.
    func late(_ job: @escaping @Sendable () -> Void)
}

/// A schedule whose jobs a test runs one by one, on its own thread and in an order that follows from a seed. Jobs of
/// tasks that prefer it are among them.
///
/// ```swift
/// let schedule = PumpedSchedule(seed: 7)
/// schedule.soon { … }
/// Task(executorPreference: schedule) { … }
/// while schedule.pump() {}
/// ```
public final class PumpedSchedule: Schedule, TaskExecutor {
    private struct Job: Sendable {
        let work: @Sendable () -> Void
        /// The number of times that it is skipped before it runs.
        var delay: Int
    }

    private struct State {
        var jobs: [Job] = []
        var generator: SeededGenerator
    }

    private let state: Mutex<State>
    private let isInOrder: Bool

    /// - Parameter seed: The number that decides the order; `nil` to run the jobs in the order in which they arrive.
    public init(seed: UInt64?) {
        isInOrder = seed == nil
        state = Mutex(State(generator: SeededGenerator(state: seed ?? 0)))
    }

    public func soon(_ job: @escaping @Sendable () -> Void) {
        state.withLock { $0.jobs.append(Job(work: job, delay: 0)) }
    }

    public func late(_ job: @escaping @Sendable () -> Void) {
        state.withLock { state in
            let delay = Int.random(in: 1...8, using: &state.generator)
            state.jobs.append(Job(work: job, delay: delay))
        }
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        soon { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs one of the jobs; `false` if there is none.
    @discardableResult
    public func pump() -> Bool {
        let job = state.withLock { state -> Job? in
            if isInOrder { return state.jobs.isEmpty ? nil : state.jobs.removeFirst() }
            while !state.jobs.isEmpty {
                let index = Int.random(in: state.jobs.indices, using: &state.generator)
                guard state.jobs[index].delay == 0 else {
                    state.jobs[index].delay -= 1
                    continue
                }
                state.jobs.swapAt(index, state.jobs.count - 1)
                return state.jobs.removeLast()
            }
            return nil
        }
        job?.work()
        return job != nil
    }
}

/// A schedule with threads, for journals of servers.
public final class ThreadedSchedule: Schedule {
    private let generator: Mutex<SeededGenerator>

    public init(seed: UInt64) {
        generator = Mutex(SeededGenerator(state: seed))
    }

    public func soon(_ job: @escaping @Sendable () -> Void) {
        after(0...2_000, job)
    }

    public func late(_ job: @escaping @Sendable () -> Void) {
        after(2_000...60_000, job)
    }

    private func after(_ microseconds: ClosedRange<Int>, _ job: @escaping @Sendable () -> Void) {
        let delay = generator.withLock { Int.random(in: microseconds, using: &$0) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(delay), execute: job)
    }
}
