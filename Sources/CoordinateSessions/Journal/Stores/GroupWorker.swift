internal import Foundation
internal import Synchronization

/// The caller of a journal, which waits for a result. A job resumes it once, after the commit.
package typealias JournalCaller<Value> = CheckedContinuation<Result<Value, JournalError>, Never>

/// A thread that processes all jobs that have arrived since its last group as one group. The longer a group takes, the
/// larger the next one is.
///
/// Stores use one to write, so that many entries share a commit, and others to read.
package final class GroupWorker<Job: Sendable>: Sendable {
    private struct State {
        var waiting: [Job] = []
        /// Whether the thread sleeps and has to be woken.
        var isAsleep = false
        var isClosed = false
    }

    /// The state that the thread and its owner share. The thread does not retain the owner, so that the thread can end
    /// with it.
    fileprivate final class Shared: Sendable {
        private let state = Mutex(State())
        private let wake = DispatchSemaphore(value: 0)
        let end = DispatchSemaphore(value: 0)
    }

    /// The jobs that wait, for the thread while it works on a group.
    package struct Intake: Sendable {
        fileprivate let shared: Shared
        fileprivate let limit: Int

        /// Returns the jobs that have arrived since, as the next group; empty if there are none.
        package func more() -> [Job] { shared.removeFirst(limit) }

        /// Puts jobs back, before all others that wait.
        package func putBack(_ jobs: [Job]) { shared.putBack(jobs) }
    }

    private let shared = Shared()
    private let capacity: Int

    /// - Parameters:
    ///   - name: The name of the thread, at most 15 bytes: the maximum on Linux.
    ///   - limit: The most jobs of a group.
    ///   - capacity: The most jobs that wait.
    ///   - idleTime: The time, in seconds, for which the thread waits for jobs before it runs `work` with an empty
    ///     group, for periodic tasks. `nil` waits without a limit.
    ///   - isReady: Whether the waiting jobs can be taken now. If `false`, it is called again, so it should block for a
    ///     while. Once the worker is closed, jobs that cannot be taken are dropped.
    ///   - work: Processes a group of jobs, in the order in which they arrived.
    package init(
        name: String, limit: Int = 1_024, capacity: Int = 65_536,
        idleTime: @autoclosure @escaping @Sendable () -> Double? = nil,
        isReady: @escaping @Sendable () -> Bool = { true }, work: @escaping @Sendable ([Job], Intake) -> Void
    ) {
        self.capacity = capacity
        let intake = Intake(shared: shared, limit: limit)
        let isStarted = DispatchSemaphore(value: 0)
        let thread = Thread {
            // Only the thread itself can set its name, and the thread must be running for that.
            isStarted.wait()
            Thread.current.name = name
            while let group = intake.shared.next(limit, idleTime, isReady) { work(group, intake) }
            intake.shared.end.signal()
        }
        thread.start()
        isStarted.signal()
    }

    package convenience init(
        name: String, limit: Int = 1_024, capacity: Int = 65_536,
        idleTime: @autoclosure @escaping @Sendable () -> Double? = nil, work: @escaping @Sendable ([Job]) -> Void
    ) {
        self.init(name: name, limit: limit, capacity: capacity, idleTime: idleTime()) { group, _ in work(group) }
    }

    deinit {
        shared.close()
    }

    /// Appends a job to the next group; `false` if too many wait, or the worker was closed.
    package func append(_ job: Job) -> Bool { shared.append(job, capacity) }

    /// Appends a job, and returns the result with which it resumes its caller. Cancellation has no effect.
    ///
    /// - Throws: ``JournalError/unavailable`` if too many jobs wait, or the worker was closed.
    package func result<Value: Sendable>(
        of job: (JournalCaller<Value>) -> Job
    ) async throws(JournalError) -> Value {
        let result = await withCheckedContinuation { caller in
            if !append(job(caller)) { caller.resume(returning: .failure(.unavailable)) }
        }
        return try result.get()
    }

    /// Removes and returns all jobs that wait. They are not processed.
    package func removeWaiting() -> [Job] { shared.removeFirst(.max) }

    /// Accepts no more jobs, and returns when the accepted ones are done. Call it once, from another thread than the
    /// worker's.
    package func close() {
        shared.close()
        shared.end.wait()
    }
}

extension GroupWorker.Shared {
    fileprivate func append(_ job: Job, _ capacity: Int) -> Bool {
        let (isIn, isAsleep) = state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed, state.waiting.count < capacity else { return (false, false) }
            state.waiting.append(job)
            defer { state.isAsleep = false }
            return (true, state.isAsleep)
        }
        if isAsleep { wake.signal() }
        return isIn
    }

    fileprivate func removeFirst(_ limit: Int) -> [Job] {
        state.withLock { state in
            guard state.waiting.count > limit else {
                defer { state.waiting = [] }
                return state.waiting
            }
            defer { state.waiting.removeFirst(limit) }
            return Array(state.waiting.prefix(limit))
        }
    }

    fileprivate func putBack(_ jobs: [Job]) {
        state.withLock { $0.waiting.insert(contentsOf: jobs, at: 0) }
    }

    fileprivate func close() {
        let isAsleep = state.withLock { state in
            state.isClosed = true
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if isAsleep { wake.signal() }
    }

    /// Waits for the next group; `nil` if there are no more.
    fileprivate func next(_ limit: Int, _ idleTime: () -> Double?, _ isReady: () -> Bool) -> [Job]? {
        var isRested = false
        while true {
            let (isEmpty, isClosed) = state.withLock { state in
                state.isAsleep = state.waiting.isEmpty && !state.isClosed && !isRested
                return (state.waiting.isEmpty, state.isClosed)
            }
            if !isEmpty {
                if isReady() {
                    let group = removeFirst(limit)
                    if !group.isEmpty { return group }
                } else if isClosed {
                    return nil
                }
            } else if isRested {
                return []
            } else if isClosed {
                return nil
            } else if let idleTime = idleTime() {
                isRested = wake.wait(timeout: .now() + idleTime) == .timedOut
            } else {
                wake.wait()
            }
        }
    }
}

/// A counter of a store's commits.
package final class CommitCounter: Sendable {
    private let state = Mutex(JournalStatistics())

    package init() {}

    package var statistics: JournalStatistics { state.withLock { $0 } }

    package func count(entries: Int, took duration: Duration) {
        guard entries > 0 else { return }
        state.withLock { state in
            state.commits += 1
            state.entries += entries
            state.commitTime += duration / .seconds(1)
        }
    }
}
