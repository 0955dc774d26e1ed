internal import Glibc

/// The number of files, and so of sockets, that this process may have open.
enum FileLimit {
    /// The files that the process needs for other purposes: its journal, log and listening socket.
    private static let reserve = 64

    /// The number of files granted now.
    static var granted: Int {
        current.map { Int(clamping: $0.rlim_cur) } ?? 0
    }

    /// Raises the limit as far as needed and allowed. Returns the number of possible connections.
    static func connections(wanted: Int, workers: Int) throws(HTTPServerError) -> Int {
        let reserve = reserve + 4 * workers
        let needed = rlim_t(wanted + reserve)
        guard var limit = current else { return wanted }
        if limit.rlim_cur < needed {
            limit.rlim_cur = min(needed, limit.rlim_max)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        let connections = min(wanted, granted - reserve)
        guard connections >= workers else { throw .notEnoughFiles(granted: granted) }
        return connections
    }

    private static var current: rlimit? {
        var limit = rlimit()
        return unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
    }
}
