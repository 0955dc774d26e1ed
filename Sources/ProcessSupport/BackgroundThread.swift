internal import CProcess
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A low-priority thread for long work. It does one job after another, while the threads that serve clients leave it
/// time.
///
/// It ends when it is released and all its jobs are done.
public final class BackgroundThread: Sendable {
    /// The waiting work, shared with the thread, which does not retain its owner.
    private final class Backlog: Sendable {
        let name: String
        /// The work in order; `nil` marks the end.
        private let work = Mutex<[(@Sendable () -> Void)?]>([])
        private let count = DispatchSemaphore(value: 0)
        let thread = Atomic<UInt64>(0)
        let systemThread = Atomic<Int32>(0)
        /// The start time of the current work, in nanoseconds; 0 if there is none.
        let start = Atomic<Int64>(0)

        init(of name: String) {
            self.name = name
        }

        func append(_ body: (@Sendable () -> Void)?) {
            work.withLock { $0.append(body) }
            count.signal()
        }

        func drain() {
            // The next closure is last, so that finished closures are released.
            var batch: [(@Sendable () -> Void)?] = []
            while true {
                count.wait()
                if batch.isEmpty {
                    batch = work.withLock { work in
                        defer { work = [] }
                        return work.reversed()
                    }
                }
                guard let body = batch.popLast() ?? nil else { return }
                start.store(Int64(DispatchTime.now().uptimeNanoseconds), ordering: .relaxed)
                body()
                start.store(0, ordering: .relaxed)
            }
        }
    }

    /// The nice value of the thread, from 0 to 19 (setpriority(2)). Beside a worker, it gets a tenth of the processor.
    private static let niceness: Int32 = 10

    private let backlog: Backlog

    /// - Parameter name: Its name in `top` and debuggers. The system keeps 15 bytes of it.
    public init(name: String) {
        backlog = Backlog(of: name)
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(backlog)
        let status = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                let backlog = unsafe Unmanaged<Backlog>.fromOpaque(context).takeRetainedValue()
                unsafe cprocess_set_background(backlog.name, BackgroundThread.niceness)
                backlog.thread.store(cprocess_thread(), ordering: .relaxed)
                backlog.systemThread.store(cprocess_system_thread(), ordering: .relaxed)
                backlog.drain()
                return nil
            }, context.toOpaque())
        precondition(status == 0, "The system cannot create a thread: error \(status).")
        pthread_detach(thread)
    }

    deinit {
        backlog.append(nil)
    }

    /// Runs a closure after all earlier ones.
    public func async(_ work: @escaping @Sendable () -> Void) {
        backlog.append(work)
    }
}

extension BackgroundThread: TaskExecutor {
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension BackgroundThread: WatchedThread {
    public var requestKind: Int? { nil }

    public var thread: UInt64 { backlog.thread.load(ordering: .relaxed) }

    public var systemThread: Int32 { backlog.systemThread.load(ordering: .relaxed) }

    /// The start time of the current work; `nil` if there is none.
    public var lastProgress: Int64? {
        let start = backlog.start.load(ordering: .relaxed)
        return start == 0 ? nil : start
    }

    public func setStuck(_ isStuck: Bool, isSparing: Bool) -> Int { 0 }
}
