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
    public var order: Order

    public init(app: String, limit: Int, after: String? = nil, path: String? = nil, order: Order = .lastUse) {
        self.app = app
        self.limit = limit
        self.after = after
        self.path = path
        self.order = order
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
