package import Coordinate
package import CoordinateSessions

/// Calls of a journal as tests make them, which wait for the results.
extension Journal {
    /// Adds a session.
    package func add(
        _ session: SessionRecord = .make(), with history: [JournalEntry] = [], until expiry: Timestamp = .distant,
        limit: Int = 1_000_000
    ) async throws -> SessionID {
        try await create(session, with: history, until: expiry, limit: limit)
        return session.id
    }

    package func fork(_ parent: SessionID, at version: Int) async throws -> SessionID {
        try await add(.make(parent: ForkPoint(session: parent, version: version)))
    }

    package func entries(of session: SessionID) async throws -> [JournalEntry] {
        try await read(session, after: 0, limit: .max)
    }

    /// Appends similar entries, up to a version.
    package func append(upTo last: Int, after version: Int = 0, path: String = "/main/teams", to session: SessionID)
        async throws
    {
        for version in (version + 1)...last {
            try await append(.make(version: version, path: path), to: session)
        }
    }

    /// Leases the sessions that are due.
    package func due(by moment: Int, limit: Int = 100, of app: String = "Racing") async throws -> [SessionID] {
        try await leaseDue(by: Timestamp(seconds: moment), of: app, limit: limit)
    }

    /// All pages of a list, one after the other.
    package func pages(of query: SessionQuery) async throws(JournalError) -> [SessionHead] {
        var (query, heads) = (query, [SessionHead]())
        repeat {
            let page = try await list(query)
            heads += page.sessions
            query.after = page.next
        } while query.after != nil
        return heads
    }

    /// Waits until everything is written that no caller waits for. Journals write it before they list sessions.
    package func flush() async {
        _ = try? await list(SessionQuery(app: "", limit: 1))
    }
}

extension Timestamp {
    /// A moment after all others in tests.
    package static let distant = Timestamp(seconds: 4_000_000_000)
}
