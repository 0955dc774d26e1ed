internal import Coordinate
internal import Synchronization

/// A separate tree that is built from a session's first entries, to show an earlier version.
final class HistoricalReplay: Sendable {
    private struct State {
        var tree: SessionTree?
        /// The number of coordinators that was last reported.
        var size = 0
        /// The event of the version, with its outcome, or the recorded one if the migration dropped the event.
        var last: Replayed?
    }

    /// An event that was replayed.
    typealias Replayed = (entry: JournalEntry, turn: Turn)

    private let state = Mutex(State())
    private let app: HostedApp
    private let session: SessionID
    private let beginning: SessionBeginning
    private let resized: Resized

    /// A function that receives the number of coordinators in the tree before a change, and the number after it, and
    /// returns whether there is memory for that.
    typealias Resized = @Sendable (_ former: Int, _ size: Int) -> Bool

    /// A function that receives the tree and its last event, `nil` before the first one.
    typealias Visit = @Sendable (SessionTree, JournalEntry?) -> Bool

    private init(
        _ app: HostedApp, _ beginning: SessionBeginning, of session: SessionID, _ resized: @escaping Resized
    ) {
        self.app = app
        self.resized = resized
        self.session = session
        self.beginning = beginning
    }

    /// Replays a session's entries on a separate tree.
    ///
    /// - Parameters:
    ///   - version: The last version that is replayed.
    ///   - beginning: The values from which the tree is built before any entry.
    ///   - resized: Called when the number of coordinators in the tree has changed.
    ///   - client: The client that wants it.
    ///   - isSlow: Whether a turn of the session took long, so that the whole replay belongs on a lane.
    ///   - visit: Called with the tree before any entry, and after each one with that entry; returns whether it wants
    ///     more.
    ///   - body: Creates the result from the final tree and the last event.
    static func at<Result: Sendable>(
        _ version: Int, of session: SessionID, _ beginning: SessionBeginning, in journal: any Journal,
        of app: HostedApp, on scheduler: FairScheduler, resized: @escaping Resized, for client: ClientKey,
        isSlow: Bool,
        visit: @escaping Visit = { _, _ in true },
        _ body: @Sendable (SessionTree, Replayed?) -> Result
    ) async throws(SessionError) -> Result {
        let replay = HistoricalReplay(app, beginning, of: session, resized)
        // Releases the tree before any caller learns of the result.
        defer { replay.discardTree() }
        let pages = HistoryPages(of: session, in: journal, after: 0, upTo: version)
        try await HistoryWalk(over: pages, on: scheduler, for: client).visitAll(
            beginningHere: !isSlow && version <= HistoryWalk.quickLimit
        ) { entry throws(SessionError) in
            try replay.withTree { tree, last throws(SessionError) in
                if tree.version == 0, !visit(tree, nil) { return false }
                let turn = try tree.replay(entry)
                if entry.version == version { last = (entry, turn ?? Turn(dropped: entry)) }
                return visit(tree, entry)
            }
        }
        return try replay.withTree { tree, last throws(SessionError) in
            if tree.version == 0 { _ = visit(tree, nil) }
            return body(tree, last)
        }
    }

    private func withTree<Result: Sendable>(
        _ body: (SessionTree, inout Replayed?) throws(SessionError) -> Result
    ) throws(SessionError) -> Result {
        try state.withLock { state throws(SessionError) in
            let tree: SessionTree
            if let made = state.tree { tree = made } else { tree = try SessionTree(app, beginning, of: session) }
            state.tree = tree
            let result = try body(tree, &state.last)
            guard report(tree.root.treeSize, &state) else { throw .memoryIsFull }
            return result
        }
    }

    /// Returns whether there is memory for the tree.
    @discardableResult
    private func report(_ size: Int, _ state: inout State) -> Bool {
        guard size != state.size else { return true }
        defer { state.size = size }
        return resized(state.size, size)
    }

    private func discardTree() {
        state.withLock { state in
            state.tree = nil
            report(0, &state)
        }
    }

    deinit {
        discardTree()
    }
}
