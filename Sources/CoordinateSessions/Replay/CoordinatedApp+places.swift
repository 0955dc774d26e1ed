public import Coordinate

extension CoordinatedApp {
    /// Replays an exported journal as ``replay(_:)`` does, and checks that its session keeps its place: after each event,
    /// it shows and offers everything that ``places(in:)`` recorded with an earlier version of the app.
    ///
    /// ```swift
    /// @Test func nobodyLosesTheirPlace() throws {
    ///     let journal = try Data(contentsOf: folder.appending(path: "favourites.ndjson"))
    ///     let places = folder.appending(path: "favourites.places")
    ///     // With the version that people use:
    ///     // try Data(MyApp().places(in: journal)).write(to: places)
    ///     try MyApp().replay(journal, keeping: Data(contentsOf: places))
    /// }
    /// ```
    ///
    /// Lost are another path, screen, style or status, a row, an action, an input, pending work or a timer that is gone,
    /// another parked link, and another fact. Texts and values may change, and everything may be added. What
    /// ``CoordinatedApp/migrate(_:)`` renames is renamed in the places, too.
    ///
    /// - Parameters:
    ///   - journal: The exported lines, in UTF-8.
    ///   - places: The recorded places, one per version of the session.
    /// - Returns: The path after the last event.
    /// - Throws: ``JournalReplayError``, which names the first line after which something is lost, and shows the screen
    ///   as it was and is, as `diff` does.
    @discardableResult
    public func replay(
        _ journal: some Sequence<UInt8>, keeping places: some Sequence<UInt8>
    ) throws(JournalReplayError) -> String {
        let recorded = try RecordedPlaces(places)
        var version = 0
        let path = try replay(journal) { tree, last throws(JournalReplayError) in
            try recorded.check(tree, last)
            version = tree.version
        }
        try recorded.checkEnd(version)
        return path
    }

    /// Records what the session of an exported journal shows and offers after each event, for
    /// ``replay(_:keeping:)``.
    ///
    /// - Parameter journal: The exported lines, in UTF-8.
    /// - Returns: Lines of JSON in UTF-8: the app, and then one place per version. `deploy-check --record` writes the same
    ///   lines.
    /// - Throws: ``JournalReplayError`` if the journal leads elsewhere than when it was recorded.
    public func places(in journal: some Sequence<UInt8>) throws(JournalReplayError) -> [UInt8] {
        var lines = PlacesHeader(app: name, appVersion: version).line
        _ = try replay(journal) { tree, _ in
            lines += Place(of: tree).line(of: nil)
        }
        return lines
    }
}

/// The places of a journal's session, by version.
private struct RecordedPlaces {
    private let header: PlacesHeader
    private var places: [Int: Place] = [:]

    init(_ text: some Sequence<UInt8>) throws(JournalReplayError) {
        var lines = Array(text).split(separator: UInt8(ascii: "\n")).map(Array.init)[...]
        var number = 1
        do throws(UnreadableJSON) {
            header = try PlacesHeader(line: lines.popFirst() ?? [])
            while let line = lines.popFirst() {
                number += 1
                let place = try Place(line: line)
                guard places.updateValue(place, forKey: place.version) == nil else {
                    throw UnreadableJSON(reason: "there is another place of version \(place.version) above it.")
                }
            }
        } catch {
            throw Self.unusable("The places cannot be read. Line \(number): \(error.reason)")
        }
    }

    private static func unusable(_ description: String) -> JournalReplayError {
        JournalReplayError(line: nil, description: description)
    }

    func check(_ tree: SessionTree, _ last: JournalEntry?) throws(JournalReplayError) {
        guard header.app == tree.app.name else {
            throw Self.unusable("These are places of the app \(header.app), but this app is \(tree.app.name).")
        }
        guard let recorded = places[tree.version] else {
            throw Self.unusable(
                "There is no place of version \(tree.version). Record the places of this journal again.")
        }
        let comparison = PlaceComparison(of: tree, with: recorded, from: header.appVersion, last)
        guard let first = comparison.lost.first else { return }
        let now = Place(of: tree)
        let expected = recorded.migrated(to: now, in: tree, from: header.appVersion, last)
        let reason = """
            \(last.map { "after \($0.event), " } ?? "at the start, ")\(first). Compared with what was recorded:
            \(now.difference(from: expected))
            """
        throw JournalReplayError(line: tree.version + 1, description: "Line \(tree.version + 1): \(reason)")
    }

    /// Checks that the journal has not become shorter.
    ///
    /// - Parameter version: The version at which it ends.
    func checkEnd(_ version: Int) throws(JournalReplayError) {
        guard let later = places.keys.max(), later > version else { return }
        throw Self.unusable("There is a place of version \(later), but the journal ends at version \(version).")
    }
}
