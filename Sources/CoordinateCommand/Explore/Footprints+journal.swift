internal import Coordinate
internal import CoordinateExplore
internal import CoordinateServer
internal import CoordinateSessions

extension Footprints {
    /// Replays a recorded journal, and records what its session visited.
    ///
    /// - Returns: The first difference, at which it ends; `nil` if there is none.
    /// - Throws: The reason why the journal cannot be read.
    nonisolated(nonsending) func record(
        _ journal: RecordedJournal, of app: HostedApp
    ) async throws(ServerError) -> ReplayDifference? {
        var root: CoordinatorNode?
        let replay = JournalReplay(app) { entry in
            if let root { self.record(entry.event, entry.payload, to: root) }
        } began: {
            root = $0
            self.begin(journal.name, at: $0)
        }
        return try await journal.difference(in: replay)
    }
}
