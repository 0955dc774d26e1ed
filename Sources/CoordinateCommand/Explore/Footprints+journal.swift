internal import Coordinate
internal import CoordinateExplore
internal import CoordinateServer
internal import CoordinateSessions

extension Footprints {
    /// Replays a recorded journal, and notes what its session visited.
    ///
    /// - Returns: The first difference, at which it ends; `nil` if there is none.
    /// - Throws: The reason why the journal cannot be read.
    nonisolated(nonsending) mutating func add(
        _ journal: RecordedJournal, of app: HostedApp
    ) async throws(ServerError) -> ReplayDifference? {
        let notes = Notes(self)
        defer { self = notes.footprints }
        let replay = JournalReplay(app) { entry in
            guard let root = notes.replay?.root else { return }
            notes.footprints.add(entry.event, entry.payload, to: root.navigationState, now: root.now)
        } began: { root in
            notes.footprints.begin(journal.name, at: root.navigationState, now: root.now)
        }
        notes.replay = replay
        return try await journal.difference(in: replay)
    }

    /// The footprints, shared with a replay that adds to them.
    private final class Notes {
        var footprints: Footprints
        weak var replay: JournalReplay?

        init(_ footprints: Footprints) {
            self.footprints = footprints
        }
    }
}
