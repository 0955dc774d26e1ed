internal import CProcess
internal import Synchronization

/// The end of a program on SIGTERM, SIGINT or SIGHUP.
///
/// The program ends even if something hangs: the first signal starts a deadline on a separate thread, and a second
/// signal ends the process at once, with status 1.
public enum ProcessEnd {
    private static let told = Mutex<AsyncStream<Int32>.Continuation?>(nil)

    /// Catches the signals. Returns a stream that delivers the first one.
    ///
    /// - Parameter deadline: The time after the first signal at which the process ends at the latest, with status 0.
    public static func signals(deadline: Duration) -> AsyncStream<Int32> {
        let (signals, teller) = AsyncStream<Int32>.makeStream()
        told.withLock { $0 = teller }
        _ = cprocess_catch_termination(milliseconds(deadline)) { signal in ProcessEnd.pass(signal) }
        return signals
    }

    private static func pass(_ signal: Int32) {
        told.withLock { teller in
            teller?.yield(signal)
            teller = nil
        }
    }

    /// Moves the deadline after a signal; `nil` cancels it.
    public static func moveDeadline(to time: Duration?) {
        cprocess_end_within(time.map(milliseconds) ?? -1)
    }

    /// Writes a message to the standard error and ends the process, without waiting for a reader of the message.
    public static func endNow(_ message: String, status: Int32) {
        var message = message + "\n"
        message.withUTF8 { text in
            unsafe text.withMemoryRebound(to: CChar.self) { unsafe cprocess_end_now($0.baseAddress, $0.count, status) }
        }
    }

    private static func milliseconds(_ time: Duration) -> Int32 {
        Int32(clamping: Int(time / .milliseconds(1)))
    }
}
