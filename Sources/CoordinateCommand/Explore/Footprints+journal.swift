internal import Coordinate
internal import CoordinateExplore
internal import CoordinateServer
internal import CoordinateSessions

extension Footprints {
    /// Replays a recorded journal, and records what its session visited.
    ///
    /// - Returns: The first difference, at which it ends; `nil` if there is none.
    /// - Throws: The reason why the journal cannot be read.
    nonisolated(nonsending) mutating func record(
        _ journal: RecordedJournal, of app: HostedApp
    ) async throws(ServerError) -> ReplayDifference? {
        let shared = Shared(self)
        defer { self = shared.footprints }
        let replay = JournalReplay(app) { entry in
            guard let root = shared.replay?.root else { return }
            shared.footprints.record(entry.event, entry.payload, to: root)
        } began: { root in
            shared.footprints.begin(journal.name, at: root)
        }
        shared.replay = replay
        return try await journal.difference(in: replay)
    }

    /// The footprints, shared with a replay that records in them.
    private final class Shared {
        var footprints: Footprints
        weak var replay: JournalReplay?

        init(_ footprints: Footprints) {
            self.footprints = footprints
        }
    }
}
