internal import Coordinate
internal import Synchronization

extension SessionRegistry {
    /// Creates a session whose events are the first ones of another session, with edits. They are emitted anew. The
    /// work of the new session is withheld.
    ///
    /// - Parameters:
    ///   - version: The last version of the original that is replayed. No edit names a later one.
    ///   - client: The client that wants it.
    package func fork(
        _ original: Session, at version: Int, editing edits: HistoryEdits, for client: ClientKey = .host
    ) async throws(SessionError) -> EditedFork {
        guard !host.budget.isBusy else { throw .tooBusy }
        let head = try await head(of: original, forkedAt: version)
        let beginning = head.record.beginning.withholdingWork
        let replay = SharedReplay(
            try EditedReplay(
                host.app, beginning, begun: head.record.begun, edits, maximumEvents: host.limits.maximumEvents),
            chargedTo: host.budget)
        let pages = HistoryPages(of: original.id, in: host.journal, after: 0, upTo: version)
        try await HistoryWalk(
            over: pages, on: host.scheduler, for: client, between: { () throws(SessionError) in try replay.advance() }
        ).visitAll(beginningHere: false) { entry throws(SessionError) in
            try replay.replay(entry)
            return true
        }
        guard let (path, begun, entries, report) = replay.result else { throw .abandoned }
        let record = host.copy(
            beginning, path: path, begun: begun, parent: ForkPoint(session: original.id, version: version),
            isEdited: true)
        return EditedFork(summary: try await create(record, with: entries, for: client), report: report)
    }
}

/// A session that was forked with edits.
package struct EditedFork: Sendable {
    package let summary: SessionSummary
    package let report: EditReport
}

/// An edited replay whose slices run on different threads. Its memory is charged while it exists.
final class SharedReplay: Sendable {
    private let replay: Mutex<EditedReplay?>
    private let budget: MemoryBudget
    private let charged = Atomic(0)

    init(_ replay: consuming sending EditedReplay, chargedTo budget: MemoryBudget) {
        self.budget = budget
        self.replay = Mutex(replay)
    }

    func replay(_ entry: JournalEntry) throws(SessionError) {
        try replay.withLock { replay throws(SessionError) in
            try replay?.replay(entry)
            charge(replay?.size ?? 0)
        }
    }

    func advance() throws(SessionError) -> Bool {
        try replay.withLock { replay throws(SessionError) in
            defer { charge(replay?.size ?? 0) }
            return try replay?.advance() ?? false
        }
    }

    private func charge(_ size: Int) {
        budget.charge(size - charged.exchange(size, ordering: .relaxed), to: .replays)
    }

    var result: (path: String, begun: [PendingWork], entries: [JournalEntry], report: EditReport)? {
        replay.withLock { $0.map { ($0.firstPath, $0.firstWork, $0.entries, $0.report) } }
    }

    /// Returns the session of the tree, once, its entries, and their turns.
    ///
    /// - Parameter record: The session's record; its values before any event are the parameters.
    func session(
        in host: SessionHost, until expiry: Int, _ record: (_ path: String, _ begun: [PendingWork]) -> SessionRecord
    ) -> (
        session: Session, record: SessionRecord, entries: [JournalEntry], turns: [(screen: String, time: UInt64?)]
    )? {
        replay.withLock { replay in
            let last = replay
            replay = nil
            guard let taken = last else { return nil }
            let record = record(taken.firstPath, taken.firstWork)
            let entries = taken.entries
            let turns = taken.turns
            return (
                Session(record, host: host, tree: taken.tree, retry: nil, published: nil, until: expiry), record,
                entries, turns
            )
        }
    }

    deinit {
        budget.charge(-charged.load(ordering: .relaxed), to: .replays)
    }
}
