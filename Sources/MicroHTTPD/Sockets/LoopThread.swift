internal import CEventLoop
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A thread that runs one loop.
final class LoopThread: Sendable {
    /// The state shared by the thread and its owner.
    private final class Shared: Sendable {
        let body: Mutex<(@Sendable () -> Void)?>
        let name: String
        let ended = DispatchSemaphore(value: 0)

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = Mutex(body)
        }

        /// Runs the loop, and releases what it holds before its end is reported.
        func run() {
            let body = body.withLock { body in
                defer { body = nil }
                return body
            }
            body?()
        }
    }

    private let shared: Shared

    /// The stack of the thread, in bytes. An app's turn may recurse deeply.
    private static let stackSize = 8 * 1024 * 1024

    /// Starts a thread.
    ///
    /// - Parameter name: Its name in `top` and debuggers. The system keeps 15 bytes of it.
    init(name: String, _ body: @escaping @Sendable () -> Void) throws(HTTPServerError) {
        shared = Shared(name, body)
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, Self.stackSize)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(shared)
        let status = unsafe pthread_create(
            &thread, &attributes,
            { context in
                guard let context = unsafe context else { return nil }
                let shared = unsafe Unmanaged<Shared>.fromOpaque(context).takeRetainedValue()
                unsafe cloop_name_thread(shared.name)
                shared.run()
                shared.ended.signal()
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            unsafe context.release()
            throw .system(call: "a thread", reason: unsafe String(cString: strerror(status)))
        }
    }

    /// Returns when the loop has ended or the time is over. A thread that the app has blocked is abandoned.
    func join(atMost time: Duration) {
        _ = shared.ended.wait(timeout: .now() + .nanoseconds(Int(time / .nanoseconds(1))))
    }
}
