internal import Synchronization

/// A walk over a session's entries, oldest first.
///
/// It begins on the caller's thread where it is likely to be short and the journal gives its results at once. Where it
/// takes longer than a moment, or has to wait for a store, it goes on on a lane.
final class HistoryWalk: Lanes.Job {
    /// The most entries of a walk that begins on the caller's thread.
    static let quickLimit = 1_000
    private static let pageLimit = 1_000
    /// The most entries of a page that is read on the caller's thread: an entry may be as large as a body.
    static let quickPageLimit = 64

    /// A function that gets each entry, and returns true where it wants more.
    typealias Visit = @Sendable (JournalEntry) throws(SessionError) -> Bool

    /// Entries that were requested from the journal.
    struct Page: Sendable {
        let entries: Future<[JournalEntry], JournalError>
        /// The most entries of the page.
        let limit: Int
    }

    private struct State {
        /// The version of the last entry that was visited.
        var version: Int
        /// The following entries that are here.
        var page: ArraySlice<JournalEntry> = []
        /// The page after those, once it was requested.
        var coming: Page?
        /// True where no page follows these.
        var isLast = false
        var pageLimit = HistoryWalk.quickPageLimit
    }

    let requester: Requester
    private let journal: any Journal
    private let session: SessionID
    /// The last version of the walk; nil goes as far as there are entries.
    private let last: Int?
    private let lanes: Lanes
    private let visit: Visit
    private let promise = Promise<Void, SessionError>()
    private let state: Mutex<State>

    private init(
        _ journal: any Journal, of session: SessionID, after version: Int, upTo last: Int?, on lanes: Lanes,
        for requester: Requester, first: Page?, visit: @escaping Visit
    ) {
        self.journal = journal
        self.session = session
        self.last = last
        self.lanes = lanes
        self.requester = requester
        self.visit = visit
        state = Mutex(State(version: version, coming: first))
    }

    /// Walks over a session's entries.
    ///
    /// - Parameters:
    ///   - version: The version before the first one.
    ///   - last: The last version, which is known to be there; nil goes as far as there are entries.
    ///   - expected: The likely number of entries; nil where the walk has already begun on the caller's thread.
    ///   - first: The first entries, where they were already requested.
    ///   - visit: Called with the entries in order, on one thread at a time.
    static func go(
        _ journal: any Journal, of session: SessionID, after version: Int, upTo last: Int?, expecting expected: Int?,
        on lanes: Lanes, _ urgency: Lanes.Urgency, for requester: Requester, first: Page? = nil,
        visit: @escaping Visit
    ) -> Future<Void, SessionError> {
        if let last, version >= last { return .now(()) }
        let walk = HistoryWalk(
            journal, of: session, after: version, upTo: last, on: lanes, for: requester, first: first, visit: visit)
        if let expected, expected <= quickLimit, case .done? = lanes.atOnce(walk.go(within:)) {
            return .later(walk.promise)
        }
        guard !lanes.isCancelled else { return .failed(.draining) }
        walk.state.withLock { $0.pageLimit = pageLimit }
        return lanes.enter(walk, urgency) ? .later(walk.promise) : .failed(.tooBusy)
    }

    var isAwaited: Bool { promise.isAwaited }

    func advance(within slice: WorkSlice) -> Lanes.Progress {
        let progress = go(within: slice)
        if case .paused = progress, let coming = comingPage() {
            coming.entries.whenDone { _ in self.lanes.resume(self) }
        }
        return progress
    }

    func giveUp(_ reason: SessionError) {
        finish(.failure(reason))
    }

    /// Goes on for as long as there is time, and the journal gives its results at once.
    private func go(within slice: WorkSlice) -> Lanes.Progress {
        do throws(SessionError) {
            repeat {
                if let coming = comingPage() {
                    guard let entries = coming.entries.result else { return .paused }
                    try turn(to: entries, limit: coming.limit)
                }
                let (entry, isOver) = nextEntry()
                let wantsMore = if let entry { try visit(entry) } else { true }
                if isOver || !wantsMore {
                    finish(.success(()))
                    return .done
                }
            } while !slice.isOver
            return .more
        } catch {
            finish(.failure(error))
            return .done
        }
    }

    /// The page that is needed now; nil where there are entries left, or no page follows.
    private func comingPage() -> Page? {
        state.withLock { state in
            guard state.page.isEmpty, !state.isLast else { return nil }
            if let coming = state.coming { return coming }
            let limit = last.map { min($0 - state.version, state.pageLimit) } ?? state.pageLimit
            let page = Page(entries: journal.read(session, after: state.version, limit: limit), limit: limit)
            state.coming = page
            return page
        }
    }

    private func turn(to page: Result<[JournalEntry], JournalError>, limit: Int) throws(SessionError) {
        let page = try page.mapError(SessionError.init).get()
        try state.withLock { state throws(SessionError) in
            // Entries that were there cannot be gone, but with their session.
            if page.isEmpty, last != nil { throw .journal(.unavailable) }
            state.coming = nil
            state.isLast = page.count < limit || state.version + page.count == last
            state.page = page[...]
        }
    }

    /// Removes the next entry, and reports whether it is the last one.
    private func nextEntry() -> (entry: JournalEntry?, isOver: Bool) {
        state.withLock { state in
            let entry = state.page.popFirst()
            if entry != nil { state.version += 1 }
            return (entry, state.page.isEmpty && state.isLast)
        }
    }

    private func finish(_ result: Result<Void, SessionError>) {
        lanes.leave(self)
        promise.fulfil(result)
    }
}

extension SessionError {
    package init(_ error: JournalError) {
        self =
            switch error {
            case .noSuchSession: .hasEnded
            case .tooManySessions: .tooManySessions
            case .full: .historyIsFull
            case .conflict, .unavailable, .outcomeUnknown: .journal(error)
            }
    }
}
