/// Whether a thread may take its time. A worker may not: its other clients would wait.
enum Patience {
    /// The most events that a worker replays, or reads, for one request: some milliseconds' worth.
    static let limit = 1_000

    @TaskLocal static var isUnlimited = false

    /// Throws where a worker would be kept for too long, before anything is done: the same can be tried again elsewhere.
    static func check(events: Int) throws(SessionError) {
        guard events <= limit || isUnlimited else { throw .takesLong }
    }
}
