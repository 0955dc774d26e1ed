internal import Synchronization

/// A walk over a session's entries, oldest first.
///
/// It may begin on the caller's thread, if it is likely to be short and the journal gives its results at once. A lane
/// continues it if it takes longer than a moment, or has to wait for a store.
final class HistoryWalk: Sendable {
    /// The most entries of a walk that begins on the caller's thread.
    static let quickLimit = 1_000

    /// A function that receives each entry, and returns whether it wants more.
    typealias Visit = @Sendable (JournalEntry) throws(SessionError) -> Bool

    /// A function that does one more thing before the next entry, and returns whether there was one.
    typealias Between = @Sendable () throws(SessionError) -> Bool

    private let scheduler: FairScheduler
    private let client: ClientKey
    private let isAwaited: @Sendable () -> Bool
    private let between: Between?
    private let pages: Mutex<HistoryPages>

    /// - Parameters:
    ///   - isAwaited: Whether another request waits for it, so that it continues when the task is cancelled.
    ///   - between: Called before each entry and at the end, until there is nothing left to do.
    init(
        over pages: HistoryPages, on scheduler: FairScheduler, for client: ClientKey,
        isAwaited: @escaping @Sendable () -> Bool = { false }, between: Between? = nil
    ) {
        self.pages = Mutex(pages)
        self.scheduler = scheduler
        self.client = client
        self.isAwaited = isAwaited
        self.between = between
    }

    /// Visits all entries in order, one at a time.
    ///
    /// - Parameter beginningHere: Whether to begin on the caller's thread, with other clients to serve.
    /// - Returns: The time that it took on the caller's thread.
    /// - Throws: ``SessionError/abandoned`` if the task is cancelled, and no other request waits.
    @discardableResult
    func visitAll(beginningHere isQuick: Bool, _ visit: @escaping Visit) async throws(SessionError) -> Duration {
        if between == nil, pages.withLock({ $0.isOver }) { return .zero }
        var timeHere = Duration.zero
        // A walk that waits for a store counts as one of its client's jobs.
        var isHere = isQuick && pages.withLock { $0.isOver || $0.journal.neverWaits }
        let lane = LaneJob(for: client, on: scheduler, isAwaited: isAwaited)
        defer { lane.leave() }
        while true {
            let progress: FairScheduler.SliceResult
            if isHere {
                let result = try scheduler.atOnce { slice throws(SessionError) in
                    defer { timeHere += slice.elapsed }
                    return try self.advance(within: slice, visit)
                }
                guard let result else {
                    isHere = false
                    continue
                }
                progress = result
            } else {
                pages.withLock { $0.isOnLane = true }
                progress = try await lane.run { slice throws(SessionError) in
                    try self.advance(within: slice, visit)
                }
            }
            switch progress {
            case .done: return timeHere
            case .paused: try await readPage()
            case .more: isHere = false
            }
        }
    }

    /// Continues while time is left and the page has entries.
    private func advance(
        within slice: WorkSlice, _ visit: Visit
    ) throws(SessionError) -> FairScheduler.SliceResult {
        repeat {
            if try between?() == true { continue }
            switch pages.withLock({ $0.next() }) {
            case .needsPage: return .paused
            case .entry(let entry): if try visit(entry) { continue }
            case .end: break
            }
            return .done
        } while !slice.isOver
        return .more
    }

    private func readPage() async throws(SessionError) {
        let (journal, session, version, limit) = pages.withLock { ($0.journal, $0.session, $0.version, $0.limit) }
        let entries: [JournalEntry]
        do throws(JournalError) {
            entries = try await journal.read(session, after: version, limit: limit)
        } catch {
            throw SessionError(error)
        }
        try pages.withLock { pages throws(SessionError) in try pages.add(entries, limit: limit) }
    }
}

extension SessionError {
    package init(_ error: JournalError) {
        self =
            switch error {
            case .noSuchSession: .hasEnded
            case .tooManySessions: .tooManySessions
            case .keyTaken: .keyTaken
            case .full: .historyIsFull
            case .damaged(let version): .damaged(version: version)
            case .conflict, .unavailable, .outcomeUnknown: .journal(error)
            }
    }
}
