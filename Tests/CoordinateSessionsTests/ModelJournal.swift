@testable import CoordinateSessions

/// A model of a session's entries in a journal that loses results and is late.
struct ModelJournal {
    struct Entry {
        let version: Int
        /// The request that it belongs to; `nil` for another server's entry.
        var request: Int?
        var retry: Retry?
        var mark: UInt64?
        /// The time of the timer that it sets; `nil` for none.
        var due: Int?
        /// The version of the entry whose timer fires with it.
        var fires: Int?
    }

    private(set) var entries: [Entry]
    private(set) var hasEnded = false
    /// The entries that were sent without a result. They may be committed at any time.
    private(set) var late: [Entry] = []
    /// The first version that this server's app does not replay as it was recorded.
    var differing: Int?

    init(length: Int) { entries = (0..<length).map { Entry(version: $0 + 1) } }

    var version: Int { entries.count }

    /// The timers that are pending at a version, by the versions of the entries that set them, in the order of their
    /// times.
    func timers(at version: Int, and next: Entry? = nil) -> [(version: Int, due: Int)] {
        let entries = entries.prefix(version) + (next.map { [$0] } ?? [])
        let fired = Set(entries.compactMap(\.fires))
        return entries.compactMap { entry in
            entry.due.flatMap { fired.contains(entry.version) ? nil : (entry.version, $0) }
        }.sorted { ($0.due, $0.version) < ($1.due, $1.version) }
    }

    mutating func append(_ entry: Entry) -> Result<Void, JournalError> {
        guard !hasEnded else { return .failure(.noSuchSession) }
        guard entry.version == version + 1 else { return .failure(.conflict) }
        entries.append(entry)
        return .success(())
    }

    mutating func end(at version: Int?) -> Result<Void, JournalError> {
        guard !hasEnded else { return .failure(.noSuchSession) }
        guard version == nil || version == self.version else { return .failure(.conflict) }
        hasEnded = true
        return .success(())
    }

    mutating func delay(_ entry: Entry) { late.append(entry) }

    /// Appends the entry that has been late for longest, if it is still the next one.
    mutating func appendLate() {
        guard !late.isEmpty else { return }
        _ = append(late.removeFirst())
    }
}
