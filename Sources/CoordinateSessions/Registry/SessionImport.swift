internal import Coordinate

/// A session that takes the events of an exported journal, part by part as they come in.
///
/// There is no session before all of it has been replayed, and none where it goes another way than it was recorded.
package final class SessionImport {
    private let registry: SessionRegistry
    private let replay: JournalReplay
    private let collected = Collected()
    /// What has come in, in bytes: no more of it is kept, and most of it is.
    private var size = 0

    /// The entries, until all are there.
    private final class Collected {
        var entries = CompactEntries()
        var count = 0
    }

    package init(into registry: SessionRegistry) throws(SessionError) {
        self.registry = registry
        if let shortage = registry.shortage { throw shortage }
        let maximum = registry.host.limits.maximumEvents
        replay = JournalReplay(registry.host.app) { [collected] entry throws(SessionError) in
            guard collected.count < maximum else { throw .historyIsFull }
            collected.entries.append(entry.inherited)
            collected.count += 1
        }
    }

    /// Takes the next part of the journal.
    package func read(_ part: [UInt8]) throws(SessionError) {
        guard !registry.host.budget.isFull else { throw .memoryIsFull }
        size += part.count
        registry.host.budget.charge(part.count, to: .imports)
        try replay.read(part)
    }

    deinit {
        registry.host.budget.charge(-size, to: .imports)
    }

    /// Makes the session, now that all is there.
    ///
    /// - Parameter client: A number for whoever asks for it.
    package func finish(for client: Int = 0) -> Future<SessionSummary, SessionError> {
        do throws(SessionError) {
            try replay.finish()
        } catch {
            return .failed(error)
        }
        let record = registry.host.record(
            replay.header?.beginning ?? SessionBeginning(), path: replay.firstPath, begun: replay.firstWork)
        return registry.create(record, with: collected.entries, for: client)
    }
}
