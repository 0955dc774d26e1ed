public import Coordinate
internal import Logging

extension CoordinatedApp {
    /// Replays an exported journal on a tree of its own, and compares: who handled each event, and the path after it.
    ///
    /// A regression test made of a recording:
    ///
    /// ```sh
    /// curl -b jar -H 'Accept: application/x-ndjson' localhost:8080/events > Journals/favourites.ndjson
    /// ```
    /// ```swift
    /// let journal = try Data(contentsOf: folder.appending(path: "favourites.ndjson"))
    /// #expect(try MyApp().replay(journal) == "/main/profile")
    /// ```
    ///
    /// - Returns: the path in the end.
    /// - Throws: where the first line that goes another way is.
    @discardableResult
    public func replay(_ journal: some Sequence<UInt8>) throws(JournalReplayError) -> String {
        do throws(SessionError) {
            let replay = JournalReplay(HostedApp(self, logger: Logger(label: "coordinate.replay")))
            try replay.read(Array(journal))
            try replay.finish()
            return replay.path
        } catch {
            throw JournalReplayError(error)
        }
    }
}

/// Why a journal cannot be replayed, or does not go the way it was recorded.
public struct JournalReplayError: Error, Equatable, CustomStringConvertible {
    /// The number of the line, from 1; nil where the app does not even start.
    public let line: Int?
    public let description: String

    init(_ error: SessionError) {
        if case .invalidJournal(let line, _) = error { self.line = line } else { line = nil }
        description = error.description
    }
}
