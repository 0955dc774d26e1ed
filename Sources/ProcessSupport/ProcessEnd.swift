internal import CProcess
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The end of a program on SIGTERM, SIGINT or SIGHUP.
///
/// The program ends even if something hangs: the first signal starts a deadline, and a second one ends the process at
/// once, with status 1. Both are handled on a queue of their own, which an app that blocks all tasks cannot delay.
public enum ProcessEnd {
    private struct State {
        var sources: [any DispatchSourceSignal] = []
        var continuation: AsyncStream<Int32>.Continuation?
        /// The time from the first signal to the deadline.
        var time = Duration.zero
        var hasSignal = false
        var deadline: DispatchWorkItem?
    }

    private static let queue = DispatchQueue(label: "coordinate.end")
    private static let state = Mutex(State())

    /// Catches the signals. Returns a stream that delivers the first one.
    ///
    /// - Parameter deadline: The time after the first signal at which the process ends at the latest, with status 0.
    public static func signals(deadline: Duration) -> AsyncStream<Int32> {
        let (signals, continuation) = AsyncStream<Int32>.makeStream()
        state.withLock { state in
            state.continuation = continuation
            state.time = deadline
            state.hasSignal = false
            guard state.sources.isEmpty else { return }
            // nohup ignores SIGHUP. That must not change.
            state.sources = [SIGTERM, SIGINT, SIGHUP].filter { $0 != SIGHUP || !isIgnored($0) }.map(source)
        }
        return signals
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func source(of signal: Int32) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
        source.setEventHandler {
            state.withLock { state in
                if state.hasSignal || source.data > 1 { _exit(1) }
                state.hasSignal = true
                setDeadline(in: &state, to: state.time)
                state.continuation?.yield(signal)
            }
        }
        source.activate()
        return source
    }

    /// Moves the deadline after a signal; `nil` cancels it.
    public static func moveDeadline(to time: Duration?) {
        state.withLock { setDeadline(in: &$0, to: time) }
    }

    private static func setDeadline(in state: inout State, to time: Duration?) {
        state.deadline?.cancel()
        state.deadline = nil
        guard state.hasSignal, let time else { return }
        let end = DispatchWorkItem {
            endNow("The time to stop is over. The process ends without finishing what is still running.", status: 0)
        }
        queue.asyncAfter(deadline: .now() + time / .seconds(1), execute: end)
        state.deadline = end
    }

    /// Writes a message to the standard error and ends the process, without waiting for a reader of the message.
    public static func endNow(_ message: String, status: Int32) {
        var message = message + "\n"
        message.withUTF8 { text in
            unsafe text.withMemoryRebound(to: CChar.self) { unsafe cprocess_end_now($0.baseAddress, $0.count, status) }
        }
    }
}
