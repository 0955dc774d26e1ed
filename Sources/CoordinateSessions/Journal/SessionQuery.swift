/// A request for a page of sessions.
public struct SessionQuery: Sendable {
    /// The order of the sessions.
    public enum Order: Sendable {
        /// Latest use first.
        case lastUse
        /// By the texts of the ids. Ids are random, so the first sessions are a sample of all. A session that is used
        /// meanwhile keeps its place.
        case id
    }

    /// The app whose sessions are listed.
    public var app: String
    /// The most sessions on the page.
    public var limit: Int
    /// The end of the previous page: its ``SessionPage/next``.
    public var after: String?
    /// The prefix of the sessions' paths; `nil` for any path.
    public var path: String?
    /// The attributes that the sessions have, by their names. A page with a few takes about as long among a million
    /// sessions as among few.
    public var attributes: [String: String]
    public var order: Order

    public init(
        app: String, limit: Int, after: String? = nil, path: String? = nil, attributes: [String: String] = [:],
        order: Order = .lastUse
    ) {
        self.app = app
        self.limit = limit
        self.after = after
        self.path = path
        self.attributes = attributes
        self.order = order
    }
}

extension SessionQuery {
    /// Whether a session of the app has the path and the attributes.
    package func matches(_ head: SessionHead) -> Bool {
        if let path, !head.path.utf8.starts(with: path.utf8) { return false }
        // Different spellings of a text are different values.
        return attributes.allSatisfy { name, value in
            head.record.attributes[name].map { $0.utf8.elementsEqual(value.utf8) } ?? false
        }
    }
}

/// A page of sessions, in the order of its query.
public struct SessionPage: Sendable {
    public var sessions: [SessionHead]
    /// The value of ``SessionQuery/after`` for the next page; `nil` on the last page.
    public var next: String?

    public init(sessions: [SessionHead], next: String?) {
        self.sessions = sessions
        self.next = next
    }
}
