internal import Dispatch
internal import Synchronization

/// A thread that a ``Watchdog`` observes.
public protocol WatchedThread: AnyObject, Sendable {
    /// The number of the thread, as in ``ThreadNote/currentThread``.
    var thread: UInt64 { get }
    /// The system's number of the thread (gettid(2)); 0 before it has begun.
    var systemThread: Int32 { get }
    /// The time of its last progress, in nanoseconds of any clock; `nil` while it waits for something to do.
    var lastProgress: Int64? { get }
    /// The number of the kind of request that it processes; `nil` if that is unknown.
    var requestKind: Int? { get }
    /// Called when the thread becomes stuck, again after ten seconds, and when it continues.
    ///
    /// - Parameter isSparing: Whether it has been stuck for less than ten seconds.
    /// - Returns: The number of clients that were disconnected for it.
    func setStuck(_ isStuck: Bool, isSparing: Bool) -> Int
}

/// A watch for threads that the app blocks with a turn that takes long or never ends.
///
/// It examines groups of threads four times a second. A thread without progress for a second is stuck. If all threads
/// of a group have been stuck for ten seconds, no more work is done: the process should end and be restarted.
///
/// Time in which a thread is ready to run while other threads use the processors does not count: such a thread is slow
/// but not stuck.
public final class Watchdog: Sendable {
    /// Threads that do the same work.
    public struct Group: Sendable {
        public let name: String
        public let threads: [any WatchedThread]

        public init(_ name: String, _ threads: [any WatchedThread]) {
            self.name = name
            self.threads = threads
        }
    }

    /// A thread that makes no progress.
    public struct Stall: Sendable {
        /// The name of its group; `nil` for a thread without a group that has had the same note for too long.
        public let group: String?
        /// Its note; `nil` if it has none.
        public let note: ThreadNote?
        /// The number of the kind of request that the thread processes; `nil` if that is unknown.
        public let requestKind: Int?
        public let time: Duration
        /// The number of clients that were disconnected.
        public let disconnected: Int
    }

    /// The last observation of a thread.
    private struct Seen {
        var since: ContinuousClock.Instant
        var note: UInt64
        var nextReport = Watchdog.patience
    }

    /// The time that a thread has spent without progress.
    private struct Stay {
        let progress: Int64
        var time = Duration.zero
        var usage: ThreadUsage?
    }

    private struct State {
        var lastLook = ContinuousClock.now
        /// The busy threads of groups, by number.
        var stays: [UInt64: Stay] = [:]
        /// The files of all threads of groups that have been busy, by the system's numbers.
        var usageFiles: [Int32: ThreadUsageFile] = [:]
        /// The stuck threads of groups, with the time of the next report.
        var stuck: [UInt64: Duration] = [:]
        /// Other threads with notes.
        var notes: [UInt64: Seen] = [:]
        var timer: (any DispatchSourceTimer)?
    }

    /// The time after which a thread is stuck.
    static let patience = Duration.seconds(1)
    /// The time after which no client of a stuck thread is spared, and the interval of further reports.
    static let longPatience = Duration.seconds(10)
    private static let period = Duration.milliseconds(250)

