/// A position in a store's list of sessions, in which those used last come first.
package struct ListPosition: Sendable {
    package let expiresAt: Int
    package let id: String

    package init(expiresAt: Int, id: String) {
        self.expiresAt = expiresAt
        self.id = id
    }

    /// Reads a position; `nil` if the text is not a ``text`` of one.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let expiresAt = Int(parts[0]), SessionID(String(parts[1])) != nil else { return nil }
        self.init(expiresAt: expiresAt, id: String(parts[1]))
    }

    package var text: String { "\(expiresAt).\(id)" }
}

extension SessionQuery {
    /// The most sessions that are examined for one page, and that are read at a time.
    private static let limits = (all: 10_000, batch: 500)

    /// Returns a page of the sessions that match among the next ones. It examines a limited number of sessions, so a
    /// page may be short although another one follows.
    ///
    /// - Parameter read: Reads sessions in order, after a position, at most `limit`; fewer only at the end. A session
    ///   without a head is skipped.
    package func page<Failure: Error>(
        reading read: (_ after: ListPosition?, _ limit: Int) throws(Failure) -> [(
            position: ListPosition, head: SessionHead?
        )]
    ) throws(Failure) -> SessionPage {
        guard limit > 0 else { return SessionPage(sessions: [], next: after) }
        var found: [SessionHead] = []
        var position = after.flatMap(ListPosition.init)
        var looked = 0
        while looked < Self.limits.all {
            // One more than requested shows whether there is a next page. If paths or several attributes are filtered,
            // most sessions may not match.
            let most = Self.limits.batch
            let batch = path == nil && attributes.count < 2 ? min(limit - found.count, most - 1) + 1 : most
            let sessions = try read(position, batch)
            for session in sessions {
                if let head = session.head, matches(head) {
                    guard found.count < limit else { return SessionPage(sessions: found, next: position?.text) }
                    found.append(head)
                }
                position = session.position
            }
            guard sessions.count == batch else { return SessionPage(sessions: found, next: nil) }
            looked += sessions.count
        }
        return SessionPage(sessions: found, next: position?.text)
    }
}
