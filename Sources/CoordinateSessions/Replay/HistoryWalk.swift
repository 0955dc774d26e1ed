internal import Synchronization

/// A walk over a session's entries, oldest first.
///
/// It begins on the caller's thread if it is likely to be short and the journal gives its results at once. A lane continues
/// it if it takes longer than a moment, or has to wait for a store.
final class HistoryWalk: FairScheduler.Job {
    /// The most entries of a walk that begins on the caller's thread.
    static let quickLimit = 1_000

    /// A function that receives each entry, and returns whether it wants more.
    typealias Visit = @Sendable (JournalEntry) throws(SessionError) -> Bool

    /// A function that does one more thing before the next entry, and returns whether there was one.
    typealias Between = @Sendable () throws(SessionError) -> Bool

    /// An owner that runs the walk in slices.
    protocol Slices: Sendable {
        /// Begins a slice.
        ///
        /// - Returns: Whether it may begin; if not, the walk tries again.
        func beginSlice() -> Bool
        func endSlice()
    }

    let client: ClientKey
    private let scheduler: FairScheduler
    private let slices: (any Slices)?
    private let visit: Visit
    private let between: Between?
    private let promise = Promise<Void, SessionError>()
    private let pages: Mutex<HistoryPages>

    private init(
        over pages: HistoryPages, on scheduler: FairScheduler, for client: ClientKey, slices: (any Slices)?,
        between: Between?, visit: @escaping Visit
    ) {
        self.between = between
        self.pages = Mutex(pages)
        self.scheduler = scheduler
        self.client = client
        self.slices = slices
        self.visit = visit
    }

    /// Walks over a session's entries.
    ///
    /// - Parameters:
    ///   - expected: The likely number of entries; `nil` for a walk on the lanes alone.
    ///   - slices: An owner whose permission each slice on a lane needs.
    ///   - between: Called before each entry and at the end, until there is nothing left to do.
    ///   - visit: Called with the entries in order, on one thread at a time.
    static func go(
        over pages: HistoryPages, expecting expected: Int?, on scheduler: FairScheduler, for client: ClientKey,
        slices: (any Slices)? = nil, between: Between? = nil, visit: @escaping Visit
    ) -> Future<Void, SessionError> {
        if let last = pages.last, pages.version >= last, slices == nil, between == nil { return .now(()) }
        let walk = HistoryWalk(
            over: pages, on: scheduler, for: client, slices: slices, between: between, visit: visit)
        if let expected, expected <= quickLimit, case .done? = scheduler.atOnce(walk.go(within:)) {
            return .later(walk.promise)
        }
        guard !scheduler.isCancelled else { return .failed(.draining) }
        walk.pages.withLock { $0.isOnLane = true }
        return scheduler.enter(walk) ? .later(walk.promise) : .failed(.tooBusy)
    }

    var isAwaited: Bool { promise.isAwaited }

    func advance(within slice: WorkSlice) -> FairScheduler.SliceResult {
        guard slices?.beginSlice() ?? true else { return .more }
        defer { slices?.endSlice() }
        let progress = go(within: slice)
        if case .paused = progress, let page = pages.withLock({ $0.comingPage }) {
            page.whenDelivered { _ in self.scheduler.resume(self) }
        }
        return progress
    }

    func cancel(_ reason: FairScheduler.StopReason) {
        finish(.failure(SessionError(reason)))
    }

    /// Continues while time is left and the journal delivers its results at once.
    private func go(within slice: WorkSlice) -> FairScheduler.SliceResult {
        do throws(SessionError) {
            repeat {
                if try between?() == true { continue }
                let next = try pages.withLock { pages throws(SessionError) in try pages.next() }
                switch next {
                case .waiting: return .paused
                case .entry(let entry): if try visit(entry) { continue }
                case .end: break
                }
                finish(.success(()))
                return .done
            } while !slice.isOver
            return .more
        } catch {
            finish(.failure(error))
            return .done
        }
    }

    private func finish(_ result: Result<Void, SessionError>) {
        scheduler.leave(self)
        promise.fulfil(result)
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
