internal import CProcess
internal import Glibc

/// The memory of the process: its settings and limits.
public enum ProcessMemory {
    /// Lets threads reuse the memory that other threads have freed, and returns large pieces to the system. Call this
    /// before the program starts other threads.
    ///
    /// glibc gives each thread its own arena, up to eight per core, which other threads cannot use. Memory that one
    /// thread allocates and another frees, such as the trees of idle sessions, stays there unused: 100,000 idle
    /// sessions took four times the memory in use. With one arena per worker they take no more than with a single
    /// arena. A single arena would be locked by all workers: full responses on two of them cost a quarter more time.
    ///
    /// Pieces of 64 KiB and more are mapped separately. By default glibc stops doing that for sizes that have been
    /// freed once. Then clients that came and went with unread pages left half of their memory unused.
    public static func share(among workers: Int) {
        cprocess_manage_memory(Int32(clamping: max(1, workers)))
    }
}

extension ProcessMemory {
    /// The most memory that the process may use, in bytes, as far as the system reports it: the machine's memory, or
    /// less if a control group or `ulimit -v` limits it.
    ///
    /// - Parameter reserve: The part of a limited address space that the program needs in addition to its current use,
    ///   for future threads and connections.
    public static func limit(reserving reserve: Int = 0) -> Int? {
        let limits = [machine(), addressSpaceLeft.map { max(0, $0 - reserve) }] + controlGroups()
        return limits.compactMap { $0 }.min()
    }

    /// The machine's memory, from `/proc/meminfo`.
    static func machine(at root: String = "") -> Int? {
        let line = lines(of: root + "/proc/meminfo").first { $0.hasPrefix("MemTotal:") }
        let words = line?.split(separator: " ") ?? []
        return words.count > 1 ? Int(words[1]).map { $0 * 1_024 } : nil
    }

    /// The limits of the process's control groups and of their parents (cgroups(7)).
    static func controlGroups(at root: String = "") -> [Int] {
        lines(of: root + "/proc/self/cgroup").flatMap { line -> [Int] in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return [] }
            let (folder, file): (String, String)
            if fields[1].isEmpty {
                (folder, file) = ("/sys/fs/cgroup", "memory.max")
            } else if fields[1].split(separator: ",").contains("memory") {
                (folder, file) = ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            } else {
                return []
            }
            var names = fields[2].split(separator: "/")
            var limits: [Int] = []
            while true {
                let path = ([root + folder] + names.map(String.init) + [file]).joined(separator: "/")
                // A group without a limit reports "max", or a number larger than any memory.
                if let limit = lines(of: path).first.flatMap({ Int($0) }) { limits.append(limit) }
                if names.popLast() == nil { return limits }
            }
        }
    }

    /// The remaining bytes of `ulimit -v`; `nil` if it is not set.
    public static var addressSpaceLeft: Int? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < UInt64(Int.max)
        else { return nil }
        let pages = lines(of: "/proc/self/statm").first?.split(separator: " ").first.flatMap { Int($0) } ?? 0
        return max(0, Int(limit.rlim_cur) - pages * sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The lines of a small file; empty if it cannot be read.
    private static func lines(of path: String) -> [String] {
        guard let file = unsafe fopen(path, "re") else { return [] }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
