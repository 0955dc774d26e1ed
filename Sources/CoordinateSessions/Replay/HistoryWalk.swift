internal import Synchronization

/// A walk over a session's entries, oldest first, a page at a time.
///
/// A short one is made at once where the journal answers at once; a long one, and whatever a store has to be asked for,
/// on a lane.
final class HistoryWalk: Lanes.Job {
    /// The most entries that are gone over at once on the caller's thread: some milliseconds' worth.
    static let quickLimit = 1_000
    /// The most that are gone over in one slice on a lane.
    private static let sliceLimit = 250
    private static let pageLimit = 1_000

    /// Is given the next entries, and tells whether it wants more.
    typealias Visit = @Sendable (ArraySlice<JournalEntry>) throws(SessionError) -> Bool

    private struct State {
        /// The last version that was visited.
        var version: Int
        /// What is there of the entries after it.
        var page: ArraySlice<JournalEntry> = []
        /// The page after that one, once it was asked for.
        var coming: Future<[JournalEntry], JournalError>?
        /// Whether no page follows the one that is there.
        var isLast = false
        /// Nil off the lanes.
        var urgency: Lanes.Urgency?
    }

    private let journal: any Journal
    private let session: SessionID
    /// Nil goes as far as there are entries.
    private let last: Int?
    private let lanes: Lanes
    private let visit: Visit
    private let promise = Promise<Void, SessionError>()
    private let state: Mutex<State>

    private init(
        _ journal: any Journal, of session: SessionID, after version: Int, upTo last: Int?, on lanes: Lanes,
        first: Future<[JournalEntry], JournalError>?, visit: @escaping Visit
    ) {
        self.journal = journal
        self.session = session
        self.last = last
        self.lanes = lanes
        self.visit = visit
        state = Mutex(State(version: version, coming: first))
    }

    /// Walks over a session's entries.
    ///
    /// - Parameters:
    ///   - version: The version before the first one.
    ///   - last: The last one, which is known to be there; nil goes as far as there are entries.
    ///   - expected: How many there are likely to be.
    ///   - first: The first entries, where they were asked for already: as many as there are, at most ``quickLimit``.
    ///   - visit: is called with them in order, on one thread at a time.
    static func go(
        _ journal: any Journal, of session: SessionID, after version: Int, upTo last: Int?, expecting expected: Int,
        on lanes: Lanes, _ urgency: Lanes.Urgency, first: Future<[JournalEntry], JournalError>? = nil,
        visit: @escaping Visit
    ) -> Future<Void, SessionError> {
        if let last, version >= last { return .now(()) }
        let walk = HistoryWalk(journal, of: session, after: version, upTo: last, on: lanes, first: first, visit: visit)
        if expected <= quickLimit, walk.goQuickly() { return .later(walk.promise) }
        guard !lanes.isCancelled else { return .failed(.draining) }
        walk.state.withLock { $0.urgency = urgency }
        return lanes.enter(walk, urgency) ? .later(walk.promise) : .failed(.tooBusy)
    }

    /// Goes on for as long as the journal answers at once; false where that is not all the way.
    private func goQuickly() -> Bool {
        for _ in 0...(Self.quickLimit / Self.sliceLimit) {
            if let coming = comingPage(), coming.result == nil { return false }
            if case .done = advance() { return true }
        }
        return false
    }

    func advance() -> Lanes.Progress {
        do throws(SessionError) {
            if let coming = comingPage() {
                guard let page = coming.result else {
                    coming.whenDone { _ in self.lanes.resume(self) }
                    return .paused
                }
                try turn(to: page)
            }
            let (slice, isOver) = nextSlice()
            let wantsMore = slice.isEmpty ? true : try visit(slice)
            guard isOver || !wantsMore else { return .more }
            finish(.success(()))
        } catch {
            finish(.failure(error))
        }
        return .done
    }

    func cancel() {
        finish(.failure(.draining))
    }

    /// The page that is needed now; nil where one is there, or none follows.
    private func comingPage() -> Future<[JournalEntry], JournalError>? {
        state.withLock { state in
            guard state.page.isEmpty, !state.isLast else { return nil }
            if state.coming == nil { state.coming = journal.read(session, after: state.version, limit: limit(state)) }
            return state.coming
        }
    }

    private func limit(_ state: State) -> Int {
        last.map { min($0 - state.version, Self.pageLimit) } ?? Self.pageLimit
    }

    private func turn(to page: Result<[JournalEntry], JournalError>) throws(SessionError) {
        let page = try page.mapError(SessionError.init).get()
        try state.withLock { state throws(SessionError) in
            // Entries that were there cannot be gone, but with their session.
            if page.isEmpty, last != nil { throw .journal(.unavailable) }
            state.coming = nil
            state.isLast = page.count < limit(state) || state.version + page.count == last
            state.page = page[...]
        }
    }

    /// Takes the next entries, and tells whether they are the last ones.
    private func nextSlice() -> (entries: ArraySlice<JournalEntry>, isOver: Bool) {
        state.withLock { state in
            let slice = state.page.prefix(Self.sliceLimit)
            state.page.removeFirst(slice.count)
            state.version += slice.count
            return (slice, state.page.isEmpty && state.isLast)
        }
    }

    private func finish(_ result: Result<Void, SessionError>) {
        let urgency = state.withLock { state in
            defer { state.urgency = nil }
            return state.urgency
        }
        if let urgency { lanes.leave(self, urgency) }
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
