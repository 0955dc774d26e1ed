public import CoordinateSessions
public import MicroHTTPD
public import ProcessSupport

// The workers and other threads, as sessions and the watchdog know them.

extension HTTPWorker: CoordinateSessions.Executor, WatchedThread {}

extension BackgroundThread: CoordinateSessions.Executor {
    public func enqueue(_ job: @escaping @Sendable () -> Void) {
        async(job)
    }

    public var isCurrent: Bool { thread == ThreadNote.currentThread }
}
