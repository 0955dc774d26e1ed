internal import Coordinate

extension SessionRegistry {
    /// Returns a page of the sessions of this app, latest use first. It wakes no session, and does not count as a use.
    ///
    /// It examines some 10,000 sessions at most, so the page may be shorter than the limit, or empty, although another
    /// one follows.
    ///
    /// - Parameters:
    ///   - limit: The most sessions of the page.
    ///   - cursor: The end of the previous page; `nil` for the first page.
    ///   - path: The prefix of the paths; `nil` for any path.
    ///   - attributes: The attributes that the sessions have.
    ///   - state: The state of the sessions on this server; `nil` for any state.
    package func list(
        limit: Int, after cursor: SessionCursor? = nil, path: String? = nil, attributes: [String: String] = [:],
        state: SessionSummary.State? = nil
    ) async throws(SessionError) -> SessionList {
        guard host.journal.findsSessions || attributes.isEmpty else { throw .keysUnsupported }
        // Uses are recorded once, for all pages. Recording them for each page would move sessions in use before the page,
        // and the client would miss them.
        if cursor == nil { for session in all() where !session.hasEnded { session.recordUse() } }
        var found: [SessionSummary] = []
        var looked = 0
        var position = cursor?.position
        var size = state == nil ? limit : Self.pageSize
        while true {
            let query = SessionQuery(
                app: host.app.name, limit: size, after: position, path: path, attributes: attributes)
            let page: SessionPage
            do throws(JournalError) {
                page = try await host.journal.list(query)
            } catch {
                throw SessionError(error)
            }
            let matches = page.sessions.enumerated().compactMap { index, head in
                summary(listing: head).map { (index: index, session: $0) }
            }.filter { state == nil || $0.session.state == state }
            let wanted = limit - found.count
            if matches.count > wanted {
                // Only the journal can say where to continue, and only after the last session of a page.
                size = matches[wanted - 1].index + 1
                continue
            }
            found += matches.map(\.session)
            looked += page.sessions.count
            position = page.next
            // If the journal returns fewer sessions than requested, it has examined enough. If all sessions match, one
            // page of the journal is enough.
            let isEnough =
                page.sessions.count < size || state == nil || found.count == limit || looked >= Self.maximumLooks
            if isEnough || position == nil {
                return SessionList(sessions: found, next: position.map(SessionCursor.init(at:)))
            }
            size = Self.pageSize
        }
    }

    /// The number of sessions that are requested from the journal at a time if not all of them match.
    private static let pageSize = 1_000
    /// The number of sessions after which no further page of the journal is read.
    private static let maximumLooks = 10_000

    /// The summary of a listed session; `nil` if it has expired.
    private func summary(listing head: SessionHead) -> SessionSummary? {
        let now = host.clock.uptime()
        guard head.expiresAt > host.clock.moment(at: now) else { return nil }
        guard let session = inMemory(head.record.id) else {
            return SessionSummary(
                head: head, state: host.state(ofPassive: head), path: head.path, expiresAt: head.expiresAt)
        }
        // If the journal is shared, another server may have used the session since.
        if session.hasExpired(by: now), !host.journal.isShared { return nil }
        return session.summary(of: head)
    }
}

/// A page of sessions, latest use first.
package struct SessionList: Sendable {
    package let sessions: [SessionSummary]
    /// The cursor of the next page; `nil` on the last page.
    package let next: SessionCursor?
}

/// A position in the list of sessions, as clients receive it: the journal's own text with a checksum, so that a journal
/// gets no text that it did not create.
package struct SessionCursor: LosslessStringConvertible, Sendable {
    /// The journal's ``SessionPage/next``.
    let position: String

    init(at position: String) {
        self.position = position
    }

    /// Reads a cursor; `nil` if the text is not a ``description`` of one.
    package init?(_ description: String) {
        guard let dot = description.firstIndex(of: ".") else { return nil }
        position = String(description[description.index(after: dot)...])
        guard self.description == description else { return nil }
    }

    package var description: String { "\(position.fingerprint).\(position)" }
}
