public import Coordinate
internal import Logging

extension CoordinatedApp {
    /// Replays an exported journal on a separate tree. For each event it compares the coordinator that handled it, and
    /// the path afterwards.
    ///
    /// Use it for regression tests from recordings, made by a server or by `export`:
    ///
    /// ```sh
    /// curl -b jar -H 'Accept: application/x-ndjson' localhost:8080/events > Journals/favourites.ndjson
    /// ```
    /// ```swift
    /// import CoordinateSessions
    ///
    /// @Test func favouritesGoAsTheyWent() throws {
    ///     let journal = try Data(contentsOf: folder.appending(path: "favourites.ndjson"))
    ///     let path = try MyApp().replay(journal)
    ///     #expect(path == "/main/profile")
    /// }
    /// ```
    ///
    /// No server is needed: the tests depend on the product CoordinateSessions, and link no C library. Work that the
    /// app requests does not begin, since its outcome is in the journal. Events of an older version are migrated first.
    ///
    /// - Parameter journal: The exported lines, in UTF-8.
    /// - Returns: The path after the last event.
    /// - Throws: ``JournalReplayError``, which names the first line that leads elsewhere, with both outcomes: `Line 3:
    ///   path was /main/teams when it was recorded, and is /main/teams/team/ferrari now.`
    @discardableResult
    public func replay(_ journal: some Sequence<UInt8>) throws(JournalReplayError) -> String {
        try replay(journal) { _, _ in }
    }

    /// - Parameter visit: Called with the tree and the last entry, for each version of the session.
    func replay(
        _ journal: some Sequence<UInt8>,
        _ visit: (SessionTree, JournalEntry?) throws(JournalReplayError) -> Void
    ) throws(JournalReplayError) -> String {
        if let reason = whyNotHosted { throw JournalReplayError(line: nil, description: reason) }
        var last: JournalEntry?
        let replay = JournalReplay(HostedApp(self, logger: Logger(label: "coordinate.replay"))) { last = $0 }
        func next(_ read: () throws(SessionError) -> Bool) throws(JournalReplayError) -> Bool {
            do throws(SessionError) {
                return try read()
            } catch {
                throw JournalReplayError(error)
            }
        }
        replay.append(Array(journal))
        while try next(replay.readLine) {
            if let tree = replay.tree { try visit(tree, last) }
        }
        let version = replay.tree?.version
        _ = try next { () throws(SessionError) in
            try replay.finish()
            return true
        }
        // The last line needs no line feed.
        if let tree = replay.tree, tree.version != version { try visit(tree, last) }
        return replay.path
    }
}

/// The reason why a journal cannot be replayed, or leads elsewhere than when it was recorded.
public struct JournalReplayError: Error, Equatable, CustomStringConvertible {
    /// The number of the line, from 1; `nil` if the app does not even start.
    public let line: Int?
    public let description: String

    init(line: Int?, description: String) {
        self.line = line
        self.description = description
    }

    init(_ error: SessionError) {
        if case .invalidJournal(let line, _) = error { self.line = line } else { line = nil }
        description = error.description
    }
}
