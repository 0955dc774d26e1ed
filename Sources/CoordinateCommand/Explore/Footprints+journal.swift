internal import Coordinate
internal import CoordinateExplore
internal import CoordinateServer
internal import CoordinateSessions

extension Footprints {
    /// Replays a recorded journal, and notes what its session visited.
    ///
    /// - Returns: The reason why the replay did not reach the end, as a sentence; `nil` if it did.
    /// - Throws: ``ServerError`` if the journal cannot be read.
    nonisolated(nonsending) mutating func add(
        _ journal: RecordedJournal, of app: HostedApp
    ) async throws(ServerError) -> String? {
        let notes = Notes(self)
        defer { self = notes.footprints }
        let replay = JournalReplay(app) { entry in
            guard let root = notes.replay?.root else { return }
            notes.footprints.add(entry.event, entry.payload, to: root.navigationState, now: root.now)
        } began: { root in
            notes.footprints.begin(journal.name, at: root.navigationState, now: root.now)
        }
        notes.replay = replay
        do {
            try await journal.read(replay)
            try replay.finish()
            return nil
        } catch let error as ServerError {
            throw error
        } catch SessionError.invalidJournal(_, let reason) where replay.header == nil {
            throw .configuration("\(journal.name) is not an exported journal: \(reason)")
        } catch SessionError.invalidJournal(let line, let reason) {
            return "Line \(line): \(reason)"
        } catch {
            return "\(error)"
        }
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
