internal import Foundation
internal import Synchronization

/// A thread that does what has come since it last looked, all of it as one group: the longer a group takes, the larger
/// is the next one.
///
/// Stores write with one, so that many entries share a commit, and read with others.
package final class GroupWorker<Job: Sendable>: Sendable {
    private struct State {
        var waiting: [Job] = []
        /// Whether the thread sleeps, and has to be woken.
        var isAsleep = false
        var isClosed = false
    }

    /// What the thread and its owner share. The thread does not hold the owner, so that it ends with it.
    private final class Shared: Sendable {
        let state = Mutex(State())
        let wake = DispatchSemaphore(value: 0)
        let end = DispatchSemaphore(value: 0)
    }

    private let shared = Shared()
    private let capacity: Int

    /// - Parameters:
    ///   - name: The thread's.
    ///   - limit: The most jobs of a group.
    ///   - capacity: The most jobs that wait.
    ///   - rest: How long the thread waits for jobs, in seconds; then it is given an empty group, for what is to be done
    ///     now and then. Nil waits as long as it takes.
    ///   - work: Does a group of jobs, in the order in which they came. It is the only one who is called by the thread.
    package init(
        name: String, limit: Int = 1_024, capacity: Int = 65_536, rest: Double? = nil,
        work: @escaping @Sendable ([Job]) -> Void
    ) {
        self.capacity = capacity
        let shared = shared
        let thread = Thread {
            while let group = Self.next(shared, limit: limit, rest: rest) { work(group) }
            shared.end.signal()
        }
        thread.name = name
        thread.start()
    }

    deinit {
        Self.close(shared)
    }

    /// Has a job done, in a group with others; false where too many wait, or it was closed.
    package func add(_ job: Job) -> Bool {
        let (isIn, isAsleep) = shared.state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed, state.waiting.count < capacity else { return (false, false) }
            state.waiting.append(job)
            defer { state.isAsleep = false }
            return (true, state.isAsleep)
        }
        if isAsleep { shared.wake.signal() }
        return isIn
    }

    /// Takes no more jobs, and returns when those that were taken are done. Not to be called by the thread itself, and
    /// once.
    package func close() {
        Self.close(shared)
        shared.end.wait()
    }

    private static func close(_ shared: Shared) {
        let isAsleep = shared.state.withLock { state in
            state.isClosed = true
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if isAsleep { shared.wake.signal() }
    }

    /// Waits for the next group; nil where there will be none.
    private static func next(_ shared: Shared, limit: Int, rest: Double?) -> [Job]? {
        var isRested = false
        while true {
            let (group, isClosed) = shared.state.withLock { state -> ([Job], Bool) in
                state.isAsleep = state.waiting.isEmpty && !state.isClosed && !isRested
                guard state.waiting.count > limit else {
                    defer { state.waiting = [] }
                    return (state.waiting, state.isClosed)
                }
                defer { state.waiting.removeFirst(limit) }
                return (Array(state.waiting.prefix(limit)), state.isClosed)
            }
            if !group.isEmpty || isRested { return group }
            if isClosed { return nil }
            if let rest {
                isRested = shared.wake.wait(timeout: .now() + rest) == .timedOut
            } else {
                shared.wake.wait()
            }
        }
    }
}
