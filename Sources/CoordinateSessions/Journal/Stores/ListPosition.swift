/// A place in a store's list of sessions, in which those come first that were used last.
package struct ListPosition: Sendable {
    package let expiresAt: Int
    package let id: String

    package init(_ head: SessionHead) {
        expiresAt = head.expiresAt.seconds
        id = head.record.id.description
    }

    /// Nil for any text that ``text`` would not give.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let expiresAt = Int(parts[0]), SessionID(String(parts[1])) != nil else { return nil }
        self.expiresAt = expiresAt
        id = String(parts[1])
    }

    package var text: String { "\(expiresAt).\(id)" }
}

extension SessionQuery {
    /// The most sessions that are looked at for one page.
    private static let scanLimit = 10_000

    /// Answers with the sessions that match among the next ones: of many others only so many are looked at, and a page
    /// is short then, though there is a next one.
    ///
    /// - Parameter heads: Reads sessions of the app in order, after a position, at most so many.
    package func page(
        reading heads: (_ after: ListPosition?, _ limit: Int) throws -> [SessionHead]
    ) rethrows -> SessionPage {
        var found: [SessionHead] = []
        var position = after.flatMap(ListPosition.init)
        var scanned = 0
        while scanned < Self.scanLimit {
            // One more than is wanted tells whether there is a next page.
            let limit = path == nil ? self.limit - found.count + 1 : min(1_000, Self.scanLimit - scanned)
            let heads = try heads(position, limit)
            for head in heads {
                scanned += 1
                if path.map(head.path.hasPrefix) ?? true {
                    guard found.count < self.limit else { return SessionPage(sessions: found, next: position?.text) }
                    found.append(head)
                }
                position = ListPosition(head)
            }
            if heads.count < limit { return SessionPage(sessions: found, next: nil) }
        }
        return SessionPage(sessions: found, next: position?.text)
    }
}
