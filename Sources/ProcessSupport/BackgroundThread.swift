internal import CProcess
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A thread for long work, which does one thing after another while the threads that serve clients leave it time.
///
/// It ends when it is released, after all work that it was given.
public final class BackgroundThread: Sendable {
    /// The work that waits, shared with the thread, which does not retain its owner.
    private final class Backlog: Sendable {
        let name: String
        /// The work in order; nil marks the end.
        private let work = Mutex<[(@Sendable () -> Void)?]>([])
        private let count = DispatchSemaphore(value: 0)
        let thread = Atomic<UInt64>(0)
        let systemThread = Atomic<Int32>(0)
        /// The time at which the work under way began, in nanoseconds; 0 if there is none.
        let start = Atomic<Int64>(0)

        init(of name: String) {
            self.name = name
        }

        func add(_ body: (@Sendable () -> Void)?) {
            work.withLock { $0.append(body) }
            count.signal()
        }

        func drain() {
            // The next closure is the last element, so that closures that have run are released.
            var taken: [(@Sendable () -> Void)?] = []
            while true {
                count.wait()
                if taken.isEmpty {
                    taken = work.withLock { work in
                        defer { work = [] }
                        return work.reversed()
                    }
                }
                guard let body = taken.popLast() ?? nil else { return }
                start.store(Int64(DispatchTime.now().uptimeNanoseconds), ordering: .relaxed)
                body()
                start.store(0, ordering: .relaxed)
            }
        }
    }

    /// The nice value of the thread, from 0 to 19 (setpriority(2)): beside a worker it has a tenth of the processor.
    private static let niceness: Int32 = 10

    private let backlog: Backlog

    /// - Parameter name: Its name in `top` and debuggers, of which the system keeps 15 bytes.
    public init(name: String) {
        backlog = Backlog(of: name)
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(backlog)
        let status = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                let backlog = unsafe Unmanaged<Backlog>.fromOpaque(context).takeRetainedValue()
                unsafe cprocess_be_background(backlog.name, BackgroundThread.niceness)
                backlog.thread.store(cprocess_thread(), ordering: .relaxed)
                backlog.systemThread.store(cprocess_system_thread(), ordering: .relaxed)
                backlog.drain()
                return nil
            }, context.toOpaque())
        precondition(status == 0, "The system refuses a thread: \(status).")
        pthread_detach(thread)
    }

    deinit {
        backlog.add(nil)
    }

    /// Runs a closure after all that were given before.
    public func async(_ work: @escaping @Sendable () -> Void) {
        backlog.add(work)
    }
}

extension BackgroundThread: WatchedThread {
    public var thread: UInt64 { backlog.thread.load(ordering: .relaxed) }

    public var systemThread: Int32 { backlog.systemThread.load(ordering: .relaxed) }

    /// The time at which the present work began; nil if there is none.
    public var lastProgress: Int64? {
        let start = backlog.start.load(ordering: .relaxed)
        return start == 0 ? nil : start
    }

    public func setStuck(_ isStuck: Bool, isSparing: Bool) -> Int { 0 }
}
