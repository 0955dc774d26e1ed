public import CoordinateSessions
public import MicroHTTPD
public import ProcessSupport

// Lets sessions and the watchdog use workers and background threads.

extension HTTPWorker: CoordinateSessions.Executor, WatchedThread {}

extension BackgroundThread: CoordinateSessions.Executor {
    public func enqueue(_ job: @escaping @Sendable () -> Void) {
        async(job)
    }

    public var isCurrent: Bool { thread == ThreadNote.currentThread }
}
