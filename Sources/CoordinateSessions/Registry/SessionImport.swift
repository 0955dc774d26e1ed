internal import Coordinate

/// A session that takes the events of an exported journal, part by part as they come in.
///
/// There is no session before all of it has been replayed, and none where it goes another way than it was recorded.
package final class SessionImport {
    private let registry: SessionRegistry
    private let replay: JournalReplay
    private let collected = Collected()

    /// The entries, until all are there.
    private final class Collected {
        var entries = CompactEntries()
        var count = 0
    }

    package init(into registry: SessionRegistry) throws(SessionError) {
        self.registry = registry
        guard !registry.isFull else { throw .tooManySessions }
        let maximum = registry.host.limits.maximumEvents
        replay = JournalReplay(registry.host.app) { [collected] entry throws(SessionError) in
            guard collected.count < maximum else { throw .historyIsFull }
            collected.entries.append(entry.inherited)
            collected.count += 1
        }
    }

    /// Takes the next part of the journal.
    package func read(_ part: [UInt8]) throws(SessionError) {
        try replay.read(part)
    }

    /// Makes the session, now that all is there.
    package func finish() -> Future<SessionSummary, SessionError> {
        do throws(SessionError) {
            try replay.finish()
        } catch {
            return .failed(error)
        }
        let record = registry.host.record(
            replay.header?.beginning ?? SessionBeginning(), path: replay.firstPath, begun: replay.firstWork)
        return registry.create(record, with: collected.entries)
    }
}
