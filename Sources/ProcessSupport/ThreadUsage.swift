internal import Glibc

/// A thread's use of the processors, as counted by the system.
struct ThreadUsage {
    /// Whether the thread is running or waiting for a processor.
    let isReady: Bool
    let processorTime: Duration

    /// The part of a time in which the thread ran, or waited for anything but a processor.
    ///
    /// - Parameter former: The usage at the start of that time.
    func ownTime(in time: Duration, since former: ThreadUsage) -> Duration {
        isReady ? min(time, processorTime - former.processorTime) : time
    }
}

/// The file in which the system reports a thread's usage, `/proc/self/task/NUMBER/stat` (proc_pid_stat(5)). It is kept
/// open, because a process without free files needs its watchdog most.
final class ThreadUsageFile: Sendable {
    private let file: Int32

    /// - Parameter thread: The system's number of the thread.
    init(of thread: Int32) {
        file = unsafe open("/proc/self/task/\(thread)/stat", O_RDONLY | O_CLOEXEC)
    }

    deinit {
        if file >= 0 { close(file) }
    }

    /// The current usage; `nil` if the system does not report it.
    var usage: ThreadUsage? {
        guard file >= 0 else { return nil }
        let text = unsafe String(unsafeUninitializedCapacity: 1024) {
            unsafe max(0, pread(file, $0.baseAddress, $0.count, 0))
        }
        // The thread's name, in parentheses, may contain anything. After it comes the state, the third field of the
        // line.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = Int64(fields[11]), let system = Int64(fields[12]) else { return nil }
        return ThreadUsage(
            isReady: fields[0] == "R", processorTime: .seconds(user + system) / sysconf(Int32(_SC_CLK_TCK)))
    }
}
