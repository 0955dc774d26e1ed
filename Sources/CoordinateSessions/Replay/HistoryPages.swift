/// A session's entries after a version, oldest first, read from the journal page by page.
struct HistoryPages: Sendable {
    enum Next {
        case entry(JournalEntry)
        /// The next page has to be read and added.
        case needsPage
        case end
    }

    /// The most entries of a page that is read on the caller's thread: an entry may be as large as a body.
    private static let quickLimit = 64
    private static let laneLimit = 250

    let journal: any Journal
    let session: SessionID
    /// The last version, which is known to exist; `nil` to read all entries.
    let last: Int?
    /// The version of the last entry that was returned.
    private(set) var version: Int
    /// The following entries that have arrived.
    private var page: ArraySlice<JournalEntry> = []
    /// Whether no page follows these.
    private var isLast = false
    /// Whether a lane reads. A lane may read larger pages.
    var isOnLane = false

    init(of session: SessionID, in journal: any Journal, after version: Int, upTo last: Int?) {
        self.session = session
        self.journal = journal
        self.version = version
        self.last = last
        if let last { isLast = version >= last }
    }

    /// Whether no entry follows.
    var isOver: Bool { isLast && page.isEmpty }

    /// Returns the next entry, unless its page has to be read first.
    mutating func next() -> Next {
        guard let entry = page.popFirst() else { return isLast ? .end : .needsPage }
        version += 1
        return .entry(entry)
    }

    /// The largest page to read next.
    var limit: Int {
        let most = isOnLane ? Self.laneLimit : Self.quickLimit
        return last.map { min($0 - version, most) } ?? most
    }

    /// Adds the page that follows.
    ///
    /// - Parameter limit: The limit with which it was read.
    mutating func add(_ entries: [JournalEntry], limit: Int) throws(SessionError) {
        // Entries that were stored can only disappear with their session.
        if entries.isEmpty, last != nil { throw .journal(.unavailable) }
        isLast = entries.count < limit || version + entries.count == last
        page = entries[...]
    }
}