    private let groups: [Group]
    private let onStall: @Sendable (Stall) -> Void
    private let onStandstill: @Sendable (Group, [ThreadNote]) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - onStall: Called when a thread becomes stuck, and every ten seconds while it stays so.
    ///   - onStandstill: Called with their notes when all threads of a group have been stuck for ten seconds.
    public init(
        _ groups: [Group], onStall: @escaping @Sendable (Stall) -> Void,
        onStandstill: @escaping @Sendable (Group, [ThreadNote]) -> Void
    ) {
        self.groups = groups
        self.onStall = onStall
        self.onStandstill = onStandstill
        state.withLock { state in
            let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "watchdog"))
            timer.schedule(deadline: .now(), repeating: Self.period / .seconds(1))
            timer.setEventHandler { [weak self] in self?.look() }
            timer.activate()
            state.timer = timer
        }
    }

    deinit {
        state.withLock { $0.timer?.cancel() }
    }

    private func look() {
        let notes = Dictionary(ThreadNote.all.map { ($0.thread, $0) }, uniquingKeysWith: { first, _ in first })
        let times = timesWithoutProgress()
        let grouped = Set(groups.flatMap { $0.threads.map(\.thread) })
        let strays = straysWithoutProgress(notes.values.filter { !grouped.contains($0.thread) })
        // Sessions held by such a thread are refused before its clients are disconnected.
        let stuck = zip(groups, times).flatMap { group, times in
            zip(group.threads, times).filter { $1 >= Self.patience }.map(\.0.thread)
        }
        ThreadNote.setStuck(Set(stuck).union(strays.map(\.thread)))
        for (group, times) in zip(groups, times) {
            for (thread, time) in zip(group.threads, times) { judge(thread, of: group, time, notes[thread.thread]) }
            if !times.isEmpty, times.allSatisfy({ $0 >= Self.longPatience }) {
                onStandstill(group, group.threads.compactMap { notes[$0.thread] })
            }
        }
        for (thread, time) in strays where isDue(thread, time) {
            onStall(Stall(group: nil, note: notes[thread], requestKind: nil, time: time, disconnected: 0))
        }
    }

    /// The time for which each thread of each group has made no progress.
    private func timesWithoutProgress() -> [[Duration]] {
        let now = ContinuousClock.now
        return state.withLock { state in
            // Time in which the whole process was stopped does not count.
            let passed = min(state.lastLook.duration(to: now), Self.period * 2)
            state.lastLook = now
            let former = state.stays
            state.stays = [:]
            return groups.map { group in
                group.threads.map { thread in
                    guard let progress = thread.lastProgress else { return .zero }
                    let file = state.usageFiles[thread.systemThread] ?? ThreadUsageFile(of: thread.systemThread)
                    state.usageFiles[thread.systemThread] = file
                    var stay = Stay(progress: progress, usage: file.usage)
                    if let former = former[thread.thread], former.progress == progress {
                        let ownTime = former.usage.flatMap { stay.usage?.ownTime(in: passed, since: $0) }
                        stay.time = former.time + (ownTime ?? passed)
                    }
                    state.stays[thread.thread] = stay
                    return stay.time
                }
            }
        }
    }

    private func judge(_ thread: any WatchedThread, of group: Group, _ time: Duration, _ note: ThreadNote?) {
        let (isStuck, nextReport) = (time >= Self.patience, state.withLock { $0.stuck[thread.thread] })
        guard isStuck else {
            guard nextReport != nil else { return }
            state.withLock { $0.stuck[thread.thread] = nil }
            _ = thread.setStuck(false, isSparing: false)
            return
        }
        let isSparing = time < Self.longPatience
        guard nextReport.map({ time >= $0 }) ?? true else { return }
        state.withLock { $0.stuck[thread.thread] = isSparing ? Self.longPatience : time + Self.longPatience }
        let disconnected = thread.setStuck(true, isSparing: isSparing)
        onStall(
            Stall(
                group: group.name, note: note, requestKind: thread.requestKind, time: time, disconnected: disconnected))
    }

    /// The threads without a group that have had the same note for too long.
    private func straysWithoutProgress(_ notes: [ThreadNote]) -> [(thread: UInt64, time: Duration)] {
        let now = ContinuousClock.now
        return state.withLock { state in
            var next: [UInt64: Seen] = [:]
            for note in notes {
                let former = state.notes[note.thread]
                next[note.thread] = former?.note == note.count ? former : Seen(since: now, note: note.count)
            }
            state.notes = next
            return next.filter { $1.since.duration(to: now) >= Self.patience }.map { ($0, $1.since.duration(to: now)) }
        }
    }

    private func isDue(_ thread: UInt64, _ time: Duration) -> Bool {
        state.withLock { state in
            guard let seen = state.notes[thread], time >= seen.nextReport else { return false }
            state.notes[thread]?.nextReport = max(Self.longPatience, seen.nextReport + Self.longPatience)
            return true
        }
    }
}
