/// A session's entries after a version, oldest first, read from the journal page by page.
struct HistoryPages: Sendable {
    enum Next {
        case entry(JournalEntry)
        /// The next page has not arrived yet: it is the ``comingPage``.
        case waiting
        case end
    }

    /// The most entries of a page that is read on the caller's thread: an entry may be as large as a body.
    private static let quickLimit = 64
    private static let limit = 250

    private let journal: any Journal
    private let session: SessionID
    /// The last version, which is known to exist; `nil` to read all entries.
    let last: Int?
    /// The version of the last entry that was returned.
    private(set) var version: Int
    /// The following entries that have arrived.
    private var page: ArraySlice<JournalEntry> = []
    /// The page after those, once it was requested, with its limit.
    private var coming: (entries: Future<[JournalEntry], JournalError>, limit: Int)?
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

    /// The page that was requested last and is not used yet; `nil` if none was.
    var comingPage: Future<[JournalEntry], JournalError>? { coming?.entries }

    /// Returns the next entry, unless it has not arrived yet.
    mutating func next() throws(SessionError) -> Next {
        while true {
            if let entry = page.popFirst() {
                version += 1
                return .entry(entry)
            }
            if isLast { return .end }
            let coming = coming ?? request()
            self.coming = coming
            guard let result = coming.entries.result else { return .waiting }
            let entries = try result.mapError(SessionError.init).get()
            // Entries that were stored can only disappear with their session.
            if entries.isEmpty, last != nil { throw .journal(.unavailable) }
            self.coming = nil
            isLast = entries.count < coming.limit || version + entries.count == last
            page = entries[...]
        }
    }

    private func request() -> (entries: Future<[JournalEntry], JournalError>, limit: Int) {
        let most = isOnLane ? Self.limit : Self.quickLimit
        let limit = last.map { min($0 - version, most) } ?? most
        return (journal.read(session, after: version, limit: limit), limit)
    }
}
