/// A place in a store's list of sessions, in which those come first that were used last.
package struct ListPosition: Sendable {
    package let expiresAt: Int
    package let id: String

    package init(expiresAt: Int, id: String) {
        self.expiresAt = expiresAt
        self.id = id
    }

    /// Nil for any text that ``text`` would not give.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let expiresAt = Int(parts[0]), SessionID(String(parts[1])) != nil else { return nil }
        self.init(expiresAt: expiresAt, id: String(parts[1]))
    }

    package var text: String { "\(expiresAt).\(id)" }
}

extension SessionQuery {
    /// The most sessions that are looked at for one page, and that are read at a time.
    private static let limits = (all: 10_000, batch: 500)

    /// Answers with the sessions that match among the next ones: of many others only so many are looked at, and a page
    /// is short then, though there is a next one.
    ///
    /// - Parameter read: Reads sessions in order, after a position, at most so many; fewer only at the end. One without a
    ///   head is passed over.
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
            // One more than is wanted tells whether there is a next page; where paths matter, most may not be wanted.
            let most = Self.limits.batch
            let batch = path == nil ? min(limit - found.count, most - 1) + 1 : most
            let sessions = try read(position, batch)
            for session in sessions {
                if let head = session.head, path.map({ head.path.utf8.starts(with: $0.utf8) }) ?? true {
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
