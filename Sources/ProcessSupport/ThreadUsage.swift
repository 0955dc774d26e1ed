internal import Glibc

/// A thread's use of the processors, as the system counts it.
struct ThreadUsage {
    /// Whether the thread runs, or would if a processor were free.
    let isReady: Bool
    let processorTime: Duration

    /// Reads `/proc/self/task/NUMBER/stat` (proc_pid_stat(5)); nil if there is no such file, or it cannot be read.
    ///
    /// - Parameter thread: The number by which the system knows the thread.
    init?(of thread: Int32) {
        let file = unsafe open("/proc/self/task/\(thread)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let text = unsafe String(unsafeUninitializedCapacity: 1024) {
            unsafe max(0, read(file, $0.baseAddress, $0.count))
        }
        // The name of the thread, in parentheses, may contain anything. The state follows, the third field of the line.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = Int64(fields[11]), let system = Int64(fields[12]) else { return nil }
        isReady = fields[0] == "R"
        processorTime = .seconds(user + system) / sysconf(Int32(_SC_CLK_TCK))
    }

    /// The part of a time in which the thread ran, or waited for anything but a processor.
    ///
    /// - Parameter former: The usage at the beginning of the time.
    func ownTime(in time: Duration, since former: ThreadUsage?) -> Duration {
        guard isReady, let former else { return time }
        return min(time, processorTime - former.processorTime)
    }
}
