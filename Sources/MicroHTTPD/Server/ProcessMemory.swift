internal import CMicroHTTPD

/// How the process manages its memory.
public enum ProcessMemory {
    /// Lets threads share the memory that others have freed; to be called before there are threads.
    ///
    /// glibc gives each thread an arena of its own, from which others cannot take. What one worker allocates and another
    /// thread frees, as the trees of idle sessions, stays there unused: 100,000 idle sessions took four times the memory
    /// they have in use. One arena for a few workers costs nothing that could be measured, since each thread keeps some
    /// free chunks of each size for itself.
    public static func shareArenas(among workers: Int) {
        cmhd_limit_arenas(Int32(clamping: max(1, workers / 4)))
    }
}
